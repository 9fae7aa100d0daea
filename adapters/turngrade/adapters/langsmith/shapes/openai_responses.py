"""The items of OpenAI's Responses API, as its client and the OpenAI Agents SDK record them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from turngrade.adapters.langsmith.shapes import openai_chat
from turngrade.adapters.langsmith.shapes.message import Message
from turngrade.adapters.langsmith.shapes.values import as_list, as_mapping, text_or_none

_RESULTS = (
    "function_call_output",
    "computer_call_output",
    "local_shell_call_output",
    "custom_tool_call_output",
)


def message(data: Mapping[str, Any]) -> Message | None:
    """An item that stands for a message by itself: a message, or a tool's result."""
    if data.get("type") == "message":
        return openai_chat.message({"role": "assistant", **data})
    if data.get("type") in _RESULTS:
        return Message("tool", id=text_or_none(data.get("id")))
    return None


def call_id(data: Mapping[str, Any]) -> str | None:
    """The id of a tool call item, or None where the item is no tool call."""
    kind = data.get("type")
    if not isinstance(kind, str) or not kind.endswith("_call") or "role" in data:
        return None
    return text_or_none(data.get("call_id")) or text_or_none(data.get("id")) or kind


def is_item(data: Mapping[str, Any]) -> bool:
    """Whether this is an output item of the Responses API."""
    return data.get("type") in ("message", "reasoning", *_RESULTS) or call_id(data) is not None


def outputs(data: Mapping[str, Any]) -> tuple[Message, ...] | None:
    """The messages of a response. Tool calls belong to the message before them, or are one without text."""
    items = as_list(data.get("output"))
    if not items or not all(_is_item(item) for item in items):
        return None
    return join_calls(items)


def join_calls(items: Sequence[Any]) -> tuple[Message, ...]:
    """Messages of a list of items, with each tool call joined to the assistant message it belongs to."""
    found: list[Message] = []
    for data in map(as_mapping, items):
        if data is None:
            continue
        if call := call_id(data):
            if not found or not found[-1].is_assistant:
                found.append(Message("assistant"))
            found[-1] = replace(found[-1], tools=(*found[-1].tools, call))
        elif item := message(data):
            found.append(item)
    return tuple(found)


def _is_item(value: object) -> bool:
    data = as_mapping(value)
    return data is not None and is_item(data)
