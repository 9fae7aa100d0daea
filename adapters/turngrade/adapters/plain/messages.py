"""One plain message list → one transcript."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from turngrade.core import AssistantMessage, Transcript
from turngrade.core.transcript import last_text

ASSISTANT_ROLES = frozenset({"assistant", "ai", "model"})
"""Roles of the agent, in the words of OpenAI and Anthropic, LangChain, and Gemini."""

OTHER_ROLES = frozenset(
    {"critic", "data", "developer", "function", "human", "ipython", "observation", "system", "tool", "user"}
)
"""Roles of all others: OpenAI's and Anthropic's, LangChain's, and those of common chat templates."""

_TEXT_KEYS: dict[str | None, str] = {
    None: "text",
    "text": "text",
    "output_text": "text",
    "refusal": "refusal",
}
"""Which key of a content part holds visible text, by the part's ``type``."""

_CALL_KEYS = ("tool_calls", "function_call", "tool_call", "function_calls")
"""Beside one of these that is not empty, a message says nothing where it has no content."""

_MISTAKEN_KEYS = ("text", "message", "output", "value", "body")
"""Where other tools have a message's text. They are told of, and not read: a guess is no verdict."""

_CONTENT_TO_WRITE = "write the text to 'content', or null if nothing was said"


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

    Messages of the roles ``assistant``, ``ai`` and ``model`` are the agent's; those of `OTHER_ROLES` are only
    read past. A role that is in neither, and an agent's message whose words stand nowhere that is known, are
    refused: what is not read would pass every check of what must not be said. Text parts of one message are
    joined with nothing between them. A refusal is text; reasoning, tool calls and tool results are not. The
    final output is the last assistant message with text.

    Args:
        messages: Mappings with ``role`` and ``content`` (a string, a list of parts, or null); ``id`` and
            ``name`` are carried over where they are strings. ``content`` may be missing beside ``parts``, a
            refusal or calls of tools.
        id: The transcript's id.
        source: Where the messages were read from.
        metadata: The transcript's metadata.

    Raises:
        InvalidMessages: If a message is not a mapping, or has no known role or no content of this shape.
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
    if "role" not in message:
        hint = "; LangChain's 'type' is written 'role' here" if isinstance(message.get("type"), str) else ""
        raise InvalidMessages(where, f"the message has no role{hint}; write {_ROLES_TO_WRITE}")
    role = message["role"]
    if not isinstance(role, str):
        raise InvalidMessages(f"{where}.role", f"expected a string such as 'assistant', not {kind_of(role)}")
    if role.lower() not in ASSISTANT_ROLES | OTHER_ROLES:
        fault = f"{role[:40]!r} is no role that is known; write {_ROLES_TO_WRITE}"
        raise InvalidMessages(f"{where}.role", fault)
    return role.lower()


_ROLES_TO_WRITE = (
    f"{', '.join(sorted(ASSISTANT_ROLES))} for the agent, or {', '.join(sorted(OTHER_ROLES))} for others"
)


def _text(message: Mapping[str, Any], where: str) -> str:
    key = "parts" if "parts" in message and "content" not in message else "content"
    refusal = message.get("refusal")
    explained = isinstance(refusal, str) or any(map(message.get, _CALL_KEYS))
    if key not in message and not explained:
        raise InvalidMessages(where, f"the message has no content{_misplaced(message)}; {_CONTENT_TO_WRITE}")
    text = _content(message.get(key), f"{where}.{key}")
    if not text and not explained and (elsewhere := _misplaced(message)):
        raise InvalidMessages(where, f"the content is empty{elsewhere}; {_CONTENT_TO_WRITE}")
    return text + refusal if isinstance(refusal, str) else text


def _misplaced(message: Mapping[str, Any]) -> str:
    """The key that holds a text which is likely the message's, for a message to people; or nothing."""
    key = next((key for key in _MISTAKEN_KEYS if message.get(key) and isinstance(message[key], str)), None)
    return f", but a text in {key!r}" if key is not None else ""


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
    kind = part.get("type")
    if kind is not None and not isinstance(kind, str):
        raise InvalidMessages(f"{where}.type", f"expected a string such as 'text', not {kind_of(kind)}")
    key = _TEXT_KEYS.get(kind)
    if key is None or part.get("thought") is True:
        return ""
    if kind is not None and key not in part:
        raise InvalidMessages(where, f"a part of the type {kind!r} has no {key!r}")
    text = part.get(key)
    if text is None:
        return ""
    if not isinstance(text, str):
        raise InvalidMessages(f"{where}.{key}", f"expected a string, not {kind_of(text)}")
    return text


def _string(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def kind_of(value: Any) -> str:
    """JSON's word for the kind of a value, with its article, for messages to people."""
    if value is None:
        return "null"
    names = {bool: "a boolean", int: "a number", float: "a number", str: "a string", list: "a list"}
    return names.get(type(value), "an object" if isinstance(value, Mapping) else "nothing JSON knows")
