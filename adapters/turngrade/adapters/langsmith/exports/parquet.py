"""Bulk exports: Parquet files → transcripts, larger than memory, a trace in several files.

Two passes: the first reads only the ids and counts the rows of each trace, the second reads the rows and
hands a trace on as soon as its last row has come.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

from turngrade.adapters.langsmith.exports.documents import Item, read_trace
from turngrade.adapters.langsmith.exports.spool import Row, Spool
from turngrade.adapters.langsmith.trace.grouping import trace_id_of
from turngrade.adapters.langsmith.trace.runs import view_run
from turngrade.core import Unreadable

if TYPE_CHECKING:
    import pyarrow.parquet as pq

MEMORY_LIMIT = 256_000_000
"""Characters of row text that are kept in memory; more goes to a temporary file."""

_KEY_COLUMNS = ("id", "run_id", "trace_id", "parent_run_id", "parent_run_ids", "dotted_order")
_COLUMNS = (
    *_KEY_COLUMNS,
    "name",
    "run_type",
    "status",
    "error",
    "start_time",
    "inputs",
    "outputs",
    "extra",
    "metadata",
    "tags",
    "total_tokens",
    "thread_id",
    "child_run_ids",
)
_JSON_COLUMNS = frozenset(
    {"parent_run_ids", "inputs", "outputs", "extra", "metadata", "tags", "child_run_ids"}
)
_BATCH_ROWS = 128
_UUID_BYTES = 16


class MissingPyarrow(ImportError):
    """``pyarrow`` is not installed."""

    def __init__(self) -> None:
        super().__init__("reading Parquet files needs pyarrow: pip install 'turngrade[parquet]'")


class InvalidExport(ValueError):
    """A Parquet file that holds no runs.

    Args:
        file: Name of the file.
        columns: The columns that it has.
    """

    def __init__(self, file: str, columns: Sequence[str]) -> None:
        super().__init__(file, columns)
        self.file = file
        self.columns = columns

    def __str__(self) -> str:
        return f"{self.file} holds no LangSmith runs: there is no column id among {', '.join(self.columns)}."


def read_parquet(files: Sequence[Path], source: str, *, memory_limit: int = MEMORY_LIMIT) -> Iterator[Item]:
    """The transcripts in the Parquet files of one bulk export.

    Args:
        files: The files. A trace may have rows in any of them.
        source: The export as it was given, for the transcripts.
        memory_limit: Characters of row text to keep in memory.
    """
    readable: list[Path] = []
    counts: Counter[str] = Counter()
    for file in files:
        try:
            counts.update(_trace_ids(file))
            readable.append(file)
        except (MissingPyarrow, InvalidExport) as error:
            yield Unreadable(source, str(error))
        except Exception as error:  # whatever pyarrow says of a damaged file
            yield Unreadable(source, f"{file.name} cannot be read as Parquet: {_first_line(error)}")
    yield from _read_rows(readable, counts, source, memory_limit)


def _read_rows(files: Sequence[Path], counts: Counter[str], source: str, limit: int) -> Iterator[Item]:
    faults: dict[str, str] = {}
    with Spool(limit) as spool:
        for file in files:
            try:
                for trace_id, row in _rows(file, faults):
                    spool.add(trace_id, row)
                    counts[trace_id] -= 1
                    if counts[trace_id] == 0:
                        yield _trace(spool.pop(trace_id), source, trace_id, faults)
            except Exception as error:  # whatever pyarrow says of a damaged file
                yield Unreadable(source, f"{file.name} cannot be read to its end: {_first_line(error)}")
        for trace_id, missing in counts.items():
            if missing > 0:
                yield Unreadable(source, f"{missing} rows of the trace could not be read.", id=trace_id)


def _trace(rows: list[Row], source: str, trace_id: str, faults: dict[str, str]) -> Item:
    fault = faults.pop(trace_id, None)
    return read_trace(rows, source, trace_id) if fault is None else Unreadable(source, fault, id=trace_id)


def _trace_ids(file: Path) -> Iterator[str]:
    with _open(file) as parquet:
        columns = _present(parquet, _KEY_COLUMNS)
        if not {"id", "run_id"} & set(columns):
            raise InvalidExport(file.name, parquet.schema_arrow.names)
        for batch in parquet.iter_batches(columns=columns):
            for row in batch.to_pylist():
                yield _trace_id(_decoded(row, [])) or "no id"


def _rows(file: Path, faults: dict[str, str]) -> Iterator[tuple[str, Row]]:
    with _open(file) as parquet:
        columns = _present(parquet, _COLUMNS)
        number = 0
        for batch in parquet.iter_batches(batch_size=_BATCH_ROWS, columns=columns):
            for raw in batch.to_pylist():
                number += 1
                broken: list[str] = []
                row = _decoded(raw, broken)
                trace_id = _trace_id(row) or "no id"
                if broken:
                    faults.setdefault(trace_id, f"row {number} of {file.name}: {broken[0]} is no JSON.")
                yield trace_id, row


def _open(file: Path) -> pq.ParquetFile:
    try:
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingPyarrow from error
    return pq.ParquetFile(file)


def _present(parquet: pq.ParquetFile, wanted: Sequence[str]) -> list[str]:
    names = set(parquet.schema_arrow.names)
    return [name for name in wanted if name in names]


def _trace_id(row: Mapping[str, Any]) -> str | None:
    try:
        return trace_id_of(view_run(row), {})
    except ValueError:
        return None


def _decoded(row: Mapping[str, Any], broken: list[str]) -> Row:
    """A row with its JSON texts decoded, and without the nulls that a struct column fills in."""
    found: Row = {}
    for name, value in row.items():
        if name in _JSON_COLUMNS and isinstance(value, str):
            try:
                value = json.loads(value) if value.strip() else None
            except (ValueError, RecursionError):
                broken.append(name)
        else:
            value = _plain(value)
        if value is not None:
            found[name] = value
    return found


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return str(UUID(bytes=value)) if isinstance(value, bytes) and len(value) == _UUID_BYTES else value


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
