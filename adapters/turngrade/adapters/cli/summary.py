"""What a call adds up to, in a few lines on stderr."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turngrade.adapters.cli.table import STYLES
from turngrade.adapters.cli.tally import Count, Tally
from turngrade.adapters.cli.terminal import marks_for, visible
from turngrade.adapters.cli.wording import headline, percent

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

BAR = 20
"""Signs in a bar."""


def print_summary(tally: Tally, seconds: float, console: Console) -> None:
    """Print the pass rate of each grader and the counts of transcripts."""
    if tally.graders:
        _print_rates(tally, console)
    console.print(_counts(tally, seconds), soft_wrap=True)


def _print_rates(tally: Tally, console: Console) -> None:
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2))
    grid.add_column(overflow="fold", max_width=max(console.width - BAR - 24, 12))
    grid.add_column(no_wrap=True)
    grid.add_column(justify="right", no_wrap=True)
    grid.add_column(justify="right", no_wrap=True)
    for name, count in tally.graders.items():
        grid.add_row(
            Text(visible(name)),
            _bar(count, console),
            Text(f"{count.passed}/{count.total}"),
            Text(percent(count)),
        )
    console.print(grid)


def _bar(count: Count, console: Console) -> Text:
    from rich.text import Text

    marks = marks_for(console)
    full = int(BAR * count.rate)
    if count.passed and not full:
        full = 1
    bar = Text(marks.full * full, style=STYLES["pass"])
    bar.append(marks.empty * (BAR - full), style=STYLES["fail"] if count.failed else STYLES["error"])
    return bar


def _counts(tally: Tally, seconds: float) -> Text:
    from rich.text import Text

    exit_status = {0: "pass", 1: "fail"}.get(tally.exit_code(), "error")
    line = Text(headline(tally), style=f"bold {STYLES[exit_status]}")
    line.append(f" ({seconds:.1f} s)", style="not bold dim")
    return line
