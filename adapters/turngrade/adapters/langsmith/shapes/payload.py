"""What a run's outputs say: a state, a reply, plain text, or data without text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from turngrade.adapters.langsmith.shapes import (
    aisdk,
    anthropic,
    gemini,
    langchain,
    openai_chat,
    openai_responses,
    otel,
)
from turngrade.adapters.langsmith.shapes.lists import is_conversation, read_list, read_message
from turngrade.adapters.langsmith.shapes.message import Message
from turngrade.adapters.langsmith.shapes.text import is_text_part, text_of
from turngrade.adapters.langsmith.shapes.values import as_list, as_mapping

Kind: TypeAlias = Literal["empty", "state", "reply", "text", "data"]

TEXT_KEYS = (
    "output",
    "outputs",
    "answer",
    "generation",
    "result",
    "response",
    "text",
    "completion",
    "final_output",
    "final_answer",
    "final",
    "reply",
    "message",
    "content",
)
"""Keys under which functions return their text, in the order in which they are tried."""

_ENVELOPES = {
    "generations": langchain.outputs,
    "choices": openai_chat.outputs,
    "output": openai_responses.outputs,
    "candidates": gemini.outputs,
    "completion": anthropic.outputs,
}
"""The key that each family's envelope of a reply has, and what reads it."""

_WRAPPING = frozenset({"messages", *langchain.COMMAND_KEYS, *_ENVELOPES})
"""Keys of which a mapping has one at least if it is a state or an envelope."""

_STREAMS = (langchain, openai_chat, anthropic, aisdk)
_INPUT_KEYS = frozenset({"input", "inputs"})
_MAX_DEPTH = 5


class Reading(Struct, frozen=True):
    """What was found in a payload.

    Args:
        kind: ``state``: a message list, or an update of one. ``reply``: what a model or a function answered.
            ``text``: plain text. ``data``: a value without text. ``empty``: nothing.
        messages: The messages found; a text counts as one assistant message.
        update: Whether a state stands under a key of the outputs (or in a ``Command``), so that it is a
            state's update, and no list on its way to a model.
        pieces: The strings of a list of strings, which are joined to one text.
    """

    kind: Kind
    messages: tuple[Message, ...] = ()
    update: bool = False
    pieces: tuple[str, ...] = ()

    @property
    def assistant(self) -> tuple[Message, ...]:
        """The assistant messages."""
        return tuple([message for message in self.messages if message.role == "assistant"])


EMPTY = Reading("empty")
DATA = Reading("data")


def read_payload(value: object, *, depth: int = 0) -> Reading:
    """Read a run's outputs, whatever wrote them.

    Args:
        value: The outputs, or a part of them.
        depth: Level of nesting; deeper than five levels nothing is looked for.
    """
    if value is None or depth > _MAX_DEPTH:
        return EMPTY
    if isinstance(value, str):
        return Reading("text", (Message("assistant", value),)) if value else EMPTY
    items = as_list(value)
    if items is not None:
        return _read_items(items, depth)
    data = as_mapping(value)
    if data is None:
        return DATA
    return _read_mapping(data, depth) if data else EMPTY


def read_root(outputs: object, inputs: object) -> Reading:
    """Read the outputs of a root run.

    Where no known key holds text, and all but one of the outputs only repeat the inputs (as a graph's state
    does), that one is the text.
    """
    reading = read_payload(outputs)
    data = as_mapping(outputs)
    if reading.kind != "data" or reading.messages or data is None:
        return reading
    given = as_mapping(inputs) or {}
    own = [value for key, value in data.items() if key not in given or not _are_equal(given[key], value)]
    return read_payload(own[0]) if len(own) == 1 and isinstance(own[0], str) else reading


def _read_items(items: Sequence[Any], depth: int) -> Reading:
    if not items:
        return EMPTY
    if (message := read_message(items)) is not None:
        return Reading("reply", (message,))
    if (response := openai_responses.outputs({"output": items})) is not None:
        return _conversation_or_reply(response)
    if (reply := _streamed(items)) is not None:
        return _conversation_or_reply(reply)
    if found := read_list(items):
        return Reading("state", found)
    if all(isinstance(item, str) for item in items):
        return Reading("text", (Message("assistant", "".join(items)),), pieces=tuple(items))
    if all(is_text_part(item) for item in items):
        return Reading("text", (Message("assistant", text_of(items)),))
    return _read_updates(items, depth)


def _streamed(items: Sequence[Any]) -> tuple[Message, ...] | None:
    return next((found for family in _STREAMS if (found := family.chunks(items))), None)


def _conversation_or_reply(messages: tuple[Message, ...]) -> Reading:
    return Reading("state" if is_conversation(messages) else "reply", messages)


def _read_updates(items: Sequence[Any], depth: int) -> Reading:
    """What a graph streamed or its node commanded: states in full (the last one holds all), or updates."""
    readings = [read_payload(item, depth=depth + 1) for item in items if as_mapping(item) is not None]
    states = [reading for reading in readings if reading.kind == "state"]
    if not states:
        return DATA
    if all("messages" in (as_mapping(item) or ()) for item in items):
        return replace(states[-1], update=True)
    return Reading("state", tuple(message for state in states for message in state.messages), update=True)


def _read_mapping(data: Mapping[str, Any], depth: int) -> Reading:
    if type(data) is not dict or not _WRAPPING.isdisjoint(data):
        if (state := _read_state(data, depth)) is not None:
            return state
        for key, outputs in _ENVELOPES.items():
            if key in data and (reply := outputs(data)) is not None:
                return _conversation_or_reply(reply)
    if (message := read_message(data)) is not None:
        return Reading("reply", (message,))
    if (reply := aisdk.outputs(data)) is not None:
        return Reading("reply", reply)
    if (value := otel.attribute(data)) is not None:
        return read_payload(value, depth=depth + 1)
    return _read_keys(data, depth)


def _read_state(data: Mapping[str, Any], depth: int) -> Reading | None:
    if (update := langchain.command_update(data)) is not None:
        return replace(read_payload(update, depth=depth + 1), update=True)
    if "messages" not in data:
        return None
    value = data["messages"]
    single = read_message(value)
    messages = (single,) if single else read_list(value)
    items = as_list(value)
    if messages is None and (items is None or len(items) > 0):
        return None
    return Reading("state", messages or (), update=depth == 0)


def _read_keys(data: Mapping[str, Any], depth: int) -> Reading:
    for key in TEXT_KEYS:
        reading = read_payload(data.get(key), depth=depth + 1)
        if reading.kind not in ("empty", "data"):
            return reading
    others = [value for key, value in data.items() if key not in TEXT_KEYS and key not in _INPUT_KEYS]
    for value in others:
        if found := read_list(value):
            return Reading("state", found, update=depth == 0)
    nodes = [_read_state(value, depth + 1) for value in others if isinstance(value, Mapping)]
    if found := tuple(message for node in nodes if node is not None for message in node.messages):
        return Reading("state", found, update=True)
    if not any(map(_holds_something, data.values())):
        return EMPTY
    branches = tuple(message for value in others if (message := read_message(value)) is not None)
    return Reading("data", branches)


def _holds_something(value: object) -> bool:
    return value is not None and not (isinstance(value, str | list | tuple | dict) and not value)


def _are_equal(one: object, other: object) -> bool:
    try:
        return bool(one == other)
    except Exception:  # arrays compare item by item, and an object's own method may raise anything
        return False
