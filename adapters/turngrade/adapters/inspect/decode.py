"""Log JSON of one sample, in the neutral shape: fast and typed, else tolerant, never with another result."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Raw, Struct

from turngrade.core.bounds import TooLarge, check_parts

from .inputs import inputs_of
from .problems import InvalidSample
from .shape import EVENT_KINDS, Event, Message, Output, SampleRecord


class _Nested(Struct):
    """Where releases before 0.3.4x keep events and attachments."""

    events: list[Event] = []
    content: dict[str, Raw] = {}


class _Sample(Struct):
    id: int | str
    epoch: int
    input: str | list[Message] = ""
    messages: list[Message] = []
    output: Output | None = None
    events: list[Event] | None = None
    attachments: dict[str, Raw] | None = None
    metadata: dict[str, Any] | None = None
    transcript: _Nested | None = None


_DECODER = msgspec.json.Decoder(_Sample)
_TEXT = msgspec.json.Decoder(str)
_OBJECT = dict[str, Any] | None


class _Attachments(Mapping[str, str]):
    """Attachments that are decoded when they are asked for: most are tool output, images and prompts."""

    def __init__(self, raw: dict[str, Raw]) -> None:
        self._raw = raw

    def __getitem__(self, key: str) -> str:
        try:
            return _TEXT.decode(self._raw[key])
        except (msgspec.MsgspecError, UnicodeError):
            text = json.loads(bytes(self._raw[key]))  # a lone surrogate
            if isinstance(text, str):
                return text
            raise KeyError(key) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._raw)

    def __len__(self) -> int:
        return len(self._raw)


def sample_from_json(data: bytes | bytearray | memoryview) -> SampleRecord:
    """Decode a sample.

    Bare ``NaN`` and ``Infinity`` (every unscored score) and lone surrogates are legal in logs and are not
    JSON. A sample that holds any is read by the standard library's decoder, as is one whose fields have
    unknown types.

    Args:
        data: The JSON of one sample. The record may refer to it: do not change it while the record is in use.

    Raises:
        InvalidSample: It is no JSON, not of a sample, or holds too many values.
    """
    try:
        check_parts(data)
        sample = _DECODER.decode(data)
    except TooLarge as error:
        raise InvalidSample(f"not read: {error}") from None
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return sample_from_raw(_tolerant(data))
    if not sample.messages and sample.output is None:
        return sample_from_raw(_tolerant(data))
    nested = sample.transcript or _Nested()
    return SampleRecord(
        id=sample.id,
        epoch=sample.epoch,
        input=[] if isinstance(sample.input, str) else sample.input,
        messages=sample.messages,
        output=sample.output,
        events=sample.events if sample.events is not None else nested.events,
        attachments=_Attachments(sample.attachments if sample.attachments is not None else nested.content),
        metadata=sample.metadata or {},
        inputs=lambda: _inputs(_tolerant(data)),
    )


def sample_from_raw(raw: Any) -> SampleRecord:
    """A sample from parsed JSON.

    Args:
        raw: What a JSON parser made of a sample.

    Raises:
        InvalidSample: It has not the shape of a sample.
    """
    if not isinstance(raw, dict):
        raise InvalidSample(f"a sample must be a JSON object, not {_kind(raw)}")
    id, epoch = raw.get("id"), raw.get("epoch", 1)
    if not isinstance(id, int | str) or not isinstance(epoch, int):
        raise InvalidSample("the JSON object has no id and epoch, so it is not an Inspect sample")
    if raw.keys().isdisjoint(("messages", "output")):
        raise InvalidSample("not a sample: no messages and no output", str(id), epoch)
    try:
        return _record(id, epoch, raw)
    except (msgspec.ValidationError, RecursionError) as error:
        raise InvalidSample(f"not the shape of an Inspect sample: {error}", str(id), epoch) from error


def _record(id: int | str, epoch: int, raw: dict[str, Any]) -> SampleRecord:
    nested = _field(raw, "transcript", _OBJECT) or {}
    wanted = _wanted(raw.get("events") or nested.get("events"))
    attachments = _field(raw, "attachments", _OBJECT) or _field(nested, "content", _OBJECT) or {}
    return SampleRecord(
        id=id,
        epoch=epoch,
        input=[] if isinstance(raw.get("input"), str) else _field(raw, "input", list[Message] | None) or [],
        messages=_field(raw, "messages", list[Message] | None) or [],
        output=_field(raw, "output", Output | None),
        events=msgspec.convert(wanted, list[Event]),
        attachments={key: text for key, text in attachments.items() if isinstance(text, str)},
        metadata=_field(raw, "metadata", _OBJECT) or {},
        inputs=lambda: inputs_of(wanted, raw.get("events_data")),
    )


def _kind(value: Any) -> str:
    """What a parsed value is, in JSON's words."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, str):
        return "a string"
    return "a list" if isinstance(value, list) else "a number"


def _inputs(raw: dict[str, Any]) -> list[list[Message]]:
    nested = raw.get("transcript") or {}
    events = raw.get("events")
    return inputs_of(nested.get("events") if events is None else events, raw.get("events_data"))


def _field(raw: dict[str, Any], name: str, type: Any) -> Any:
    return msgspec.convert(raw.get(name), type)


def _tolerant(data: bytes | bytearray | memoryview) -> Any:
    try:
        return json.loads(bytes(data))
    except RecursionError:
        raise InvalidSample("the JSON is nested too deeply") from None
    except ValueError as error:  # broken JSON, broken UTF-8, numbers of absurd length
        raise InvalidSample(f"broken JSON: {error}") from error


def _wanted(events: Any) -> list[Any]:
    """The events that bear on who said what: other kinds may have fields of any type."""
    return [
        {**event, "events": _wanted(event["events"])} if event.get("events") else event
        for event in (events if isinstance(events, list) else ())
        if isinstance(event, dict) and event.get("event") in EVENT_KINDS
    ]
