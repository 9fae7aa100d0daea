"""Gathers the runs of a stream into whole traces."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from msgspec import Struct

from turngrade.adapters.langsmith.trace_filter import RunDict, TraceFilter, started

SKEW = timedelta(seconds=60)
"""How much earlier than its root a run may have started, by clocks that do not agree, and still be found."""


class ServerTrace(Struct, frozen=True):
    """The runs of one trace as the server tells them.

    Args:
        id: The trace's id.
        root: The root run; None where the server has none.
        children: The other runs.
    """

    id: str
    root: RunDict | None
    children: tuple[RunDict, ...]


class OpenTraces:
    """Gathers runs, newest first, until traces are whole.

    A child starts after its root, so in this order the root comes last; clocks may disagree by `SKEW`.

    Args:
        wanted: Which traces are given out.
    """

    def __init__(self, wanted: TraceFilter) -> None:
        self.wanted = wanted
        self.runs: dict[str, list[RunDict]] = {}
        self.roots: dict[str, RunDict] = {}  # in the order in which they came
        self.settled: set[str] = set()  # given out, or not wanted
        self.begun = 0
        self.given = 0

    @property
    def is_full(self) -> bool:
        """Whether as many traces as wanted were given out."""
        return self.wanted.limit is not None and self.given >= self.wanted.limit

    def add(self, run: RunDict) -> Iterator[ServerTrace]:
        """Take a run; gives the traces that are whole by now."""
        trace_id = str(run["trace_id"])
        if trace_id in self.settled:
            return
        self.runs.setdefault(trace_id, []).append(run)
        if _is_root(run):
            self._take_root(trace_id, run)
        horizon = started(run) + SKEW
        while self.roots and started(next(iter(self.roots.values()))) > horizon:
            yield self._give(next(iter(self.roots)))

    def rest(self) -> Iterator[ServerTrace]:
        """The traces that were still open when no run was left."""
        for trace_id in [*self.roots]:
            yield self._give(trace_id)
        for trace_id, runs in self.runs.items():
            if not self.is_full:
                self.given += 1
                yield ServerTrace(trace_id, None, tuple(runs))

    def _take_root(self, trace_id: str, root: RunDict) -> None:
        full = self.wanted.limit is not None and self.begun >= self.wanted.limit
        if full or not self.wanted.accepts(root):
            self.settled.add(trace_id)
            del self.runs[trace_id]
            return
        self.begun += 1
        self.roots[trace_id] = root

    def _give(self, trace_id: str) -> ServerTrace:
        root = self.roots.pop(trace_id)
        self.given += 1
        self.settled.add(trace_id)
        return ServerTrace(trace_id, root, tuple(run for run in self.runs.pop(trace_id) if run is not root))


def _is_root(run: RunDict) -> bool:
    return not run.get("parent_run_id") and not run.get("parent_run_ids")
