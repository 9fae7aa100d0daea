"""A compiled pattern at work on a text, in the form that it needs; spans are offsets into that form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, TypeAlias

import regex

from turngrade.core.dialect.analysis import descendants
from turngrade.core.dialect.budget import bounded
from turngrade.core.dialect.captures import exec_groups
from turngrade.core.dialect.deadline import Deadline, MatchError
from turngrade.core.dialect.emitter import emit
from turngrade.core.dialect.lazy import lazy
from turngrade.core.dialect.linear import Linear, Scan
from turngrade.core.dialect.nfa import Unsuitable
from turngrade.core.dialect.nodes import (
    Assertion,
    AssertionKind,
    Char,
    CharSet,
    Group,
    Node,
    Repeat,
    Tree,
)
from turngrade.core.dialect.stack import with_room

Span: TypeAlias = tuple[int, int]
Groups: TypeAlias = tuple[Span | None, ...] | None

_LARGE: Final = 200_000
"""Length from which the memory that ``regex`` takes for each character matters: up to half a kilobyte."""

_LAG: Final = 1.2e-6
"""Seconds for each character of the text by which ``regex`` may overrun its limit, where there are loops."""
_MAX_LAG: Final = 0.1
"""Share of the budget that may be overrun before the linear engine has tried."""

_FLAGS: Final = regex.V0 | regex.ASCII
_LINES: Final = (AssertionKind.LINE_START, AssertionKind.LINE_END)
_ODD_ENDS: Final = ("\r", "\u2028", "\u2029")
"""What ends a line in JavaScript, but not for ``regex``."""


class Runner:
    """Searches with ``regex`` and, where that is slow, in linear time.

    Attributes:
        tree: The pattern.
        has_loops: Whether anything in it is repeated.
        is_hungry: Whether ``regex`` keeps something for every iteration of a loop; for single characters it
            does not.
    """

    def __init__(self, tree: Tree) -> None:
        """Compile the pattern.

        Raises:
            regex.error: ``regex`` refuses it.
            RecursionError: It is nested too deeply for ``regex``.
            MemoryError: It is too large for ``regex``.
        """
        self.tree: Final = tree
        loops = [node.body for node in descendants(tree.root) if isinstance(node, Repeat) and node.max != 1]
        self.has_loops: Final = bool(loops)
        self.is_hungry: Final = not all(isinstance(_without_groups(body), (Char, CharSet)) for body in loops)
        self._search: Final = _searching(tree)
        self._plain_search: Final = _searching(tree, plain_lines=True) if _has_lines(tree) else self._search

    def read(self, view: str) -> Reading:
        """Prepare to search a text."""
        return Reading(self, view)

    def search_in(self, view: str) -> Any:
        """What searches a text by ``regex``."""
        return self._search if any(end in view for end in _ODD_ENDS) else self._plain_search

    def capture(self, view: str, start: int, limit: float) -> Any:
        """One match by ``regex`` that begins at ``start``, with all groups."""
        return self._capturing.match(view, start, timeout=limit, concurrent=True)

    @lazy
    def linear(self) -> Linear | None:
        """The automata of the pattern, if it can have them."""
        try:
            return Linear(self.tree)
        except Unsuitable:
            return None

    @lazy
    def _capturing(self) -> Any:
        return with_room(_compile, self.tree, captures=True)


class Reading:
    """A text that is searched, possibly from several places; once read in linear time, it stays read."""

    def __init__(self, runner: Runner, view: str) -> None:
        self._runner = runner
        self._view = view
        self._search = runner.search_in(view)
        self._scan: Scan | None = None

    def exists(self, deadline: Deadline) -> bool:
        """Whether there is a match."""
        return bounded(
            lambda limit: self._attempt(0, limit) is not None,
            lambda part: self._scanned(part).exists(part),
            deadline,
            lag=self._lag,
            fallback_first=self._is_risky(deadline),
        )

    def find(self, start: int, deadline: Deadline) -> Span | None:
        """The first match that begins at ``start`` or behind."""
        return bounded(
            lambda limit: _span(self._attempt(start, limit)),
            lambda part: self._scanned(part).find(start, part),
            deadline,
            lag=self._lag,
            fallback_first=self._scan is not None or self._is_risky(deadline),
        )

    def find_all(self, deadline: Deadline) -> Iterator[Span]:
        """All matches from the left, not overlapping; behind an empty one the search steps on."""
        start = 0
        while start <= len(self._view) and (span := self.find(start, deadline)) is not None:
            yield span
            start = span[1] + (span[0] == span[1])

    def groups(self, span: Span, deadline: Deadline) -> Groups:
        """Where the groups of a match lie; None if that cannot be told within the bounds."""
        is_large = self._runner.is_hungry and span[1] - span[0] > _LARGE
        try:
            return bounded(
                lambda limit: None if is_large else self._captured(span, limit),
                lambda part: self._walked(span, part),
                deadline,
                lag=self._lag,
                fallback_first=self._scan is not None or is_large,
            )
        except (MatchError, regex.error):
            return None

    def _attempt(self, start: int, limit: float) -> Any:
        """One search by ``regex``; ``limit`` in seconds of CPU time of the process. Releases the GIL."""
        return self._search(self._view, start, timeout=limit, concurrent=True)

    @property
    def _lag(self) -> float:
        """How late ``regex`` may notice that its time is over."""
        return len(self._view) * _LAG if self._runner.has_loops else 0.0

    def _is_risky(self, deadline: Deadline) -> bool:
        """Whether ``regex`` may take too much memory, or more time than it is given."""
        if self._lag > _MAX_LAG * deadline.seconds:
            return True
        return self._runner.is_hungry and len(self._view) > _LARGE

    def _scanned(self, deadline: Deadline) -> Scan:
        if self._scan is None:
            if self._runner.linear is None:
                raise Unsuitable
            self._scan = Scan(self._runner.linear, self._view, deadline)
        return self._scan

    def _captured(self, span: Span, limit: float) -> Groups:
        found = self._runner.capture(self._view, span[0], limit)
        if found is None or found.end() != span[1]:
            return None
        return exec_groups(found, self._runner.tree.group_count)

    def _walked(self, span: Span, deadline: Deadline) -> Groups:
        if self._runner.linear is None or not self._runner.linear.tells_groups:
            raise Unsuitable
        walked = self._scanned(deadline).walk(span[0], deadline)
        return tuple(map(walked.groups.get, range(1, self._runner.tree.group_count + 1)))


def _span(found: Any) -> Span | None:
    return None if found is None else found.span()


def _has_lines(tree: Tree) -> bool:
    return any(isinstance(node, Assertion) and node.kind in _LINES for node in descendants(tree.root))


def _searching(tree: Tree, *, plain_lines: bool = False) -> Any:
    program = _compile(tree, plain_lines=plain_lines)
    return program.match if tree.sticky else program.search


def _compile(tree: Tree, *, captures: bool = False, plain_lines: bool = False) -> Any:
    text = emit(tree, captures=captures, plain_lines=plain_lines)
    return regex.compile(text, _FLAGS, cache_pattern=False)


def _without_groups(node: Node) -> Node:
    while isinstance(node, Group):
        node = node.body
    return node
