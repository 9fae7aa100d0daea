"""The figures of all benchmarks in one table: each is measured beside its peer, in the same run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

PAGE = Path(__file__).parents[2] / "docs" / "cost.md"

Standing = Literal["goal", "ok", "short", ""]


@dataclass(frozen=True, slots=True)
class Row:
    """One figure.

    Args:
        what: What was measured, and against what.
        figure: A ratio, or a quantity that has a bound of its own.
        unit: Behind the figure: ``x`` for a ratio, or ``MB`` and the like.
        required: The bound that must be kept; None where the figure is told for comparison.
        goal: The bound that is aimed at.
        at_least: Whether more is better.
        counted: What was counted on both sides, which must be equal.
    """

    what: str
    figure: float
    unit: str = "x"
    required: float | None = None
    goal: float | None = None
    at_least: bool = False
    counted: str = ""

    @property
    def standing(self) -> Standing:
        """How the figure stands to its bounds."""
        if self.required is None:
            return ""
        if self.goal is not None and self._keeps(self.goal):
            return "goal"
        return "ok" if self._keeps(self.required) else "short"

    def _keeps(self, bound: float) -> bool:
        return self.figure >= bound if self.at_least else self.figure <= bound


def markdown(rows: Iterable[Row]) -> str:
    """The table in Markdown, aligned for reading as it is."""
    head = ("what", "figure", "required", "goal", "", "counted")
    body = [
        (
            row.what,
            _quantity(row.figure, row),
            _bound(row.required, row),
            _bound(row.goal, row),
            row.standing,
            row.counted,
        )
        for row in rows
    ]
    widths = [max(map(len, column)) for column in zip(head, *body, strict=True)]
    lines = [head, tuple("-" * max(width, 3) for width in widths), *body]
    return "\n".join(
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |"
        for line in lines
    )


def _quantity(figure: float, row: Row) -> str:
    digits = 0 if abs(figure) >= 100 else 1 if abs(figure) >= 10 else 2
    return f"{figure:.{digits}f} {row.unit}"


def _bound(bound: float | None, row: Row) -> str:
    return "" if bound is None else f"{'≥' if row.at_least else '≤'} {bound:g} {row.unit}"


def write_into(page: Path, part: str, text: str) -> None:
    """Replace what stands between the marks of a part of a page."""
    begin, end = f"<!-- {part}: begin -->\n", f"<!-- {part}: end -->\n"
    head, found, rest = page.read_text("utf-8").partition(begin)
    _, closed, tail = rest.partition(end)
    if not (found and closed):
        raise ValueError(f"{page} has no part {part!r}")
    page.write_text(f"{head}{begin}{text}\n{end}{tail}", "utf-8")
