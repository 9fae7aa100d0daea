"""Why a pattern did not match: what small change would make it match."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator

from turngrade.core import Grader, InvalidPattern, Pattern, compile_pattern
from turngrade.core.checks import PatternCheck, Unless, ValuesCheck
from turngrade.core.dialect import Deadline, MatchError, Subject
from turngrade.core.substring import Substring

_STRAIGHT = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-", "\u2014": "-"}
)
_SPACES = str.maketrans(dict.fromkeys("\u00a0\u2007\u2009\u202f\u200b", " "))

TEXTS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("curly quotes and dashes were written in ASCII", lambda text: text.translate(_STRAIGHT)),
    ("special spaces were plain ones", lambda text: text.translate(_SPACES)),
    ("line breaks were spaces", lambda text: " ".join(text.split("\n"))),
    ("accents were composed (NFC)", lambda text: unicodedata.normalize("NFC", text)),
    ("Markdown's * and ` were left out", lambda text: text.replace("*", "").replace("`", "")),
)
"""What can be done to a text, in words that follow "would match if"."""

FLAGS = (
    ("i", "case were ignored, as (?i) does"),
    ("s", "the dot crossed line breaks, as (?s) does"),
    ("m", "^ and $ stood at every line, as (?m) does"),
)
"""What can be done to a pattern by a flag."""

SECONDS = 1.0
"""Time for each try."""


def near_misses(grader: Grader, text: str) -> Iterator[str]:
    """What would make a text match that does not, in words that follow "would match if".

    Args:
        grader: The grader; one whose pattern does not compile has no near misses.
        text: A text that its pattern does not match.
    """
    if grader.check is None:
        return
    for finder in _finders(grader):
        if isinstance(finder, Unless):
            if _found(finder.finder, text):
                yield "the hit did not overlap a match of unless"
                continue
            finder = finder.finder
        yield from _changes(finder, text)


def _finders(grader: Grader) -> tuple[object, ...]:
    if isinstance(grader.check, PatternCheck):
        return (grader.check.finder,)
    return (
        grader.check.finders
        if isinstance(grader.check, ValuesCheck) and len(grader.check.finders) == 1
        else ()
    )


def _changes(finder: object, text: str) -> Iterator[str]:
    if isinstance(finder, Pattern):
        for flag, words in FLAGS:
            if flag not in finder.flags and _found(_with_flag(finder, flag), text):
                yield words
    elif isinstance(finder, Substring) and finder.case_sensitive and _found(Substring(finder.needle), text):
        yield "case were ignored"
    for words, change in TEXTS:
        if (changed := change(text)) != text and _found(finder, changed):
            yield words


def _with_flag(pattern: Pattern, flag: str) -> Pattern | None:
    try:
        return compile_pattern(pattern.source, pattern.flags + flag)
    except InvalidPattern:
        return None


def _found(finder: object, text: str) -> bool:
    if not isinstance(finder, Pattern | Substring | Unless):
        return False
    try:
        return finder.search(Subject(text), deadline=Deadline(SECONDS)) is not None
    except MatchError:
        return False
