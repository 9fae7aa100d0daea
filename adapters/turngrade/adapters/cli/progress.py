"""A progress bar on stderr, for work that takes long enough to ask for one."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from turngrade.adapters.cli.extent import Extent
from turngrade.adapters.cli.sources import Source, label_of
from turngrade.adapters.cli.terminal import can_animate, make_console, visible
from turngrade.adapters.cli.wording import plural

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PAUSE = 0.1
"""Seconds between two states of the bar."""

DELAY = 0.5
"""Seconds of work before the bar appears."""


class Meter(Protocol):
    """Is told how the work goes on."""

    def source(self, source: Source) -> None:
        """The work on a source begins; that on those before it has ended."""

    def read(self, source: Source, part: float) -> None:
        """So much of a source, from 0 to 1, has been read by now."""

    def transcript(self) -> None:
        """One more transcript is graded."""

    def posted(self, rows: int) -> None:
        """So many rows of feedback are on the server by now."""


class _Silent:
    """Shows nothing: stderr is no terminal."""

    def source(self, source: Source) -> None:
        pass

    def read(self, source: Source, part: float) -> None:
        pass

    def transcript(self) -> None:
        pass

    def posted(self, rows: int) -> None:
        pass


class _Bar:
    """The part that is done, sources done of all, transcripts so far, their rate, and the time left."""

    def __init__(self, extent: Extent) -> None:
        self.extent = extent
        self.rows = 0
        self.begun = time.monotonic()
        self.drawn = 0.0
        self.name = ""
        self.progress: Progress | None = None
        self.task: TaskID | None = None

    def source(self, source: Source) -> None:
        self.extent.begin(source)
        self.name = visible(label_of(source))
        self.refresh()

    def read(self, source: Source, part: float) -> None:
        self.extent.read(source, part)
        self.refresh()

    def transcript(self) -> None:
        self.extent.transcripts += 1
        self.refresh()

    def posted(self, rows: int) -> None:
        self.rows = rows
        self.refresh()

    def refresh(self) -> None:
        now = time.monotonic()
        if now - self.begun >= DELAY and now - self.drawn >= PAUSE:
            self.drawn = now
            self.draw(self.progress or self.start())

    def draw(self, progress: Progress) -> None:
        assert self.task is not None
        part = self.extent.part
        progress.update(
            self.task,
            completed=part or 0.0,
            percent="" if part is None else f"{int(part * 100)}%",
            counts=", ".join(self.counts()),
            source=self.name,
            refresh=True,
        )

    def counts(self) -> Iterator[str]:
        graded, sources = self.extent.transcripts, self.extent.sources
        if sources > 1:
            yield f"{self.extent.ended}/{sources} sources"
        yield plural(graded, "transcript")
        yield f"{graded / (time.monotonic() - self.begun):,.0f}/s"
        if self.rows:
            yield f"{self.rows:,} rows posted"

    def start(self) -> Progress:
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
        from rich.table import Column

        known = self.extent.part is not None
        left = [TimeRemainingColumn(compact=True), TextColumn("left")] if known else []
        self.progress = Progress(
            BarColumn(bar_width=12),
            TextColumn("{task.fields[percent]}", markup=False),
            TextColumn("{task.fields[counts]}", markup=False),
            *left,
            TextColumn("{task.fields[source]}", markup=False, table_column=Column(no_wrap=True, ratio=1)),
            console=make_console(sys.stderr),
            transient=True,
            expand=True,
        )
        total = 1.0 if known else None
        self.task = self.progress.add_task("", total=total, percent="", counts="", source="")
        self.progress.start()
        return self.progress

    def finish(self) -> None:
        """Show the last state: all is done."""
        self.extent.end()
        if self.progress is not None:
            self.draw(self.progress)
            self.progress.refresh()

    def stop(self) -> None:
        if self.progress is not None:
            self.progress.stop()


@contextmanager
def progress(sources: Sequence[Source], limit: int | None = None) -> Iterator[Meter]:
    """Show how the work on sources goes on, where stderr is a terminal.

    Args:
        sources: All sources.
        limit: Number of transcripts after which the work ends.
    """
    if not can_animate():
        yield _Silent()
        return
    bar = _Bar(Extent(sources, limit))
    try:
        yield bar
        bar.finish()
    finally:
        bar.stop()
