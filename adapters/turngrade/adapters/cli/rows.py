"""Which verdicts the table shows: all of few, the failures of many."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct, field

from turngrade.adapters.cli.snippets import Snippet, snippet_of
from turngrade.core import Grade, Scope, Transcript, Verdict

Show: TypeAlias = Literal["auto", "all", "failed", "none"]

FEW = 200
"""With ``auto``: up to so many verdicts all are shown; of more, at most so many that did not pass."""

Line: TypeAlias = tuple[Verdict, Snippet | None]


class Row(Struct, frozen=True):
    """What the table shows of one transcript.

    Args:
        grade: Its grade.
        lines: The verdicts that are shown, each with its first hit.
    """

    grade: Grade
    lines: tuple[Line, ...] = ()

    @property
    def height(self) -> int:
        """Number of lines; what could not be read has one."""
        return max(len(self.lines), 1)


class Rows(Struct):
    """Collects the rows of a table.

    Args:
        show: Which verdicts are shown.
        scopes: The scope of each grader, by its name.
        rows: The rows so far.
        hidden: Number of verdicts that are not shown.
    """

    show: Show
    scopes: Mapping[str, Scope]
    rows: list[Row] = field(default_factory=list)
    hidden: int = 0
    _height: int = 0
    _many: bool = False

    def add(self, grade: Grade, transcript: Transcript | None) -> None:
        """Take one more grade; the transcript is None where it could not be read."""
        if grade.error is None and not grade.verdicts:
            return
        if self.show == "none":
            self.hidden += max(len(grade.verdicts), 1)
            return
        lines = tuple((v, snippet_of(v, transcript, self.scopes.get(v.name, "run"))) for v in grade.verdicts)
        self._append(Row(grade, lines))
        if self.show == "auto" and not self._many and self._height > FEW:
            self._many = True
            rows, self.rows, self._height = self.rows, [], 0
            for row in rows:
                self._append(row)

    def _append(self, row: Row) -> None:
        if self.show == "failed" or self._many:
            lines = tuple(line for line in row.lines if line[0].status != "pass")
            self.hidden += len(row.lines) - len(lines)
            if not lines and row.grade.error is None:
                return
            row = Row(row.grade, lines)
        if self._many and self._height >= FEW:
            self.hidden += row.height
            return
        self.rows.append(row)
        self._height += row.height
