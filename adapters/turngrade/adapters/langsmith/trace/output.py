"""The final output of a run, and its structured outputs."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from turngrade.adapters.langsmith.shapes import Message
from turngrade.adapters.langsmith.trace.fields import Fields, output_fields
from turngrade.adapters.langsmith.trace.ledger import Entry
from turngrade.adapters.langsmith.trace.scopes import Produced
from turngrade.adapters.langsmith.trace.tree import Node


class Output(Struct, frozen=True):
    """The final output.

    Args:
        text: The text; None where there is none.
        fields: The structured outputs of the root.
        without_text: Whether the root returned data in which no text was found.
    """

    text: str | None
    fields: Fields | None = None
    without_text: bool = False


def final_output(root: Node, produced: Produced) -> Output:
    """The final output: the last assistant message with text in the root conversation, else the root's text.

    Args:
        root: The root run.
        produced: What was produced in its trace.

    Returns:
        An output without text where the root failed, or where its conversation ends in a tool's message.
    """
    if root.run.failed:
        return Output(None)
    fields = output_fields(root.run.outputs)
    text = _text(root, produced)
    return Output(text, fields, without_text=text is None and produced.returned.reading.kind == "data")


def _text(root: Node, produced: Produced) -> str | None:
    reading = produced.returned.reading
    if reading.messages and reading.messages[-1].role == "tool":
        return None
    if reading.kind == "state":
        return _last(produced.returned.entries) or _last(produced.returned.beside.assistant)
    if reading.kind not in ("reply", "text"):
        return None
    return _last(produced.conversation) if produced.returned.copied else _last(reading.assistant)


def _last(messages: Sequence[Message | Entry]) -> str | None:
    return next((item.text for item in reversed(messages) if item.text and item.candidate == 0), None)
