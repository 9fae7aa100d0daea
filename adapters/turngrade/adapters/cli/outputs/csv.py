"""CSV for spreadsheets: one row a verdict, with its first hit."""

from __future__ import annotations

import csv
import io
from itertools import zip_longest
from typing import IO, Any

from turngrade.adapters.cli.outputs.flat import COLUMNS, rows
from turngrade.adapters.cli.terminal import visible
from turngrade.core import Grade, Hit, Spec, Transcript

HIT_COLUMNS = ("hit_message", "hit_agent", "hit_start", "hit_end", "hit")

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What makes a spreadsheet take a text for a formula, directly or behind white space that it strips."""


class CsvFile:
    """Writes each grade at once."""

    def __init__(self, file: IO[bytes]) -> None:
        self.text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
        self.writer = csv.DictWriter(self.text, [*COLUMNS, *HIT_COLUMNS])
        self.writer.writeheader()

    def add(self, grade: Grade, transcript: Transcript | None) -> None:
        """Write the rows of a grade."""
        hits = [verdict.hits[0] if verdict.hits else None for verdict in grade.verdicts]
        for row, hit in zip_longest(rows(grade), hits):
            self.writer.writerow({key: cell(value) for key, value in (row | _hit_cells(hit)).items()})

    def finish(self) -> None:
        """Hand the file back to its owner."""
        self.text.detach()


def cell(value: Any) -> Any:
    """A value as a cell: text that no spreadsheet runs, with control characters made visible."""
    if not isinstance(value, str):
        return value
    text = visible(value, newline="\n")
    return f"'{text}" if value.lstrip(" ").startswith(_FORMULA) else text


def _hit_cells(hit: Hit | None) -> dict[str, Any]:
    if hit is None:
        return {}
    return dict(zip(HIT_COLUMNS, (hit.message_index, hit.agent, hit.start, hit.end, hit.match), strict=True))


def open_output(file: IO[bytes], spec: Spec) -> CsvFile:
    """The writer for an open file."""
    return CsvFile(file)
