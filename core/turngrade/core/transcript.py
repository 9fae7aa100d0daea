"""What one run produced, in the one form that graders see."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias, get_args

Scope: TypeAlias = Literal["run", "conversation", "model-calls"]
"""Which assistant messages a ``transcript-*`` grader tests."""

SCOPES: tuple[Scope, ...] = get_args(Scope)

_THINK = re.compile(r"\A\s*<think>.*?</think>\s*|<think>.*?</think>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class AssistantMessage:
    """One turn said by an assistant during a run.

    Args:
        text: The visible text, empty for a message that only calls tools.
        index: Position in the list of its scope, from 0.
        id: The framework's id of the message.
        agent: Name of the agent or span that said it, where it is not the main one.
        raw_text: What the model produced, where the conversation's text differs. A hit in either counts.
        in_conversation: Whether the message stands in the final main conversation.
    """

    text: str
    index: int
    id: str | None = None
    agent: str | None = None
    raw_text: str | None = None
    in_conversation: bool = True

    def texts(self) -> tuple[tuple[Literal["text", "raw_text"], str], ...]:
        """The texts in which a hit counts, in the order in which they are tried."""
        if self.raw_text is None or self.raw_text == self.text:
            return (("text", self.text),)
        return (("text", self.text), ("raw_text", self.raw_text))


@dataclass(frozen=True, slots=True)
class Transcript:
    """The assistant messages of one run and its final output.

    Args:
        messages: Scope ``run``: every assistant message produced during the run, in order.
        output: The final output; None (or empty) where there is none.
        id: The sample's or the run's id.
        source: Where it was read from: a file, a project.
        epoch: Inspect's epoch, from 1; None elsewhere.
        conversation: Scope ``conversation``; None where it is the same list as ``messages``.
        model_calls: Scope ``model-calls``; None where it is the same list as ``messages``.
        output_fields: The run's structured output, in which a spec's ``output_key`` is looked up.
        output_without_text: The run returned data in which no text was found (verdict error ``no_text``).
        incomplete: Why the transcript is known to be incomplete; None where it is not.
        metadata: The sample's or the run's metadata. ``stimulus`` in it selects a Vally stimulus.
    """

    messages: tuple[AssistantMessage, ...]
    output: str | None
    id: str | None = None
    source: str | None = None
    epoch: int | None = None
    conversation: tuple[AssistantMessage, ...] | None = None
    model_calls: tuple[AssistantMessage, ...] | None = None
    output_fields: Mapping[str, Any] | None = None
    output_without_text: bool = False
    incomplete: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("messages", "conversation", "model_calls"):
            value = getattr(self, name)
            if value is not None and not isinstance(value, tuple):
                object.__setattr__(self, name, tuple(value))

    @classmethod
    def from_texts(
        cls,
        texts: Iterable[str],
        output: str | None = None,
        *,
        id: str | None = None,
        source: str | None = None,
    ) -> Transcript:
        """Build a transcript from plain strings, for tests and notebooks.

        Args:
            texts: The assistant messages, in order.
            output: The final output; by default the last message that has text.
            id: The transcript's id.
            source: Where it came from.

        Raises:
            TypeError: ``texts`` is one string, or holds something else than strings.
        """
        listed = None if isinstance(texts, str) else list(texts)
        if listed is None or not all(isinstance(text, str) for text in listed):
            raise TypeError("texts must be a list of strings, one an assistant message")
        messages = tuple(AssistantMessage(text, index) for index, text in enumerate(listed))
        if output is None:
            output = last_text(messages)
        return cls(messages, output, id=id, source=source)

    def in_scope(self, scope: Scope) -> tuple[AssistantMessage, ...]:
        """The messages of a scope, in order."""
        if scope == "conversation" and self.conversation is not None:
            return self.conversation
        if scope == "model-calls" and self.model_calls is not None:
            return self.model_calls
        return self.messages

    def without_thinking(self) -> Transcript:
        """The same transcript without ``<think>…</think>`` blocks, as `strip_thinking` cuts them."""
        return replace(
            self,
            messages=_strip_messages(self.messages),
            conversation=None if self.conversation is None else _strip_messages(self.conversation),
            model_calls=None if self.model_calls is None else _strip_messages(self.model_calls),
            output=None if self.output is None else strip_thinking(self.output),
        )


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A transcript, or a whole source, that could not be read. It is graded to an error row.

    Args:
        source: The file, or the project.
        message: What is wrong, where, and what to do about it.
        id: The sample or run, where it is known.
        epoch: Inspect's epoch, where it is known.
    """

    source: str
    message: str
    id: str | None = None
    epoch: int | None = None


OnRead: TypeAlias = Callable[[float], None]
"""What a reader tells how far it is: the part of its source that has been read, from 0 to 1, never less than
before. The last call may come short of 1, where what is left holds no transcript."""


def last_text(messages: Iterable[AssistantMessage]) -> str | None:
    """The text of the last message that has any: the final output of a plain message list."""
    return next((m.text for m in reversed(tuple(messages)) if m.text), None)


def strip_thinking(text: str) -> str:
    """Cut ``<think>…</think>`` blocks, which some providers leave in the text, out of it.

    With a block that opens the text the blank space around it goes too, so that what is said comes first.
    """
    return _THINK.sub("", text) if "<think>" in text else text


def _strip_messages(messages: tuple[AssistantMessage, ...]) -> tuple[AssistantMessage, ...]:
    return tuple(
        replace(
            message,
            text=strip_thinking(message.text),
            raw_text=None if message.raw_text is None else strip_thinking(message.raw_text),
        )
        for message in messages
    )
