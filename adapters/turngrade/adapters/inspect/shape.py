"""The few fields of an Inspect sample that say what an assistant said, in one neutral shape.

The same structs are decoded from log JSON, and converted from parsed JSON and from Inspect's own live
objects, so that the reconstruction (`produced`) exists once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct, field

EVENT_KINDS = frozenset({"model", "span_begin", "step", "compaction", "subtask", "tool"})
"""The kinds of event that bear on who said what; every other kind is passed over."""

_REFERENCES = ("attachment://", "tc://")
"""How a text says that it is stored among the sample's attachments (``tc://``: releases before 0.3.60)."""


_HASH_LENGTH = 32


class Part(Struct, gc=False):
    """One part of a message's content."""

    type: str = ""
    text: str | None = None


class ToolCall(Struct, gc=False):
    """A tool call, as far as it identifies a message."""

    id: str | None = None


class Message(Struct, gc=False):
    """A chat message of any role."""

    role: str = ""
    content: str | list[Part | str] | None = None
    id: str | None = None
    source: str | None = None
    tool_calls: list[ToolCall] | None = None


class Choice(Struct, gc=False):
    """One candidate of a model's output."""

    message: Message


class CallOutput(Struct, gc=False):
    """What one model call produced."""

    choices: list[Choice] = []


class Output(CallOutput, gc=False):
    """A sample's output."""

    completion: str | None = None


class Event(Struct, gc=False):
    """One transcript event; which fields are set depends on the kind in ``event``.

    ``span_begin`` sets ``id``, ``parent_id``, ``type`` and ``name``; ``step`` (releases before 0.3.9x)
    ``action``, ``type`` and ``name``; ``subtask`` and ``tool`` of those releases nest ``events``.
    """

    event: str = ""
    span_id: str | None = None
    id: str | int | None = None
    parent_id: str | None = None
    type: Any = None
    name: Any = None
    function: Any = None
    action: Any = None
    role: str | None = None
    pending: bool | None = None
    error: Any = None
    metadata: Any = None
    tool_choice: Any = None
    # a sandbox event's output is a string
    output: CallOutput | str | None = None
    events: list[Event] | None = None


class SampleRecord(Struct, frozen=True):
    """One sample of an Inspect run, wherever it was read from.

    Args:
        id: The sample's id.
        epoch: Its epoch, from 1.
        input: Messages of the sample's input; empty where the input is a string.
        messages: The final conversation.
        output: The sample's output.
        events: Its transcript events, in order.
        attachments: Texts that messages and events refer to.
        metadata: The sample's metadata.
        inputs: Gives what each model event's call was asked, those nested in other events included, in order.
            Histories repeat at every call, so they are looked up only where the rest leaves a question open.
    """

    id: int | str
    epoch: int
    input: list[Message]
    messages: list[Message]
    output: Output | None
    events: list[Event]
    attachments: Mapping[str, str] = field(default_factory=dict)
    metadata: Mapping[str, Any] = field(default_factory=dict)
    inputs: Callable[[], list[list[Message]]] = list


class Texts:
    """Visible texts of messages, with references to attachments replaced.

    Args:
        attachments: The sample's attachments.
    """

    def __init__(self, attachments: Mapping[str, str]) -> None:
        self._attachments = attachments
        self.missing = 0
        """How many references had no attachment behind them."""

    def of(self, message: Message) -> str:
        """A message's text parts, joined by newlines as Inspect's own ``.text`` does."""
        content = message.content
        if isinstance(content, str):
            return self._attached(content) if content.startswith(_REFERENCES) else content
        if content is None:
            return ""
        return "\n".join(
            self.resolve(part if isinstance(part, str) else part.text or "")
            for part in content
            if isinstance(part, str) or part.type == "text"
        )

    def resolve(self, text: str) -> str:
        """The text itself, or the attachment that it is a reference to."""
        return self._attached(text) if text.startswith(_REFERENCES) else text

    def _attached(self, text: str) -> str:
        key = text[text.index("://") + 3 :]
        try:
            return self._attachments[key]
        except KeyError:
            # an agent may well write the prefix itself
            self.missing += len(key) == _HASH_LENGTH and key.isalnum()
            return text
