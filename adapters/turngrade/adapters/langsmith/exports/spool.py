"""Rows of many traces, gathered in bounded memory until each trace is complete."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from types import TracebackType

from turngrade.adapters.langsmith.exports.rows import Row
from turngrade.core.bounds import check_size


class Spool:
    """Keeps the rows of open traces; what exceeds the limit goes to a temporary file.

    Args:
        limit: Characters of row text to keep in memory before the open traces are written out.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._size = 0
        self._rows: dict[str, list[Row]] = {}
        self._weights: Counter[str] = Counter()
        self._written: dict[str, list[int]] = {}
        self._file = tempfile.TemporaryFile("w+b", prefix="turngrade-")  # noqa: SIM115 - closed by __exit__

    def __enter__(self) -> Spool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def add(self, trace_id: str, row: Row) -> None:
        """Keep a row of a trace."""
        self._rows.setdefault(trace_id, []).append(row)
        self._weights[trace_id] += (weight := _weight(row))
        self._size += weight
        if self._size > self._limit:
            self._write()

    def pop(self, trace_id: str) -> list[Row]:
        """Take the rows of a trace, in the order in which they came.

        Raises:
            TooLarge: Together they are larger than what may be in memory at once; they are gone.
        """
        offsets = self._written.pop(trace_id, [])
        rows = self._rows.pop(trace_id, [])
        self._size -= sum(map(_weight, rows))
        check_size(self._weights.pop(trace_id, 0))
        return [self._read(offset) for offset in offsets] + rows

    def _write(self) -> None:
        self._file.seek(0, 2)
        for trace_id, rows in self._rows.items():
            for row in rows:
                self._written.setdefault(trace_id, []).append(self._file.tell())
                self._file.write(json.dumps(row, default=str).encode() + b"\n")
        self._rows.clear()
        self._size = 0

    def _read(self, offset: int) -> Row:
        self._file.seek(offset)
        row: Row = json.loads(self._file.readline())
        return row


def _weight(row: Row) -> int:
    return sum(len(value) if isinstance(value, str) else 64 for value in row.values())
