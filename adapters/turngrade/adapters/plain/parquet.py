"""Parquet files of conversations → transcripts, a few rows in memory at a time.

A row is a conversation as in JSON Lines (``messages`` with ``role`` and ``content``), or a transcript as
`turngrade.core.transcript_schema` describes it (``messages`` that are all the agent's).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from turngrade.core import OnRead, Transcript, Unreadable, transcript_schema, transcripts_of
from turngrade.core.arrow import rows_at_once

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

Item: TypeAlias = Transcript | Unreadable

BUFFER = 1 << 20
"""Bytes of a column that are read from the file at a time, instead of all that its row group holds."""

_CHAT_COLUMNS = ("id", "messages", "metadata")


def holds_messages(path: Path) -> bool:
    """Whether a Parquet file has a column of messages; False where that cannot be seen."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:  # the reader will say what to install
        return False
    try:
        return "messages" in pq.read_schema(path).names
    except (pa.ArrowException, OSError, ValueError):  # ValueError: names that are no text
        return False


def read_parquet(
    path: Path, source: str, chat: Callable[[Any, int], Item], on_read: OnRead | None = None
) -> Iterator[Item]:
    """Read the conversations of a file, in order; what cannot be read comes as `Unreadable` in its place.

    A row without an id gets its number in the file, from 1; one without a source the file's.

    Args:
        path: The file.
        source: What it is called.
        chat: Makes a transcript of a conversation with roles and of its number.
        on_read: Is told how far the reading is.

    Raises:
        OSError: The file cannot be opened.
        ImportError: ``pyarrow`` is not installed.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    number = 0
    try:
        with pq.ParquetFile(path, buffer_size=BUFFER, pre_buffer=False) as file:
            total = file.metadata.num_rows
            for batch in _batches(file):
                for item in _items(batch, number, chat):
                    number += 1
                    if on_read is not None:
                        on_read(number / total)
                    yield _placed(item, source, number)
    except (pa.ArrowException, ValueError) as error:
        fault = (str(error).splitlines() or [type(error).__name__])[0]
        yield Unreadable(source, f"cannot be read to its end, row {number + 1}: {fault}")


def _batches(file: pq.ParquetFile) -> Iterator[pa.RecordBatch]:
    groups = [file.metadata.row_group(number) for number in range(file.metadata.num_row_groups)]
    longest = max((group.total_byte_size // max(group.num_rows, 1) for group in groups), default=0)
    wanted = _CHAT_COLUMNS if _is_chat(file.schema_arrow) else transcript_schema().names
    columns = [name for name in file.schema_arrow.names if name in wanted]
    size = rows_at_once(longest)
    # not by Arrow's threads: each would keep memory of its own, and wait for the others at every few rows
    return file.iter_batches(size, columns=columns, use_threads=False)  # type: ignore[no-any-return]


def _items(batch: pa.RecordBatch, before: int, chat: Callable[[Any, int], Item]) -> Iterator[Item]:
    if _is_chat(batch.schema):
        return (chat(row, number) for number, row in enumerate(batch.to_pylist(), start=before + 1))
    return transcripts_of(batch)


def _is_chat(schema: pa.Schema) -> bool:
    """Whether the messages say who speaks."""
    import pyarrow as pa

    item = getattr(schema.field("messages").type, "value_type", None)
    return item is not None and pa.types.is_struct(item) and item.get_field_index("role") >= 0


def _placed(item: Item, source: str, number: int) -> Item:
    id = str(number) if item.id is None else item.id
    return replace(item, source=item.source or source, id=id)
