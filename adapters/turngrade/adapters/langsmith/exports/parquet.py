"""Bulk exports: Parquet files → transcripts, larger than memory, a trace in several files.

Two passes: the first reads only the ids and counts the rows of each trace, the second reads the rows and
hands a trace on as soon as its last row has come.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from turngrade.adapters.langsmith.exports.documents import Item, read_trace, without_some
from turngrade.adapters.langsmith.exports.rows import (
    COLUMNS,
    ID_COLUMNS,
    KEY_COLUMNS,
    InvalidRow,
    Row,
    kept_row,
    runs_of,
    trace_of,
)
from turngrade.adapters.langsmith.exports.spool import Spool
from turngrade.core import OnRead, Unreadable
from turngrade.core.bounds import TooLarge

if TYPE_CHECKING:
    import pyarrow.parquet as pq

MEMORY_LIMIT = 256_000_000
"""Characters of row text that are kept in memory; more goes to a temporary file."""

_BATCH_ROWS = 128
_LOST = "a file of the export cannot be read, and may hold rows of this trace"


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


def read_parquet(
    files: Sequence[Path],
    source: str,
    *,
    memory_limit: int = MEMORY_LIMIT,
    on_read: OnRead | None = None,
) -> Iterator[Item]:
    """The transcripts in the Parquet files of one bulk export.

    Args:
        files: The files. A trace may have rows in any of them.
        source: The export as it was given, for the transcripts.
        memory_limit: Characters of row text to keep in memory.
        on_read: Is told how far the second pass is, of which the first is a small part.
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
    lost = len(readable) < len(files)
    for item in _read_rows(readable, counts, source, memory_limit, on_read):
        yield without_some(item, _LOST) if lost else item


def _read_rows(
    files: Sequence[Path], counts: Counter[str], source: str, limit: int, on_read: OnRead | None
) -> Iterator[Item]:
    total = left = counts.total()
    with Spool(limit) as spool:
        for file in files:
            try:
                for trace_id, row in _rows(file):
                    spool.add(trace_id, row)
                    counts[trace_id] -= 1
                    left -= 1
                    if on_read is not None:
                        on_read(1 - max(0, left) / total)
                    if counts[trace_id] == 0:
                        yield _trace(spool, source, trace_id)
            except Exception as error:  # whatever pyarrow says of a damaged file
                yield Unreadable(source, f"{file.name} cannot be read to its end: {_first_line(error)}")
        for trace_id, missing in counts.items():
            if missing > 0:
                yield Unreadable(source, f"{missing} rows of the trace could not be read.", id=trace_id)


def _trace(spool: Spool, source: str, trace_id: str) -> Item:
    try:
        runs = runs_of(spool.pop(trace_id))
    except TooLarge as error:
        return Unreadable(source, f"the trace is not read: its runs are {error}", id=trace_id)
    except InvalidRow as error:
        return Unreadable(source, str(error), id=trace_id)
    return read_trace(runs, source, trace_id)


def _trace_ids(file: Path) -> Iterator[str]:
    with _open(file) as parquet:
        columns = _present(parquet, KEY_COLUMNS)
        if not any(name in columns for name in ID_COLUMNS):
            raise InvalidExport(file.name, parquet.schema_arrow.names)
        for batch in parquet.iter_batches(columns=columns):
            yield from map(trace_of, batch.to_pylist())


def _rows(file: Path) -> Iterator[tuple[str, Row]]:
    number = 0
    with _open(file) as parquet:
        for batch in parquet.iter_batches(batch_size=_BATCH_ROWS, columns=_present(parquet, COLUMNS)):
            for row in batch.to_pylist():
                number += 1
                yield trace_of(row), kept_row(row, f"row {number} of {file.name}")


def _open(file: Path) -> pq.ParquetFile:
    try:
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingPyarrow from error
    return pq.ParquetFile(file)


def _present(parquet: pq.ParquetFile, wanted: Sequence[str]) -> list[str]:
    names = set(parquet.schema_arrow.names)
    return [name for name in wanted if name in names]


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
