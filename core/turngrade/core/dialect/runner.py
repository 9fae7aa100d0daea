"""A compiled pattern at work on a text, in the form that it needs; spans are offsets into that form."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, Final, TypeAlias

import regex

from turngrade.core.dialect.budget import bounded
from turngrade.core.dialect.captures import exec_groups
from turngrade.core.dialect.deadline import Deadline, MatchError
from turngrade.core.dialect.emitter import emit
from turngrade.core.dialect.linear import Linear, Scan
from turngrade.core.dialect.nfa import Unsuitable
from turngrade.core.dialect.nodes import Tree

Span: TypeAlias = tuple[int, int]

_FLAGS: Final = regex.V0 | regex.ASCII


class Runner:
    """Searches with ``regex`` and, where that is slow, in linear time."""

    def __init__(self, tree: Tree) -> None:
        """Compile the pattern.

        Raises:
            regex.error: ``regex`` refuses it.
            RecursionError: It is nested too deeply for ``regex``.
            MemoryError: It is too large for ``regex``.
        """
        self._tree: Final = tree
        program = _compile(tree, captures=False)
        self._attempt: Final[Any] = program.match if tree.sticky else program.search

    def test(self, view: str, deadline: Deadline) -> bool:
        """Whether there is a match."""
        return _Text(self, view).exists(deadline)

    def find(self, view: str, deadline: Deadline) -> Span | None:
        """The first match."""
        return _Text(self, view).find(0, deadline)

    def find_all(self, view: str, deadline: Deadline) -> Iterator[Span]:
        """All matches from the left, not overlapping; behind an empty one the search steps on."""
        text, start = _Text(self, view), 0
        while start <= len(view) and (span := text.find(start, deadline)) is not None:
            yield span
            start = span[1] + (span[0] == span[1])

    def groups(self, view: str, span: Span, deadline: Deadline) -> tuple[Span | None, ...] | None:
        """Where the groups of a match lie; None if that cannot be told within the bounds."""
        start, end = span
        try:
            match = self._capturing.match
            found = bounded(lambda limit: match(view, start, timeout=limit, concurrent=True), None, deadline)
        except (MatchError, MemoryError, RecursionError, regex.error):
            return None
        if found is None or found.end() != end:
            return None
        return exec_groups(found, self._tree.group_count)

    def attempt(self, view: str, start: int, limit: float) -> Any:
        """One search by ``regex``; ``limit`` in seconds of CPU time of the process. Releases the GIL."""
        return self._attempt(view, start, timeout=limit, concurrent=True)

    @cached_property
    def linear(self) -> Linear | None:
        """The automata of the pattern, if it can have them."""
        try:
            return Linear(self._tree)
        except Unsuitable:
            return None

    @cached_property
    def _capturing(self) -> Any:
        return _compile(self._tree, captures=True)


class _Text:
    """A text that is searched from several places; once read in linear time, it stays read."""

    def __init__(self, runner: Runner, view: str) -> None:
        self._runner = runner
        self._view = view
        self._scan: Scan | None = None

    def exists(self, deadline: Deadline) -> bool:
        """Whether there is a match."""
        runner, view = self._runner, self._view
        return bounded(
            lambda limit: runner.attempt(view, 0, limit) is not None,
            lambda part: self._read(part).exists(part),
            deadline,
        )

    def find(self, start: int, deadline: Deadline) -> Span | None:
        """The first match that begins at ``start`` or behind."""
        return bounded(
            lambda limit: _span(self._runner.attempt(self._view, start, limit)),
            lambda part: self._read(part).find(start, part),
            deadline,
            fallback_first=self._scan is not None,
        )

    def _read(self, deadline: Deadline) -> Scan:
        if self._scan is None:
            if self._runner.linear is None:
                raise Unsuitable
            self._scan = self._runner.linear.scan(self._view, deadline)
        return self._scan


def _span(found: Any) -> Span | None:
    return None if found is None else found.span()


def _compile(tree: Tree, *, captures: bool) -> Any:
    return regex.compile(emit(tree, captures=captures), _FLAGS, cache_pattern=False)
