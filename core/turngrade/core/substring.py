"""Substring search as JavaScript's ``includes``, with the interface of a compiled pattern."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from turngrade.core.dialect import Deadline, Match, Subject
from turngrade.core.lowercase import lowercase, original_span

_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Substring:
    """A text to look for.

    Without case it is found where ``text.toLowerCase().includes(needle.toLowerCase())`` finds it; offsets are
    those in the original text.
    """

    needle: str
    case_sensitive: bool = False

    def search(self, subject: Subject, *, deadline: Deadline | None = None) -> Match | None:
        """The first occurrence, or None. Linear in time, so that the deadline is not asked."""
        return next(self.find_all(subject), None)

    def find_all(self, subject: Subject, *, deadline: Deadline | None = None) -> Iterator[Match]:
        """All occurrences that do not overlap, from the left."""
        joined = subject.code_points  # JavaScript cannot tell two halves from the character that they make
        for start, end in self._spans(joined if self.case_sensitive else lowercase(joined)):
            original = (start, end) if self.case_sensitive else original_span(joined, start, end)
            first, last = subject.span(*original, unicode=True)
            yield Match(first, last, subject.text[first:last])

    def _spans(self, text: str) -> Iterator[tuple[int, int]]:
        needle = Subject(self.needle).code_points
        needle = needle if self.case_sensitive else lowercase(needle)
        halves = _SURROGATE.search(needle)  # half a character is found among halves only
        subject = Subject(text)
        searched = subject.units if halves else text
        at = searched.find(needle)
        while at >= 0:
            end = at + len(needle)
            yield subject.span(at, end, unicode=False) if halves else (at, end)
            at = searched.find(needle, end)
