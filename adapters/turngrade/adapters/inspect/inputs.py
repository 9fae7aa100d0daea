"""What model calls were asked, from parsed JSON. The newest releases keep each message once, in a pool."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from .shape import Message


def inputs_of(events: Any, events_data: Any) -> list[list[Message]]:
    """The input of each model event, those nested in other events included, in order.

    An input that is not recorded, or that has not the shape of one, is empty.

    Args:
        events: The sample's events.
        events_data: What they refer to, where the log has such a part.
    """
    pool = events_data.get("messages") if isinstance(events_data, dict) else None
    return [_messages(_input(event, pool or [])) for event in _model_events(events)]


def _model_events(events: Any) -> Iterator[dict[str, Any]]:
    for event in events or ():
        if event.get("event") == "model":
            yield event
        elif event.get("events"):
            yield from _model_events(event["events"])


def _input(event: dict[str, Any], pool: list[Any]) -> Any:
    refs = event.get("input_refs")
    if refs is None:
        return event.get("input")
    return [message for start, end in refs for message in pool[start:end]]


def _messages(input: Any) -> list[Message]:
    try:
        return msgspec.convert(input, list[Message])
    except msgspec.ValidationError:
        return []
