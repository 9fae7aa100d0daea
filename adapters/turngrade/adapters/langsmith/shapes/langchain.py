"""LangChain and LangGraph: constructor form, plain dicts with a ``type``, pairs, generations, commands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from turngrade.adapters.langsmith.shapes.message import Message, role_named
from turngrade.adapters.langsmith.shapes.openai_chat import build
from turngrade.adapters.langsmith.shapes.text import text_of
from turngrade.adapters.langsmith.shapes.values import as_list, as_mapping, text_or_none

COMMAND_KEYS = ("goto", "resume")
"""Keys of which a ``Command`` has one at least."""


def message(data: Mapping[str, Any]) -> Message | None:
    """A message in one of LangChain's dict forms, or a live message seen as a mapping."""
    kwargs = as_mapping(data.get("kwargs"))
    if kwargs is not None and text_or_none(data.get("type")) == "constructor":
        return _constructed(data, kwargs)
    inner = as_mapping(data.get("data"))
    if inner is not None and role_named(data.get("type")):  # messages_to_dict: {"type": "ai", "data": {…}}
        return message({**inner, "type": data["type"]})
    if text_or_none(data.get("type")) == "chat" and isinstance(data.get("role"), str):
        return build(data, role_named(data["role"]) or data["role"].lower())
    role = role_named(data.get("type"))
    if role is None or (role != "remove" and "content" not in data):
        return None
    return build(data, role)


def pair(value: object) -> Message | None:
    """The short form ``("ai", "text")``."""
    items = as_list(value)
    if items is None or len(items) != 2 or not isinstance(items[1], (str, list)):
        return None
    role = role_named(items[0])
    if role is None or (
        isinstance(items[1], str) and role_named(items[1])
    ):  # ["user", "model"] is plain data
        return None
    return Message(role, text_of(items[1]))


def outputs(data: Mapping[str, Any]) -> tuple[Message, ...] | None:
    """The replies in ``generations``: for each prompt a list of alternatives."""
    generations = as_list(data.get("generations"))
    if generations is None:
        return None
    found: list[Message] = []
    for group in generations:
        alternatives = as_list(group)
        items = [group] if alternatives is None else alternatives
        found += [_generation(as_mapping(item) or {}).as_candidate(index) for index, item in enumerate(items)]
    return tuple(found)


def chunks(items: Sequence[Any]) -> tuple[Message, ...] | None:
    """The messages that streamed chunks add up to: bare ones, or a graph's pairs of chunk and metadata.

    Chunks of one id are one message.
    """
    found: dict[str | None, Message] = {}
    for item in items:
        chunk = _chunk(item)
        if chunk is None:
            return None
        before = found.get(chunk.id)
        found[chunk.id] = chunk if before is None else replace(before, text=before.text + chunk.text)
    return tuple(found.values())


def command_update(data: Mapping[str, Any]) -> object | None:
    """The state update of a LangGraph ``Command``."""
    return data.get("update") if any(key in data for key in COMMAND_KEYS) else None


def _chunk(item: object) -> Message | None:
    parts = as_list(item)
    if parts is None:
        data = as_mapping(item)
        return (
            message(data) if data is not None and text_or_none(data.get("type")) == "AIMessageChunk" else None
        )
    body, metadata = map(as_mapping, parts) if len(parts) == 2 else (None, None)
    if body is None or metadata is None or message(metadata) is not None:
        return None
    return message(body)


def _constructed(data: Mapping[str, Any], kwargs: Mapping[str, Any]) -> Message | None:
    path = as_list(data.get("id")) or ("",)
    if "content" not in kwargs and "id" not in kwargs:
        return None
    role = role_named(kwargs.get("role")) or role_named(kwargs.get("type")) or role_named(path[-1])
    return build(kwargs, role or text_or_none(kwargs.get("role")) or "other")


def _generation(item: Mapping[str, Any]) -> Message:
    body = as_mapping(item.get("message"))
    found = message(body) if body is not None else None
    if found is None:
        return Message("assistant", text_of(item.get("text")))
    # a model said it, whatever role the message class was given
    return Message("assistant", found.text, found.id, found.name, found.tools)
