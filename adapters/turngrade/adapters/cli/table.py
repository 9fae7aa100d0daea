"""The table of verdicts on a terminal, or as plain text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from turngrade.adapters.cli.rows import Row
from turngrade.adapters.cli.snippets import Snippet
from turngrade.adapters.cli.terminal import Marks, is_styled, marks_for, visible
from turngrade.adapters.cli.wording import name_of, reason_of
from turngrade.core import Grade, Verdict

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

WIDE = 120
"""From this many columns on, snippets have a column of their own."""

STYLES = {"pass": "green", "fail": "red", "error": "yellow"}
HIT_STYLE = "bold reverse"


def print_table(rows: Sequence[Row], console: Console) -> None:
    """Print a line for each verdict, with a rule between transcripts. Prints nothing without rows."""
    if rows:
        _Layout(console).print(rows)


class _Layout:
    """The columns that fit a console."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.width = console.width
        self.wide = console.width >= WIDE
        self.part = self.width // (6 if self.wide else 4)
        self.marks = marks_for(console)
        self.styled = is_styled(console)
        self.evidence_width = self.width // 3 if self.wide else self.width - self.width // 4 - 30

    def print(self, rows: Sequence[Row]) -> None:
        table = self.table()
        for row in rows:
            for cells in self.lines(row):
                table.add_row(*cells)
            table.add_section()
        self.console.print(table)

    def table(self) -> Table:
        from rich import box
        from rich.table import Table

        table = Table(
            box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False, safe_box=True
        )
        table.add_column("Transcript", overflow="fold", max_width=self.part)
        table.add_column("Grader", overflow="fold", max_width=self.part)
        table.add_column("Verdict", no_wrap=True)
        table.add_column("Evidence", overflow="fold", ratio=None if self.wide else 1)
        if self.wide:
            table.add_column("Hit", overflow="fold")
        return table

    def lines(self, row: Row) -> Iterator[list[Text]]:
        grade = row.grade
        if grade.error is not None:
            yield self.cells(self.label(grade), "", "error", [self.plain(grade.error, newline="\n")], None)
            return
        for number, (verdict, snippet) in enumerate(row.lines):
            label = self.label(grade) if number == 0 else self.plain("")
            yield self.cells(
                label, verdict.name, verdict.status, self.evidence(verdict), self.hit(verdict, snippet)
            )

    def cells(
        self, label: Text, grader: str, status: str, evidence: list[Text], hit: Text | None
    ) -> list[Text]:
        from rich.text import Text

        if hit is not None and not self.wide:
            evidence = [*evidence, hit]
        cells = [
            label,
            self.plain(grader),
            self.plain(f"{self.marks.of(status)} {status}", style=STYLES[status]),
            Text("\n").join(evidence),
        ]
        return [*cells, hit or self.plain("")] if self.wide else cells

    def label(self, grade: Grade) -> Text:
        """The transcript's id, below it where it was read from, and what several verdicts add up to."""
        from rich.text import Text

        lines = []
        if grade.id is not None:
            lines.append(self.plain(name_of(grade), style="bold"))
        if grade.source is not None:
            source = cut_start(visible(grade.source), 2 * self.part, self.marks)
            lines.append(self.plain(source, style="dim"))
        if len(grade.verdicts) > 1:
            lines.append(
                self.plain(f"{self.marks.of(grade.status)} {grade.score:.2f}", style=STYLES[grade.status])
            )
        return Text("\n").join(lines)

    def evidence(self, verdict: Verdict) -> list[Text]:
        """The sentence, why it is not the whole answer, and help with an error."""
        lines = [self.plain(_cut_middle(verdict.evidence, 3 * self.evidence_width, self.marks))]
        why = reason_of(verdict.evidence, verdict.reason)
        if why is not None:
            lines.append(self.plain(why, style="dim"))
        if verdict.message is not None and verdict.reason not in _TOLD_BEFORE:
            lines.append(self.plain(verdict.message, style="dim", newline="\n"))
        return lines

    def hit(self, verdict: Verdict, snippet: Snippet | None) -> Text | None:
        """The first hit between its neighbours, and how many more messages match."""
        from rich.text import Text

        if snippet is None:
            return None
        more = f", {verdict.matched - 1} more" if verdict.matched > 1 else ""
        label = f"{snippet.place}{more}: "
        short = snippet.cropped((2 * self.evidence_width - len(label) - len(snippet.hit)) // 2)
        text = Text(label, style="dim")
        text.append(("" if short.starts else self.marks.cut) + short.before)
        self.append_hit(text, short.hit)
        text.append(short.after + ("" if short.ends else self.marks.cut))
        return text

    def append_hit(self, text: Text, hit: str) -> None:
        if self.styled and hit:
            text.append(hit, style=f"not dim {HIT_STYLE}")
        else:
            text.append(f"{self.marks.before_hit}{hit}{self.marks.after_hit}")

    def plain(self, text: str, style: str = "", newline: str | None = None) -> Text:
        from rich.text import Text

        return Text(visible(text, self.marks.newline if newline is None else newline), style=style)


_TOLD_BEFORE = frozenset({"invalid_pattern", "pattern_too_long", "pattern_too_large"})
"""Reasons that were explained, once for all transcripts, before grading began."""


def cut_start(name: str, most: int, marks: Marks) -> str:
    """A path cut to its last parts, where possible whole ones, if it is longer than ``most`` characters."""
    if len(name) <= most:
        return name
    tail = name[-max(most - len(marks.cut) - 1, 1) :]
    parts = tail.partition("/")[2]
    return f"{marks.cut}/{parts}" if parts else f"{marks.cut}{tail}"


def _cut_middle(text: str, most: int, marks: Marks) -> str:
    if len(text) <= most:
        return text
    half = (most - len(marks.cut)) // 2
    return text[:half] + marks.cut + text[-half:]
