"""Views of Inspect's own objects in the neutral shape. Inspect is not imported: fields are read by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from msgspec import convert

from .inputs import inputs_of
from .shape import EVENT_KINDS, Event, Message, Output

if TYPE_CHECKING:
    from inspect_ai.event import Event as InspectEvent
    from inspect_ai.model import ChatMessage, ModelOutput


def messages_of(messages: str | Iterable[ChatMessage]) -> list[Message]:
    """Messages in the neutral shape; none for the string form of an input.

    Args:
        messages: A conversation, or a sample's input.
    """
    return [] if isinstance(messages, str) else convert(list(messages), list[Message], from_attributes=True)


def output_of(output: ModelOutput | None) -> Output | None:
    """A model's output in the neutral shape.

    Args:
        output: The output of a sample or of a state.
    """
    return None if output is None else convert(output, Output, from_attributes=True)


def events_of(events: Iterable[InspectEvent]) -> list[Event]:
    """The events that bear on who said what, in order and in the neutral shape.

    Args:
        events: Transcript events.
    """
    # as mappings: pydantic is slow to say of an attribute that it has not got it
    wanted: list[Any] = [vars(event) for event in events if event.event in EVENT_KINDS]
    return convert(wanted, list[Event], from_attributes=True)


def inputs_of_events(events: Iterable[InspectEvent]) -> list[list[Message]]:
    """The input of each model event, those nested in other events included, in order.

    Args:
        events: Transcript events.
    """
    asked: list[list[Message]] = []
    for event in events:
        if event.event == "model":
            asked.append(messages_of(event.input))
        else:
            # events that old releases nest stay as they were parsed
            asked += inputs_of(getattr(event, "events", None), None)
    return asked
