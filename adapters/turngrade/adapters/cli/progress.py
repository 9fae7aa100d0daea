"""A progress bar on stderr, for work that takes long enough to ask for one."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from turngrade.adapters.cli.terminal import can_animate, make_console, visible

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PAUSE = 0.1
"""Seconds between two states of the bar."""

DELAY = 0.5
"""Seconds of work before the bar appears."""


class Meter(Protocol):
    """Is told how the work goes on."""

    def source(self, name: str) -> None:
        """The work on a source begins."""

    def transcript(self) -> None:
        """One more transcript is graded."""

    def posted(self, rows: int) -> None:
        """So many rows of feedback are on the server by now."""


class _Silent:
    """Shows nothing: stderr is no terminal."""

    def source(self, name: str) -> None:
        pass

    def transcript(self) -> None:
        pass

    def posted(self, rows: int) -> None:
        pass


class _Bar:
    """Sources done of all, transcripts so far, their rate and the time left."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.done = -1
        self.graded = 0
        self.rows = 0
        self.begun = time.monotonic()
        self.drawn = 0.0
        self.name = ""
        self.progress: Progress | None = None
        self.task: TaskID | None = None

    def source(self, name: str) -> None:
        self.done += 1
        self.name = visible(name)
        self.refresh()

    def transcript(self) -> None:
        self.graded += 1
        self.refresh()

    def posted(self, rows: int) -> None:
        self.rows = rows
        self.refresh()

    def refresh(self) -> None:
        now = time.monotonic()
        if now - self.begun < DELAY or now - self.drawn < PAUSE:
            return
        self.drawn = now
        progress = self.progress or self.start()
        rate = f"{self.graded:,} transcripts, {self.graded / (now - self.begun):,.0f}/s"
        rate += f", {self.rows:,} rows posted" if self.rows else ""
        assert self.task is not None
        progress.update(self.task, completed=self.done, rate=rate, source=self.name)

    def start(self) -> Progress:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
        from rich.table import Column

        self.progress = Progress(
            BarColumn(bar_width=20),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}", markup=False),
            TimeRemainingColumn(compact=True),
            TextColumn("{task.fields[source]}", markup=False, table_column=Column(no_wrap=True, ratio=1)),
            console=make_console(sys.stderr),
            transient=True,
            expand=True,
        )
        self.task = self.progress.add_task("", total=self.total, rate="", source="")
        self.progress.start()
        return self.progress

    def stop(self) -> None:
        if self.progress is not None:
            self.progress.stop()


@contextmanager
def progress(sources: int) -> Iterator[Meter]:
    """Show how the work on so many sources goes on, where stderr is a terminal."""
    if not can_animate():
        yield _Silent()
        return
    bar = _Bar(sources)
    try:
        yield bar
    finally:
        bar.stop()
