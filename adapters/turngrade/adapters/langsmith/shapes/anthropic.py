"""Anthropic: the legacy completion, and streams that no reducer has put together.

Messages of the Messages API have a ``role`` and are read by `openai_chat.message`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from turngrade.adapters.langsmith.shapes.message import Message
from turngrade.adapters.langsmith.shapes.text import text_of
from turngrade.adapters.langsmith.shapes.values import as_mapping, told

_EVENTS = (
    "content_block_delta",
    "content_block_start",
    "content_block_stop",
    "message_delta",
    "message_start",
    "message_stop",
    "ping",
)


def outputs(data: Mapping[str, Any]) -> tuple[Message, ...] | None:
    """The text completion of the first API."""
    completion = data.get("completion")
    if not isinstance(completion, str) or "stop_reason" not in data:
        return None
    return (Message("assistant", completion),)


def chunks(items: Sequence[Any]) -> tuple[Message, ...] | None:
    """The message that a list of stream events adds up to."""
    events = [as_mapping(item) or {} for item in items]
    if not events or not all(told(event.get("type")) in _EVENTS for event in events):
        return None
    parts = (event.get("delta") or event.get("content_block") for event in events)
    return (Message("assistant", "".join(text_of(part) for part in parts if as_mapping(part))),)
