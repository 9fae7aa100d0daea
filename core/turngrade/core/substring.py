"""Substring search as JavaScript's ``includes``, with the interface of a compiled pattern."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from turngrade.core.dialect import Deadline, Match, Subject
from turngrade.core.lowercase import is_lowered_alike, lowercase, original_span

_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Substring:
    """A text to look for.

    Without case it is found where ``text.toLowerCase().includes(needle.toLowerCase())`` finds it; offsets are
    those in the original text.
    """

    needle: str
    case_sensitive: bool = False
    _sought: str = field(init=False, repr=False, compare=False)
    _has_halves: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        needle = Subject(self.needle).code_points
        object.__setattr__(self, "_sought", needle if self.case_sensitive else lowercase(needle))
        object.__setattr__(self, "_has_halves", _SURROGATE.search(needle) is not None)

    def search(self, subject: Subject, *, deadline: Deadline | None = None) -> Match | None:
        """The first occurrence, or None. Linear in time, so that the deadline is not asked."""
        view = self._view(subject)
        return None if self._is_missing(view) else next(self._matches(subject, view), None)

    def is_nowhere(self, subject: Subject) -> bool:
        """Whether it is certainly not there. False says nothing."""
        return self._is_missing(self._view(subject))

    def find_all(self, subject: Subject, *, deadline: Deadline | None = None) -> Iterator[Match]:
        """All occurrences that do not overlap, from the left."""
        return self._matches(subject, self._view(subject))

    def _is_missing(self, view: str) -> bool:
        return not self._has_halves and self._sought not in view

    def _matches(self, subject: Subject, view: str) -> Iterator[Match]:
        joined = subject.code_points
        for start, end in self._spans(view):
            original = (start, end) if self.case_sensitive else original_span(joined, start, end)
            first, last = subject.span(*original, unicode=True)
            yield Match(first, last, subject.text[first:last])

    def _view(self, subject: Subject) -> str:
        """The form of a text that is searched."""
        joined = subject.code_points  # JavaScript cannot tell two halves from the character that they make
        if self.case_sensitive:
            return joined
        shared = joined is subject.units and is_lowered_alike(joined)
        return subject.folded if shared else lowercase(joined)

    def _spans(self, text: str) -> Iterator[tuple[int, int]]:
        subject = Subject(text)
        # half a character is found among halves only
        searched = subject.units if self._has_halves else text
        at = searched.find(self._sought)
        while at >= 0:
            end = at + len(self._sought)
            yield subject.span(at, end, unicode=False) if self._has_halves else (at, end)
            at = searched.find(self._sought, end)
