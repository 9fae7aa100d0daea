"""JSON Lines of runs → transcripts, with one trace in memory at a time.

The file is gone through twice: once to note where the runs of each trace stand, once to read trace by trace.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from turngrade.adapters.langsmith.exports.decoding import load_json
from turngrade.adapters.langsmith.exports.documents import (
    Item,
    is_run,
    read_document,
    read_trace,
    without_some,
)
from turngrade.adapters.langsmith.trace.grouping import trace_id_of
from turngrade.adapters.langsmith.trace.runs import RunView, view_run
from turngrade.core import OnRead, Unreadable
from turngrade.core.bounds import TooLarge, check_parts, check_size, lines_of

INDEXING = 0.2
"""The part of the work that the first pass is, about."""

_BOM = b"\xef\xbb\xbf"
_CUT = "; the file seems to be cut off here"
_LOST = "a line of the file is broken, and may have held a run of this trace"
_TRACE_ID = re.compile(rb'"trace_id"\s*:\s*"([^"\\]+)"')


def read_lines(path: Path, source: str, on_read: OnRead | None = None) -> Iterator[Item]:
    """The transcripts in a JSON Lines file, in the order in which their traces first appear.

    Args:
        path: The file.
        source: The file as it was given, for the transcripts.
        on_read: Is told how far the reading is, in the first pass too.
    """
    with path.open("rb") as file:
        places = _index(file, path.stat().st_size, on_read)
        lines = sum(len(place.offsets) for place in places.values())
        lost = any(place.lost for place in places.values())
        done = 0
        for trace_id, place in places.items():
            done += len(place.offsets)
            if on_read is not None:
                on_read(INDEXING + (1 - INDEXING) * done / lines)
            for item in _read_place(file, trace_id, place, source):
                yield without_some(item, _LOST) if lost else item


class _Key(msgspec.Struct):
    """What has to be known of a run to find its trace."""

    id: str | None = None
    run_id: str | None = None
    trace_id: str | None = None
    parent_run_id: str | None = None
    parent_run_ids: list[str] | None = None
    dotted_order: str | None = None
    run_type: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """The fields that are set."""
        return {name: value for name in self.__struct_fields__ if (value := getattr(self, name)) is not None}


class _Place(msgspec.Struct):
    """Where the runs of a trace stand; ``fault`` says why the trace cannot be read, and ``lost`` that runs of
    other traces may be missing too.
    """

    offsets: list[int] = msgspec.field(default_factory=list)
    fault: str | None = None
    nameless: bool = False
    lost: bool = False


def _index(file: BinaryIO, size: int, on_read: OnRead | None) -> dict[str, _Place]:
    decoder = msgspec.json.Decoder(_Key)
    keys: list[tuple[int, RunView | str, str | None]] = []
    offset = 0
    for number, line in enumerate(lines_of(file), start=1):
        if isinstance(line, TooLarge):
            keys.append((offset, f"line {number}", f"line {number} is {line}"))
        elif content := line.removeprefix(_BOM).strip():
            name, fault = _key(decoder, content, number)
            if fault is not None and not line.endswith(b"\n"):
                fault += _CUT
            keys.append((offset, name, fault))
        offset = file.tell()
        if on_read is not None:
            on_read(INDEXING * min(1.0, offset / size))
    return _places(keys)


def _key(decoder: msgspec.json.Decoder[_Key], line: bytes, number: int) -> tuple[RunView | str, str | None]:
    """The id of a line's trace, its run where that id is not in it, or a name for the line where it holds no
    run; and what is wrong with the line.
    """
    try:
        fields = _fields(decoder, line)
    except (ValueError, RecursionError) as error:
        found = set(_TRACE_ID.findall(line))  # of two lines that ran together, no trace is the line's
        name = found.pop().decode("utf-8", "replace") if len(found) == 1 else f"line {number}"
        return name, f"line {number} is not JSON: {error}"
    if not is_run(fields):
        return f"line {number}", None
    return fields.get("trace_id") or view_run(fields), None


def _fields(decoder: msgspec.json.Decoder[_Key], line: bytes) -> Mapping[str, Any]:
    try:
        return decoder.decode(line).as_dict()
    except (msgspec.DecodeError, UnicodeDecodeError):  # no object, ids that are no strings, or NaN in it
        value = load_json(line)
        return value if isinstance(value, dict) else {}


def _places(keys: list[tuple[int, RunView | str, str | None]]) -> dict[str, _Place]:
    views = {key.id: key for _, key, _ in keys if isinstance(key, RunView)}
    places: dict[str, _Place] = {}
    for offset, key, fault in keys:
        name = key if isinstance(key, str) else trace_id_of(key, views)
        place = places.setdefault(name, _Place(nameless=name.startswith("line ")))
        place.offsets.append(offset)
        place.fault = place.fault or fault
        place.lost |= fault is not None and (place.nameless or fault.endswith(_CUT))
    return places


def _read_place(file: BinaryIO, trace_id: str, place: _Place, source: str) -> Iterator[Item]:
    if place.fault is not None:
        yield Unreadable(source, place.fault, id=None if place.nameless else trace_id)
        return
    try:
        lines = _lines_at(file, place.offsets)
        values = [load_json(line) for line in lines]
    except TooLarge as error:
        yield Unreadable(source, f"the trace is not read: its runs are {error}", id=trace_id)
        return
    except (ValueError, RecursionError) as error:
        yield Unreadable(source, f"a run of the trace is not JSON: {error}", id=trace_id)
        return
    if place.nameless:
        for value in values:
            for item in read_document(value, source, trace_id):
                yield _placed(item, trace_id)
    else:
        yield read_trace(values, source, trace_id)


def _placed(item: Item, line: str) -> Item:
    return replace(item, message=f"{line}: {item.message}") if isinstance(item, Unreadable) else item


def _lines_at(file: BinaryIO, offsets: list[int]) -> list[bytes]:
    lines: list[bytes] = []
    size = 0
    for offset in offsets:
        file.seek(offset)
        lines.append(file.readline().removeprefix(_BOM))
        size += len(lines[-1])
        check_size(size)
    check_parts(*lines)
    return lines
