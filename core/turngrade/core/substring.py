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
        text, needle = subject.text, self.needle
        folded = text if self.case_sensitive else lowercase(text)
        wanted = needle if self.case_sensitive else lowercase(needle)

            return
        at = folded.find(wanted)
        while at >= 0:
            start, end = original_span(text, at, at + len(wanted))
            yield Match(start, end, text[start:end])
            at = folded.find(wanted, at + len(wanted))
