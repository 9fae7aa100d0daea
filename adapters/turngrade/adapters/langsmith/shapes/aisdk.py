"""The Vercel AI SDK, and other model results that come without a role.

Its messages (UI messages with ``parts`` too) have a ``role`` and are read by `openai_chat.message`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from turngrade.adapters.langsmith.shapes import openai_chat
from turngrade.adapters.langsmith.shapes.message import Message
from turngrade.adapters.langsmith.shapes.values import as_list, as_mapping, text_or_none, told

_RESULT_KEYS = ("finishReason", "finish_reason", "toolCalls", "usage", "usage_metadata")


def outputs(data: Mapping[str, Any]) -> tuple[Message, ...] | None:
    """A result of ``generateText`` or of a provider: content or text, no role, and how it ended."""
    if "role" in data or not any(key in data for key in _RESULT_KEYS):
        return None
    tools = openai_chat.tool_calls({**data, "tool_calls": data.get("tool_calls") or data.get("toolCalls")})
    if isinstance(data.get("content"), str) or as_list(data.get("content")) is not None:
        text = openai_chat.body_text(data)
    elif isinstance(data.get("text"), str):
        text = data["text"]
    elif tools:
        text = ""
    else:
        return None
    return (Message("assistant", text, text_or_none(data.get("id")), tools=tools),)


def chunks(items: Sequence[Any]) -> tuple[Message, ...] | None:
    """The message that the parts of a text stream add up to."""
    parts = [as_mapping(item) or {} for item in items]
    deltas = [part for part in parts if told(part.get("type")) == "text-delta"]
    if not deltas or not all(isinstance(part.get("type"), str) for part in parts):
        return None
    texts = (part.get("text") or part.get("textDelta") or part.get("delta") for part in deltas)
    return (Message("assistant", "".join(text for text in texts if isinstance(text, str))),)
