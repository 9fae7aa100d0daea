"""Compiled patterns: JavaScript's verdicts and positions, within bounds of time and memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

import regex

from turngrade.core.dialect.cost import MAX_COST, cost
from turngrade.core.dialect.deadline import Deadline
from turngrade.core.dialect.doubled import doubled
from turngrade.core.dialect.errors import PatternTooLarge
from turngrade.core.dialect.excerpt import excerpt
from turngrade.core.dialect.folding import folder, reference_folding
from turngrade.core.dialect.needles import needles
from turngrade.core.dialect.nodes import Tree
from turngrade.core.dialect.parser import parse
from turngrade.core.dialect.runner import Reading, Runner
from turngrade.core.dialect.stack import with_room
from turngrade.core.dialect.subject import Subject, in_pieces, utf16_length

CACHE_SIZE: Final = 512
"""Patterns that are kept compiled."""


@dataclass(frozen=True, slots=True)
class Match:
    """Where a pattern matches, as JavaScript's ``exec`` tells it.

    Attributes:
        start: First offset, in code points of the text as it was given.
        end: Offset behind the last character, in the same unit. A match that begins or ends between the two
            UTF-16 units of a character is widened to the whole character.
        text: What lies between.
        groups: The texts of the groups 1 and up, None for one that took no part. Empty if the pattern has no
            groups, or if the time left was enough for the position only.
        names: The texts of the named groups.
    """

    start: int
    end: int
    text: str
    groups: tuple[str | None, ...] = ()
    names: Mapping[str, str | None] = field(default_factory=dict)


class Pattern:
    """A JavaScript pattern, ready to be searched for. Made by `compile_pattern`; threads may share it.

    Attributes:
        tree: The parsed pattern.
    """

    def __init__(self, tree: Tree) -> None:
        self.tree: Final = tree
        self._needles: Final = needles(tree)
        self._excerpt: Final = excerpt(tree)
        self._doubled: Final = doubled(tree)
        folding = reference_folding(tree)
        self._fold: Final = None if folding is None else folder(folding)
        self._runner: Final = Runner(tree)

    @property
    def source(self) -> str:
        """The pattern as written."""
        return self.tree.pattern

    @property
    def flags(self) -> str:
        """The flags as written."""
        return self.tree.flags

    def test(self, text: str | Subject, *, deadline: Deadline | None = None) -> bool:
        """Whether the pattern is found in the text, as ``RegExp.prototype.test`` with ``lastIndex`` 0.

        Args:
            text: The text, or a subject made from it: faster where several patterns are tested on it.
            deadline: The time budget; None for one of 5 seconds.

        Raises:
            MatchTimeout: No answer within the budget.
            MatchMemory: No answer within the memory that the engine may use.
        """
        subject = _subject(text)
        if self._is_absent(subject):
            return False
        return self._read(subject).exists(deadline or Deadline.after())

    def search(self, text: str | Subject, *, deadline: Deadline | None = None) -> Match | None:
        """The first match, as ``RegExp.prototype.exec`` with ``lastIndex`` 0.

        Args:
            text: The text, or a subject made from it.
            deadline: The time budget; None for one of 5 seconds.

        Raises:
            MatchTimeout: No answer within the budget.
            MatchMemory: No answer within the memory that the engine may use.
        """
        subject = _subject(text)
        if self._is_absent(subject):
            return None
        deadline = deadline or Deadline.after()
        reading = self._read(subject)
        span = reading.find(0, deadline)
        return None if span is None else self._match(subject, reading, span, deadline)

    def find_all(self, text: str | Subject, *, deadline: Deadline | None = None) -> Iterator[Match]:
        """All matches from the left that do not overlap, as ``String.prototype.matchAll`` with flag ``g``.

        Behind an empty match the search goes on one UTF-16 unit later, or one code point with ``u``/``v``.

        Args:
            text: The text, or a subject made from it.
            deadline: The time budget for all of them; None for one of 5 seconds.

        Yields:
            The matches, in order.

        Raises:
            MatchTimeout: No answer within the budget.
            MatchMemory: No answer within the memory that the engine may use.
        """
        subject = _subject(text)
        if self._is_absent(subject):
            return
        deadline = deadline or Deadline.after()
        reading = self._read(subject)
        for span in reading.find_all(deadline):
            yield self._match(subject, reading, span, deadline)

    def is_nowhere(self, subject: Subject) -> bool:
        """Whether a quick look tells that no part of the text matches. False says nothing.

        Args:
            subject: The text, or several texts in a row.
        """
        return self._needles.absent(subject) or self._excerpt.absent(subject)

    def _is_absent(self, subject: Subject) -> bool:
        """Whether a quick look is enough to tell that there is no match."""
        return subject.lacks(self) or self.is_nowhere(subject) or self._doubled.absent(subject)

    def _read(self, subject: Subject) -> Reading:
        view = subject.view(unicode=self.tree.unicode)
        if self._fold is not None and not view.isascii():
            view = in_pieces(self._fold, view)
        return self._runner.read(view)

    def _match(self, subject: Subject, reading: Reading, span: tuple[int, int], deadline: Deadline) -> Match:
        unicode, text = self.tree.unicode, subject.text
        start, end = subject.span(*span, unicode=unicode)
        spans = reading.groups(span, deadline) if self.tree.group_count else None
        if spans is None:
            return Match(start, end, text[start:end])
        mapped = [None if found is None else subject.span(*found, unicode=unicode) for found in spans]
        groups = tuple(None if found is None else text[slice(*found)] for found in mapped)
        return Match(start, end, text[start:end], groups, self._names(groups))

    def _names(self, groups: tuple[str | None, ...]) -> Mapping[str, str | None]:
        """The named groups; of several with one name, the one that took part."""
        return {
            name: next((groups[index - 1] for index in indexes if groups[index - 1] is not None), None)
            for name, indexes in self.tree.names
        }

    def __reduce__(self) -> tuple[Callable[[str, str], Pattern], tuple[str, str]]:
        return compile_pattern, (self.source, self.flags)

    def __repr__(self) -> str:
        return f"<Pattern /{self.source}/{self.flags}>"


def compile_pattern(pattern: str, flags: str = "", *, max_length: int | None = None) -> Pattern:
    """Compile a pattern as ``new RegExp(pattern, flags)`` does; results are cached.

    Args:
        pattern: The pattern without delimiters.
        flags: Letters out of ``dgimsuvy``. ``g`` and ``d`` change nothing, ``y`` anchors at the start.
        max_length: Most UTF-16 units that the pattern may have; None for no limit.

    Raises:
        InvalidPattern: JavaScript refuses the pattern or the flags.
        PatternTooLarge: The pattern is longer than ``max_length``, nested too deeply, or would cost too much
            to compile. Told before the cost is paid.
        TypeError: The pattern or the flags are no strings.
    """
    if not isinstance(pattern, str) or not isinstance(flags, str):
        given = f"{type(pattern).__name__} and {type(flags).__name__}"
        raise TypeError(f"a pattern and its flags are strings, not {given}")
    if max_length is not None and (length := utf16_length(pattern)) > max_length:
        raise PatternTooLarge(pattern, flags, f"Pattern too long: {length} of {max_length} characters")
    return _compiled(pattern, flags)


@lru_cache(maxsize=CACHE_SIZE)
def _compiled(pattern: str, flags: str) -> Pattern:
    if _compiled.cache_info().misses % CACHE_SIZE == 0:
        regex.purge()  # it keeps a note of every pattern, even of those that it is told not to cache
    try:
        return with_room(_compile, pattern, flags)
    except (regex.error, MemoryError, RecursionError, OverflowError) as error:
        raise PatternTooLarge(pattern, flags) from error


def _compile(pattern: str, flags: str) -> Pattern:
    tree = parse(pattern, flags)
    if cost(tree) > MAX_COST:
        raise PatternTooLarge(pattern, flags)
    return Pattern(tree)


def _subject(text: str | Subject) -> Subject:
    if isinstance(text, Subject):
        return text
    if not isinstance(text, str):
        raise TypeError(f"a pattern is searched for in a string, not in {type(text).__name__}")
    return Subject(text)
