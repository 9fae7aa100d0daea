"""Transcripts as Arrow rows, and back: the form in which engines, and Parquet files, hold many of them.

It needs ``pyarrow`` (extra ``parquet``), which is imported when it is used.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from turngrade.core.transcript import AssistantMessage, Transcript, Unreadable, last_text

if TYPE_CHECKING:
    import pyarrow as pa

    Rows: TypeAlias = pa.Table | pa.RecordBatch

CHUNK = 256
"""Rows that are Python objects at one time, if they are short."""

CHUNK_BYTES = 16_000_000
"""Bytes of rows that are Python objects at one time, if they are of a length."""

_MESSAGE_FIELDS = ("text", "id", "agent", "raw_text")
_SCOPES = ("messages", "conversation", "model_calls")
_SURROGATE = re.compile("[\ud800-\udfff]")


def transcript_schema() -> pa.Schema:
    """The Arrow schema of transcripts.

    Only ``messages`` is required; it may also be a list of plain strings. Without a column ``output`` the
    final output is the last message that has text. ``output_fields`` is JSON, for the spec's ``output_key``.
    A row with an ``error`` is graded to an error row.
    """
    import pyarrow as pa

    message = pa.struct([(name, pa.string()) for name in _MESSAGE_FIELDS])
    columns = [("source", pa.string()), ("id", pa.string()), ("epoch", pa.int64())]
    columns += [(scope, pa.list_(message)) for scope in _SCOPES]
    columns += [("output", pa.string()), ("output_without_text", pa.bool_())]
    columns += [(name, pa.string()) for name in ("output_fields", "incomplete", "stimulus", "error")]
    return pa.schema(columns)


def transcript_table(transcripts: Iterable[Transcript | Unreadable]) -> pa.Table:
    """Transcripts as an Arrow table of `transcript_schema`, for engines and for Parquet.

    Half of a surrogate pair, which Arrow's UTF-8 has not, becomes U+FFFD, as every encoder of UTF-8 does it.
    """
    import pyarrow as pa

    return pa.Table.from_pylist([_to_row(transcript) for transcript in transcripts], transcript_schema())


def transcripts_of(rows: Rows) -> Iterator[Transcript | Unreadable]:
    """The transcripts of a table or a record batch, in order; a row that holds none comes as `Unreadable`.

    Args:
        rows: Of `transcript_schema`, in any of Arrow's encodings; further columns are ignored.

    Raises:
        TypeError: It is neither a table nor a record batch.
        ValueError: There is no column ``messages``, or no list of texts in it.
    """
    schema = getattr(rows, "schema", None)
    if not hasattr(rows, "to_pylist") or schema is None:
        given = type(rows).__name__
        raise TypeError(f"a pyarrow Table or RecordBatch of transcripts is graded, not {given}")
    _check_columns(schema)
    return (_from_row(row) for row in _python_rows(rows))


def rows_at_once(size: int) -> int:
    """How many rows may be Python objects at one time.

    Args:
        size: Bytes of one row.
    """
    return min(max(CHUNK_BYTES // max(size, 1), 1), CHUNK)


def _check_columns(schema: pa.Schema) -> None:
    if "messages" not in schema.names:
        found = ", ".join(schema.names) or "none"
        raise ValueError(f"a table of transcripts needs a column 'messages'; found: {found}")
    for name in transcript_schema().names:
        if schema.names.count(name) > 1:
            raise ValueError(f"there are {schema.names.count(name)} columns {name!r}")
    for scope in _SCOPES:
        if scope in schema.names and not _holds_texts(schema.field(scope).type):
            given = schema.field(scope).type
            wanted = "a list of strings, or of structs with a field 'text'"
            raise ValueError(f"the column {scope!r} must be {wanted}, not {given}")


def _holds_texts(type: pa.DataType) -> bool:
    import pyarrow as pa

    if pa.types.is_null(type):
        return True
    item = _plain(getattr(_plain(type), "value_type", None))
    if item is None:
        return False
    if pa.types.is_struct(item):
        return bool(item.get_field_index("text") >= 0)
    kinds = (pa.types.is_null, pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    return any(is_kind(item) for is_kind in kinds)


def _plain(type: Any) -> Any:
    """The type of the values behind a dictionary's."""
    import pyarrow as pa

    return type.value_type if type is not None and pa.types.is_dictionary(type) else type


