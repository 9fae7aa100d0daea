"""Markdown: pass rates, and what did not pass. Also GitHub's step summary."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO

from turngrade.adapters.cli.rows import Line, Row
from turngrade.adapters.cli.snippets import Snippet, scopes_of, snippet_of
from turngrade.adapters.cli.tally import Tally
from turngrade.adapters.cli.terminal import visible
from turngrade.adapters.cli.wording import headline, percent, reason_of
from turngrade.core import Grade, Scope, Spec, Transcript

SIGNS = {"pass": "✅", "fail": "❌", "error": "⚠️"}


class MarkdownFile:
    """Keeps what did not pass; the counts stand at the top."""

    def __init__(self, file: IO[bytes], spec: Spec) -> None:
        self.file = file
        self.scopes = scopes_of(spec)
        self.tally = Tally()
        self.rows: list[Row] = []

    def add(self, grade: Grade, transcript: Transcript | None) -> None:
        """Count a grade, and keep what did not pass."""
        self.tally.add(grade)
        if lines := _failed(grade, transcript, self.scopes):
            self.rows.append(Row(grade, lines))
        elif grade.error is not None:
            self.rows.append(Row(grade))

    def finish(self) -> None:
        """Write the page."""
        self.file.write(page(self.tally, self.rows).encode())


def page(tally: Tally, rows: list[Row], most: int | None = None) -> str:
    """The page.

    Args:
        tally: The counts.
        rows: What did not pass.
        most: How many lines of them to print; None prints all.
    """
    parts = [f"## turngrade\n\n{headline(tally)}\n"]
    if tally.graders:
        parts.append(
            "\n".join(["| grader | passed | rate |", "| --- | ---: | ---: |", *_rates(tally)]) + "\n"
        )
    lines = [line for row in rows for line in _lines(row)]
    if lines:
        head = [
            "### What did not pass",
            "",
            "| transcript | grader | verdict | evidence |",
            "| --- | --- | --- | --- |",
        ]
        parts.append("\n".join(head + lines[:most]) + "\n")
    if most is not None and len(lines) > most:
        parts.append(f"… and {len(lines) - most:,} more.\n")
    return "\n".join(parts)


def code(text: str) -> str:
    r"""A text as a code span that fits a table: nothing in it is markup, a link or a mention.

    Source: CommonMark's code spans, and GFM's rule that a table takes ``\|`` for a bar even in them.
    """
    shown = visible(text).replace("|", "\\|")
    if not shown:
        return ""
    longest = max((len(run) for run in re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if shown[0] in "` " or shown[-1] in "` " else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def _failed(grade: Grade, transcript: Transcript | None, scopes: dict[str, Scope]) -> tuple[Line, ...]:
    return tuple(
        (verdict, snippet_of(verdict, transcript, scopes.get(verdict.name, "run")))
        for verdict in grade.verdicts
        if verdict.status != "pass"
    )


def _rates(tally: Tally) -> Iterator[str]:
    for name, count in tally.graders.items():
        yield f"| {code(name)} | {count.passed}/{count.total} | {percent(count)} |"


def _lines(row: Row) -> Iterator[str]:
    grade = row.grade
    epoch = f" epoch {grade.epoch}" if grade.epoch is not None and grade.epoch > 1 else ""
    place = " ".join(code(part) for part in (grade.id, grade.source) if part) + epoch
    if grade.error is not None:
        yield f"| {place} | | {SIGNS['error']} error | {code(grade.error)} |"
    for verdict, snippet in row.lines:
        evidence = "<br>".join(
            [code(verdict.evidence), *_more(reason_of(verdict.evidence, verdict.reason), snippet)]
        )
        yield f"| {place} | {code(verdict.name)} | {SIGNS[verdict.status]} {verdict.status} | {evidence} |"


def _more(reason: str | None, snippet: Snippet | None) -> Iterator[str]:
    if reason is not None:
        yield reason
    if snippet is not None:
        short = snippet.cropped(40)
        yield f"{code(snippet.place)} {code(short.before)}**{code(short.hit)}**{code(short.after)}"


def open_output(file: IO[bytes], spec: Spec) -> MarkdownFile:
    """The writer for an open file."""
    return MarkdownFile(file, spec)
