"""The dialect as it is tested: parsed, emitted, searched with ``regex``; places as JavaScript tells them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import regex
from tests.dialect.node_judge import GroupSpans

from turngrade.core.dialect import emit, exec_groups, parse, reference_folding
from turngrade.core.dialect.utf16 import join_pairs, split_astral

FLAGS = regex.V0 | regex.ASCII


class Engine:
    """One pattern, compiled with and without captures."""

    def __init__(self, pattern: str, flags: str) -> None:
        self.tree = parse(pattern, flags)
        self._plain = regex.compile(emit(self.tree, captures=False), FLAGS, cache_pattern=False)
        self._folding = reference_folding(self.tree)
        self._capturing = regex.compile(emit(self.tree, captures=True), FLAGS, cache_pattern=False)

    def spans(self, text: str, *, most: int = 1, timeout: float = 2.0) -> list[tuple[int, int]]:
        """The spans of the first matches in UTF-16 units, without captures."""
        view, place = self._view(text)
        return [tuple(map(place, found.span())) for found in self._search(self._plain, view, most, timeout)]  # type: ignore[misc]

    def matches(self, text: str, *, most: int = 1, timeout: float = 2.0) -> list[GroupSpans]:
        """The spans of the first matches and of their groups in UTF-16 units."""
        view, place = self._view(text)
        found = self._search(self._capturing, view, most, timeout)
        return [
            tuple(span and (place(span[0]), place(span[1])) for span in self._groups(match))
            for match in found
        ]

    @staticmethod
    def units(text: str, span: tuple[int, int]) -> tuple[int, int]:
        """A span in code points of the text, in UTF-16 units."""
        return len(split_astral(text[: span[0]])), len(split_astral(text[: span[1]]))

    def _groups(self, match: Any) -> GroupSpans:
        return (match.span(), *exec_groups(match, self.tree.group_count))

    def _view(self, text: str) -> tuple[str, Callable[[int], int]]:
        """The text that the pattern works on, and what turns its offsets into UTF-16 units."""
        if not self.tree.unicode:
            return split_astral(text), lambda at: at
        view = join_pairs(text)
        if view.isascii():
            return view, lambda at: at
        return view, lambda at: len(split_astral(view[:at]))

    def _search(self, program: Any, view: str, most: int, timeout: float) -> Iterator[Any]:
        """What matchAll finds."""
        view = view if self._folding is None else view.translate(self._folding)
        attempt = program.match if self.tree.sticky else program.search
        at = 0
        for _ in range(most):
            found = attempt(view, pos=at, timeout=timeout) if at <= len(view) else None
            if found is None:
                return
            yield found
            at = found.end() + (found.start() == found.end())


def widened(match: GroupSpans, text: str) -> GroupSpans:
    """A match of V8 with ``u`` or ``v``: in the middle of a character it becomes all of it, groupless."""
    units = split_astral(text)
    start, end = match[0] or (0, 0)
    if not _is_inside_pair(units, start):
        return match
    return ((start - 1, end + 1), *(None for _ in match[1:]))


def _is_inside_pair(units: str, at: int) -> bool:
    return 0 < at < len(units) and "\ud800" <= units[at - 1] < "\udc00" <= units[at] < "\ue000"
