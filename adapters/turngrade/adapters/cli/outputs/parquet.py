"""Parquet: one row a verdict, with all its hits. Needs ``pyarrow``."""

from __future__ import annotations

import re
from typing import IO, Any

import pyarrow as pa
import pyarrow.parquet as pq

from turngrade.adapters.cli.outputs.flat import COLUMNS, rows
from turngrade.core import Grade, Spec, Transcript

GROUP = 10_000
"""Verdicts that are written at a time."""

HIT = pa.struct(
    {
        "message_index": pa.int64(),
        "message_id": pa.string(),
        "agent": pa.string(),
        "field": pa.string(),
        "start": pa.int64(),
        "end": pa.int64(),
        "match": pa.string(),
        "groups": pa.list_(pa.string()),
    }
)

_TYPES = {
    "epoch": pa.int64(),
    "transcript_passed": pa.bool_(),
    "transcript_score": pa.float64(),
    "score": pa.float64(),
    "matched": pa.int64(),
}

SCHEMA = pa.schema([(name, _TYPES.get(name, pa.string())) for name in COLUMNS] + [("hits", pa.list_(HIT))])

_SURROGATE = re.compile("[\ud800-\udfff]")


class ParquetFile:
    """Writes a row group whenever enough rows are there."""

    def __init__(self, file: IO[bytes]) -> None:
        self.writer = pq.ParquetWriter(file, SCHEMA, compression="zstd")
        self.rows: list[dict[str, Any]] = []

    def add(self, grade: Grade, transcript: Transcript | None) -> None:
        """Take the rows of a grade."""
        for row, verdict in zip(rows(grade), grade.verdicts or (None,), strict=True):
            hits = [] if verdict is None else [hit.to_dict() for hit in verdict.hits]
            self.rows.append(_encodable(row | {"hits": hits}))
        if len(self.rows) >= GROUP:
            self.flush()

    def flush(self) -> None:
        """Write the rows that are there."""
        if self.rows:
            self.writer.write_table(pa.Table.from_pylist(self.rows, SCHEMA))
            self.rows = []

    def finish(self) -> None:
        """Write the last rows and the footer."""
        self.flush()
        self.writer.close()


def _encodable(value: Any) -> Any:
    """The value with lone surrogates, which Parquet's UTF-8 has not, as escapes."""
    if isinstance(value, str):
        return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", value)
    if isinstance(value, dict):
        return {key: _encodable(item) for key, item in value.items()}
    return [_encodable(item) for item in value] if isinstance(value, list) else value


def open_output(file: IO[bytes], spec: Spec) -> ParquetFile:
    """The writer for an open file."""
    return ParquetFile(file)
