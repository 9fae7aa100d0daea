"""Files of plain message lists → transcripts, one at a time."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

from turngrade.adapters.plain.messages import InvalidMessages, kind_of, transcript_from_messages
from turngrade.core import OnRead, Transcript, Unreadable
from turngrade.core.bounds import TooLarge, check_parts, content_of, lines_of

Item: TypeAlias = Transcript | Unreadable

SHAPE = '{"id": …, "messages": [{"role": …, "content": …}]}'
_LINE_SUFFIXES = frozenset({".jsonl", ".ndjson"})
_BOM = b"\xef\xbb\xbf"
_PARQUET_MAGIC = b"PAR1"
_SNIFFED_BYTES = 1 << 20


def read_transcripts(path: str | os.PathLike[str], *, on_read: OnRead | None = None) -> Iterator[Item]:
    """Read the conversations of a file, in order; what cannot be read comes as `Unreadable` in its place.

    The file holds one conversation a line (JSON Lines), or one JSON document: a conversation, or a list of
    them. A conversation is ``{"id": …, "messages": […]}`` or the bare list of messages; one without an id
    gets its number in the file, from 1. An object in ``metadata`` becomes the transcript's metadata.

    A Parquet file has the same columns, or those of `turngrade.core.transcript_schema`.

    Args:
        path: The file, UTF-8 or Parquet.
        on_read: Is told how far the reading is, before each conversation is given.
    """
    source = os.fspath(path)
    try:
        if _is_parquet(Path(path)):
            from turngrade.adapters.plain.parquet import read_parquet  # costs start-up time

            yield from read_parquet(
                Path(path), source, lambda row, number: _transcript(row, number, source, ""), on_read
            )
        else:
            yield from _read(Path(path), source, on_read)
    except ImportError as error:
        yield Unreadable(source, f"cannot be read: {error}; pip install 'turngrade[parquet]'")
    except OSError as error:
        yield Unreadable(source, f"cannot be read: {error.strerror or error}")


def is_messages(path: str | os.PathLike[str]) -> bool:
    """Whether the start of a file looks like plain message lists. False for a file that cannot be read."""
    try:
        with open(path, "rb") as file:
            head = file.read(_SNIFFED_BYTES).removeprefix(_BOM).lstrip()
    except OSError:
        return False
    if head.startswith(_PARQUET_MAGIC):
        from turngrade.adapters.plain.parquet import holds_messages

        return holds_messages(Path(path))
    value = _decode_or_fault(head.split(b"\n", 1)[0])
    if isinstance(value, _NotJson):
        return head[:1] in (b"{", b"[") and (b'"messages"' in head or b'"role"' in head)
    return bool(_conversations(value))


class _NotJson(ValueError):
    """Bytes that are not one JSON value; the message says why."""


def _is_parquet(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_PARQUET_MAGIC)) == _PARQUET_MAGIC


def _read(path: Path, source: str, on_read: OnRead | None) -> Iterator[Item]:
    number = 0
    size = path.stat().st_size or 1
    for where, value, begin, end in _values(path):
        conversations = _conversations(value)
        if conversations is None:
            conversations = [value]
        for position, conversation in enumerate(conversations, start=1):
            number += 1
            if on_read is not None:
                on_read(min(1.0, (begin + (end - begin) * position / len(conversations)) / size))
            yield _transcript(conversation, number, source, where)


def _values(path: Path) -> Iterator[tuple[str, Any, int, int]]:
    """The JSON values of a file, one a line, or one that spans the whole file; each with what to call its
    place, and where its bytes begin and end.
    """
    first = True
    begin = end = 0
    with path.open("rb") as file:
        for number, line in enumerate(lines_of(file), start=1):
            begin, end = end, file.tell()
            if isinstance(line, bytes) and not line.strip(_BOM + b" \t\r\n"):
                continue
            value = _decode_or_fault(line)
            if first and isinstance(value, _NotJson):
                document = _document(path)
                if not isinstance(document, _NotJson) or path.suffix.lower() not in _LINE_SUFFIXES:
                    yield "", document, 0, path.stat().st_size
                    return
            first = False
            yield f"line {number}: ", value, begin, end


def _document(path: Path) -> Any:
    """The one value of a file, or why it is none."""
    try:
        return _decode_or_fault(content_of(path))
    except TooLarge as fault:
        return _decode_or_fault(fault)


def _decode_or_fault(line: bytes | TooLarge) -> Any:
    if isinstance(line, TooLarge):
        return _NotJson(f"not read: {line}")
    try:
        return _decode(line)
    except _NotJson as fault:
        return fault


def _decode(data: bytes) -> Any:
    try:
        check_parts(data)
        return json.loads(data.removeprefix(_BOM).rstrip().decode("utf-8"))
    except UnicodeDecodeError as error:
        raise _NotJson(f"not UTF-8 text (byte {error.start + 1}); save the file as UTF-8") from None
    except json.JSONDecodeError as error:
        place = f"column {error.colno}" if error.lineno == 1 else f"line {error.lineno} column {error.colno}"
        raise _NotJson(f"not JSON: {error.msg} at {place}{_cut_hint(error)}") from None
    except RecursionError:
        raise _NotJson("not read: its JSON is nested too deeply") from None
    except TooLarge as error:
        raise _NotJson(f"not read: {error}") from None
    except ValueError as error:
        raise _NotJson(f"not JSON: {error}") from None


def _cut_hint(error: json.JSONDecodeError) -> str:
    cut = not error.doc[error.pos :].strip() or error.msg.startswith("Unterminated string")
    return "; the file seems to be cut off" if cut else ""


def _conversations(value: Any) -> list[Any] | None:
    """The conversations in a JSON value, or None where it is nothing of the kind."""
    if isinstance(value, dict):
        return [value] if "messages" in value else None
    if not isinstance(value, list):
        return None
    if any(isinstance(item, dict) and "messages" in item for item in value):
        return value
    if any(isinstance(item, dict) and "role" in item for item in value):
        return [{"messages": value}]
    return None if value else []


def _transcript(conversation: Any, number: int, source: str, where: str) -> Item:
    if isinstance(conversation, _NotJson):
        return Unreadable(source, f"{where}{conversation}")
    id = _id_of(conversation)
    if not isinstance(conversation, dict) or "messages" not in conversation:
        return Unreadable(source, f"{where}expected {SHAPE}, not {_outline(conversation)}", id=id)
    id = id or str(number)
    messages, metadata = conversation["messages"], conversation.get("metadata")
    if not isinstance(messages, list):
        fault = f"{where}messages: expected a list of messages, not {kind_of(messages)}"
        return Unreadable(source, fault, id=id)
    try:
        return transcript_from_messages(
            messages, id=id, source=source, metadata=metadata if isinstance(metadata, dict) else None
        )
    except InvalidMessages as fault:
        return Unreadable(source, f"{where}{fault}", id=id)


def _outline(value: Any) -> str:
    if not isinstance(value, dict):
        return kind_of(value)
    keys = ", ".join(str(key)[:40] for key in list(value)[:5])
    return f"an object with the keys {keys}" if keys else "an empty object"


def _id_of(value: Any) -> str | None:
    id = value.get("id") if isinstance(value, dict) else None
    if id is None or isinstance(id, (dict, list)):
        return None
    return id if isinstance(id, str) else json.dumps(id)
