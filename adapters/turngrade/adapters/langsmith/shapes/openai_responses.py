"""The items of OpenAI's Responses API, as its client and the OpenAI Agents SDK record them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from turngrade.adapters.langsmith.shapes import openai_chat
from turngrade.adapters.langsmith.shapes.message import Message
from turngrade.adapters.langsmith.shapes.values import as_list, as_mapping, text_or_none, told

_RESULTS = (
    "function_call_output",
    "computer_call_output",
    "local_shell_call_output",
    "custom_tool_call_output",
)
_ITEMS = ("message", "reasoning", *_RESULTS)


def message(data: Mapping[str, Any]) -> Message | None:
    """An item that stands for a message by itself: a message, or a tool's result."""
    kind = told(data.get("type"))
    if kind == "message":
        return openai_chat.message({"role": "assistant", **data})
    if kind in _RESULTS:
        return Message("tool", id=text_or_none(data.get("id")))
    return None


def call_id(data: Mapping[str, Any]) -> str | None:
    """The id of a tool call item, or None where the item is no tool call."""
    if "role" in data:
        return None
    kind = told(data.get("type"))
    if not kind.endswith("_call"):
        return None
    return text_or_none(data.get("call_id")) or text_or_none(data.get("id")) or kind


def is_item(data: Mapping[str, Any]) -> bool:
    """Whether this is an output item of the Responses API."""
    return told(data.get("type")) in _ITEMS or call_id(data) is not None


def join_call(messages: list[Message], call: str) -> None:
    """Make a tool call part of the assistant message before it, or else a message without text."""
    if not messages or not messages[-1].is_assistant:
        messages.append(Message("assistant"))
    messages[-1] = replace(messages[-1], tools=(*messages[-1].tools, call))


def outputs(data: Mapping[str, Any]) -> tuple[Message, ...] | None:
    """The messages of a response. Tool calls belong to the message before them, or are one without text."""
    listed = as_list(data.get("output")) or ()
    items = [item for value in listed if (item := as_mapping(value)) is not None and is_item(item)]
    if not items or len(items) < len(listed):
        return None
    found: list[Message] = []
    for item in items:
        if call := call_id(item):
            join_call(found, call)
        elif reply := message(item):
            found.append(reply)
    return tuple(found)