def _python_rows(rows: Rows) -> Iterator[dict[str, Any]]:
    chosen = rows.select([name for name in transcript_schema().names if name in rows.schema.names])
    step = rows_at_once(_size(chosen) // max(chosen.num_rows, 1))
    for start in range(0, chosen.num_rows, step):
        yield from _decoded(chosen.slice(start, step))


def _size(rows: Rows) -> int:
    """The bytes that rows take."""
    import pyarrow as pa

    try:
        return int(rows.nbytes)
    except pa.ArrowException:  # older releases cannot tell how much of a view is used
        return int(rows.get_total_buffer_size())


def _decoded(rows: Rows) -> list[dict[str, Any]]:
    """Rows as Python objects; one whose bytes are not UTF-8, which Arrow does not look at, as an error."""
    try:
        return rows.to_pylist()  # type: ignore[no-any-return]
    except UnicodeDecodeError as error:
        if rows.num_rows > 1:
            return [row for at in range(rows.num_rows) for row in _decoded(rows.slice(at, 1))]
        return [{**_place_of(rows), "error": f"not a transcript: {error}"}]


def _place_of(row: Rows) -> dict[str, Any]:
    place = {}
    for name in ("source", "id", "epoch"):
        if name in row.schema.names:
            try:
                place[name] = row.column(name)[0].as_py()
            except UnicodeDecodeError:
                place[name] = None
    return place


def _from_row(row: Mapping[str, Any]) -> Transcript | Unreadable:
    try:
        return _transcript(row)
    except Exception as error:  # whatever is in a row, the others are graded
        said = str(error) if isinstance(error, _NotATranscript) else f"{type(error).__name__}: {error}"
        id = row.get("id")
        label = str(id) if isinstance(id, str | int) else None
        source = row.get("source")
        return Unreadable(source if isinstance(source, str) else "", f"not a transcript: {said}", label)


class _NotATranscript(ValueError):
    """A value in a row is of the wrong kind."""


def _transcript(row: Mapping[str, Any]) -> Transcript | Unreadable:
    source, id, epoch = _label(row, "source"), _label(row, "id"), _whole_number(row, "epoch")
    if row.get("error") is not None:
        return Unreadable(source or "", str(row["error"]), id, epoch)
    messages = _messages(row["messages"] or (), "messages")
    conversation, model_calls = (
        None if row.get(scope) is None else _messages(row[scope], scope) for scope in _SCOPES[1:]
    )
    stimulus = _label(row, "stimulus")
    return Transcript(
        messages,
        _text(row["output"], "output") if "output" in row else last_text(messages),
        id=id,
        source=source,
        epoch=epoch,
        conversation=conversation,
        model_calls=model_calls,
        output_fields=_fields(row.get("output_fields")),
        output_without_text=bool(row.get("output_without_text")),
        incomplete=_text(row.get("incomplete"), "incomplete"),
        metadata={} if stimulus is None else {"stimulus": stimulus},
    )


def _messages(values: Sequence[Any], where: str) -> tuple[AssistantMessage, ...]:
    return tuple(_message(value, index, f"{where}[{index}]") for index, value in enumerate(values))


def _message(value: Any, index: int, where: str) -> AssistantMessage:
    """A message; null, or a null text, is one that says nothing."""
    if not isinstance(value, Mapping):
        return AssistantMessage(_text(value, where) or "", index)
    text, id, agent, raw_text = (_text(value.get(name), f"{where}.{name}") for name in _MESSAGE_FIELDS)
    return AssistantMessage(text or "", index, id, agent, raw_text)


def _fields(value: Any) -> Mapping[str, Any] | None:
    if isinstance(value, str):
        value = json.loads(value)
    if value is None or isinstance(value, Mapping):
        return value
    raise _NotATranscript("output_fields: expected an object, as JSON or as a struct")


def _text(value: Any, where: str) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise _NotATranscript(f"{where}: expected text, not {type(value).__name__}")


def _label(row: Mapping[str, Any], name: str) -> str | None:
    """An id or a name, which may be a number, a UUID or a time."""
    value = row.get(name)
    if isinstance(value, bytes | list | dict):
        raise _NotATranscript(f"{name}: expected text, not {type(value).__name__}")
    return None if value is None else str(value)


def _whole_number(row: Mapping[str, Any], name: str) -> int | None:
    """An integer; a column that once had gaps in pandas has floats, and NaN for a gap."""
    value = row.get(name)
    if value is None or value != value:
        return None
    if not isinstance(value, int | float) or value != int(value) or not -(2**63) <= value < 2**63:
        raise _NotATranscript(f"{name}: expected a whole number, not {value!r}")
    return int(value)


def _to_row(transcript: Transcript | Unreadable) -> dict[str, Any]:
    row: dict[str, Any] = {
        "source": _encodable(transcript.source),
        "id": _encodable(transcript.id),
        "epoch": transcript.epoch,
    }
    if isinstance(transcript, Unreadable):
        return {**row, "error": _encodable(transcript.message)}
    for scope in _SCOPES:
        messages = getattr(transcript, scope)
        row[scope] = None if messages is None else [_message_row(message) for message in messages]
    if transcript.output_fields is not None:
        row["output_fields"] = json.dumps(transcript.output_fields, default=str)
    stimulus = transcript.metadata.get("stimulus")
    return {
        **row,
        "output": _encodable(transcript.output),
        "output_without_text": transcript.output_without_text,
        "incomplete": _encodable(transcript.incomplete),
        "stimulus": None if stimulus is None else _encodable(str(stimulus)),
    }


def _message_row(message: AssistantMessage) -> dict[str, Any]:
    return {name: _encodable(getattr(message, name)) for name in _MESSAGE_FIELDS}


def _encodable(text: str | None) -> str | None:
    return text if text is None or text.isascii() else _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)
