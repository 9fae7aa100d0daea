"""What a grader looks for in one text, and the sentence that says whether it was there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, Protocol, TypeAlias

from msgspec import Struct

from turngrade.core.dialect import Deadline, Match, Pattern, Subject

Where: TypeAlias = Literal["transcript", "output"]


class Finder(Protocol):
    """A compiled pattern or a substring."""

    def search(self, subject: Subject, /, *, deadline: Deadline | None = None) -> Match | None:
        """The first match."""
        ...

    def find_all(self, subject: Subject, /, *, deadline: Deadline | None = None) -> Iterator[Match]:
        """All matches, as JavaScript's ``matchAll`` finds them."""
        ...

    def is_nowhere(self, subject: Subject) -> bool:
        """Whether a quick look tells that nothing matches, in no part of the text. False says nothing."""
        ...


class Unless(Struct, frozen=True):
    """A finder whose matches do not count where they overlap a match of another one in the same text."""

    finder: Finder
    exception: Pattern

    def is_nowhere(self, subject: Subject) -> bool:
        """Whether there is nothing that could be excepted."""
        return self.finder.is_nowhere(subject)

    def search(self, subject: Subject, *, deadline: Deadline | None = None) -> Match | None:
        """The first match that is left."""
        return next(self.find_all(subject, deadline=deadline), None)

    def find_all(self, subject: Subject, *, deadline: Deadline | None = None) -> Iterator[Match]:
        """The matches that are left. Both sides come in order, so one pass over each is enough."""
        exceptions = self.exception.find_all(subject, deadline=deadline)
        near: list[Match] = []
        behind: Match | None = None
        for match in self.finder.find_all(subject, deadline=deadline):
            near = [other for other in near if other.end >= match.start]
            while behind is None or behind.start <= match.end:
                behind = next(exceptions, None)
                if behind is None:
                    break
                near.append(behind)
            if not any(_overlap(match, other) for other in near):
                yield match


def _overlap(one: Match, other: Match) -> bool:
    same = (one.start, one.end) == (other.start, other.end)  # two empty matches at one place overlap too
    return same or (one.start < other.end and other.start < one.end)


def patterns_in(finder: Finder) -> tuple[Pattern, ...]:
    """The patterns that a finder searches for."""
    if isinstance(finder, Unless):
        return (*patterns_in(finder.finder), finder.exception)
    return (finder,) if isinstance(finder, Pattern) else ()


class Finding(Struct, frozen=True):
    """What a check found in one text.

    Args:
        match: The first match; None where the check does not match.
        values: The values that the sentence names, for a check of several.
    """

    match: Match | None
    values: tuple[str, ...] = ()


_NOTHING = Finding(None)


class Check(Protocol):
    """What a grader looks for in one text."""

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns that it searches for."""
        ...

    def find(self, subject: Subject, deadline: Deadline) -> Finding:
        """Look for it."""
        ...

    def is_nowhere(self, subject: Subject) -> bool:
        """Whether a quick look tells that no part of the text has any of it. False says nothing."""
        ...

    def sentence(self, where: Where, finding: Finding | None) -> str:
        """The evidence; ``finding`` is that of a text that matches, else of any text, else None."""
        ...


class PatternCheck(Struct, frozen=True):
    """A pattern; ``shown`` is how the evidence prints it, delimiters and flags included."""

    finder: Finder
    shown: str

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        """The pattern, and that of ``unless``."""
        return patterns_in(self.finder)

    def find(self, subject: Subject, deadline: Deadline) -> Finding:
        """Search the text."""
        match = self.finder.search(subject, deadline=deadline)
        return _NOTHING if match is None else Finding(match)

    def is_nowhere(self, subject: Subject) -> bool:
        """Whether no part of the text matches."""
        return self.finder.is_nowhere(subject)

    def sentence(self, where: Where, finding: Finding | None) -> str:
        """``Output matches pattern /P/`` and its kin."""
        place = "Output" if where == "output" else "transcript"
        found = finding is not None and finding.match is not None
        return f"{place} {'matches' if found else 'does not match'} pattern {self.shown}"


class ValuesCheck(Struct, frozen=True):
    """One value or several, of which any or all must be there."""

    values: tuple[str, ...]
    finders: tuple[Finder, ...]
    every: bool = False

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns of ``unless``."""
        return tuple(pattern for finder in self.finders for pattern in patterns_in(finder))

    def is_nowhere(self, subject: Subject) -> bool:
        """Whether none of the values is in any part of the text."""
        return all(finder.is_nowhere(subject) for finder in self.finders)

    def find(self, subject: Subject, deadline: Deadline) -> Finding:
        """Look for each value; the match kept is the leftmost."""
        matches = [finder.search(subject, deadline=deadline) for finder in self.finders]
        found = [match for match in matches if match is not None]
        if not found:
            return Finding(None, self.values)
        if not self.every or len(found) == len(matches):
            there = tuple(
                value for value, match in zip(self.values, matches, strict=True) if match is not None
            )
            return Finding(min(found, key=lambda match: match.start), there)
        return Finding(None, tuple(v for v, match in zip(self.values, matches, strict=True) if match is None))

    def sentence(self, where: Where, finding: Finding | None) -> str:
        """``'S' found in output`` and its kin, naming the found values or the missing ones."""
        values = finding.values if finding is not None else self.values
        found = finding is not None and finding.match is not None
        listed = ", ".join(f"'{value}'" for value in values)
        return f"{listed} {'found' if found else 'NOT found'} in {where}"
