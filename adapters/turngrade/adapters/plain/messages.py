"""One plain message list → one transcript."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from turngrade.core import AssistantMessage, Transcript
from turngrade.core.transcript import last_text

ASSISTANT_ROLES = frozenset({"assistant", "ai", "model"})
"""Roles of the agent, in the words of OpenAI and Anthropic, LangChain, and Gemini."""

_TEXT_KEYS = {None: "text", "text": "text", "output_text": "text", "refusal": "refusal"}
"""Which key of a content part holds visible text, by the part's ``type``."""


class InvalidMessages(ValueError):
    """A message list does not have the shape of one.

    Args:
        where: Path of the faulty value, such as ``messages[2].content``.
        problem: What is wrong with it and what it should be.
    """

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(where, problem)
        self.where = where
        self.problem = problem

    def __str__(self) -> str:
        return f"{self.where}: {self.problem}"


def transcript_from_messages(
    messages: Iterable[Mapping[str, Any]],
    *,
    id: str | None = None,
    source: str | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> Transcript:
    """Build a transcript from chat messages as the model APIs write them.

    Messages of the roles ``assistant``, ``ai`` and ``model`` are the agent's; all others are only read past.
    Text parts of one message are joined with nothing between them. A refusal is text; reasoning, tool calls
    and tool results are not. The final output is the last assistant message with text.

    Args:
        messages: Mappings with ``role`` and ``content`` (a string, a list of parts, or null); ``id`` and
            ``name`` are carried over where they are strings.
        id: The transcript's id.
        source: Where the messages were read from.
        metadata: The transcript's metadata.

    Raises:
        InvalidMessages: If a message is not a mapping, has no role, or content of another shape.
    """
    said: list[AssistantMessage] = []
    for position, message in enumerate(messages):
        where = f"messages[{position}]"
        if _role(message, where) in ASSISTANT_ROLES:
            said.append(
                AssistantMessage(
                    text=_text(message, where),
                    index=len(said),
                    id=_string(message.get("id")),
                    agent=_string(message.get("name")),
                )
            )
    return Transcript(tuple(said), last_text(said), id=id, source=source, metadata=dict(metadata or {}))


def _role(message: Any, where: str) -> str:
    if not isinstance(message, Mapping):
        raise InvalidMessages(where, f"a message is an object with role and content, not {kind_of(message)}")
    role = message.get("role")
    if not isinstance(role, str):
        raise InvalidMessages(f"{where}.role", f"expected a string such as 'assistant', not {kind_of(role)}")
    return role.lower()


def _text(message: Mapping[str, Any], where: str) -> str:
    key = "parts" if "parts" in message and "content" not in message else "content"
    text = _content(message.get(key), f"{where}.{key}")
    refusal = message.get("refusal")
    return text + refusal if isinstance(refusal, str) else text


def _content(content: Any, where: str) -> str:
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(_part(part, f"{where}[{position}]") for position, part in enumerate(content))
    raise InvalidMessages(where, f"expected a string, a list of parts or null, not {kind_of(content)}")


def _part(part: Any, where: str) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, Mapping):
        raise InvalidMessages(where, f"expected a string or an object with a type, not {kind_of(part)}")
    key = _TEXT_KEYS.get(part.get("type")) if _is_name(part.get("type")) else None
    if key is None or part.get("thought") is True:
        return ""
    text = part.get(key)
    if text is None:
        return ""
    if not isinstance(text, str):
        raise InvalidMessages(f"{where}.{key}", f"expected a string, not {kind_of(text)}")
    return text


def _is_name(value: Any) -> bool:
    return value is None or isinstance(value, str)


def _string(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def kind_of(value: Any) -> str:
    """JSON's word for the kind of a value, with its article, for messages to people."""
    if value is None:
        return "null"
    names = {bool: "a boolean", int: "a number", float: "a number", str: "a string", list: "a list"}
    return names.get(type(value), "an object" if isinstance(value, Mapping) else "nothing JSON knows")
