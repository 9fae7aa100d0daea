"""Stands in for ``turngrade.core.dialect`` in a hosted evaluator: patterns as ``re_pattern`` writes them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from turngrade.core.dialect.deadline import Deadline, MatchError, MatchTimeout
from turngrade.core.dialect.errors import InvalidPattern, PatternTooLarge
from turngrade.core.dialect.subject import Subject, utf16_length

__all__ = [
    "Deadline",
    "InvalidPattern",
    "Match",
    "MatchError",
    "MatchTimeout",
    "Pattern",
    "PatternTooLarge",
    "Subject",
    "screen_of",
    "utf16_length",
]


@dataclass(frozen=True)
class Match:
    """Where something was found, in code points of the text.

    Args:
        start: First code point.
        end: Code point behind the match.
        text: What lies between.
        groups: Always empty here.
    """

    start: int
    end: int
    text: str
    groups: tuple[str | None, ...] = ()


class Pattern:
    """A pattern for ``re`` that means what the JavaScript pattern means.

    Args:
        source: What ``re_pattern`` made of it.
        unicode: Whether it works on code points and not on UTF-16 units.
        sticky: Whether it matches only where the search begins.
    """

    def __init__(self, source: str, *, unicode: bool, sticky: bool) -> None:
        self.unicode = unicode
        compiled = re.compile(source)
        self._find = compiled.match if sticky else compiled.search

    def is_nowhere(self, subject: Subject) -> bool:
        """Never known without a search."""
        return False

    def search(self, subject: Subject, *, deadline: Deadline | None = None) -> Match | None:
        """The first match, or None."""
        return next(self.find_all(subject), None)

    def find_all(self, subject: Subject, *, deadline: Deadline | None = None) -> Iterator[Match]:
        """All matches, as JavaScript's ``matchAll`` finds them: behind an empty one it skips a character."""
        view = subject.view(unicode=self.unicode)
        at = 0
        while at <= len(view) and (found := self._find(view, at)) is not None:
            start, end = subject.span(*found.span(), unicode=self.unicode)
            yield Match(start, end, subject.text[start:end])
            at = found.end() + (found.start() == found.end())


def screen_of(patterns: tuple[object, ...]) -> None:
    """No screen for patterns: RE2 is not in the standard library."""
