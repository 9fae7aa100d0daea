"""Messages with a ``role``: OpenAI chat completions, and everybody who speaks that form.

Anthropic, Gemini, the Vercel AI SDK, the Claude Agent SDK and Google ADK are recorded with the same keys;
they differ in their content parts, which `text_of` knows, and in their envelopes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from turngrade.adapters.langsmith.shapes.message import Message, role_named
from turngrade.adapters.langsmith.shapes.text import text_of
from turngrade.adapters.langsmith.shapes.values import as_list, as_mapping, text_or_none, told

_BODY_KEYS = ("content", "parts", "refusal", "audio", "tool_calls", "function_call")
_MORE_KEYS = frozenset({"parts", "refusal", "audio", "additional_kwargs", "tool_calls"})
"""Keys under which a message's text or its tool calls may stand, apart from ``content``."""


def message(data: Mapping[str, Any]) -> Message | None:
    """A message with a ``role`` and some body."""
    role = data.get("role")
    if not isinstance(role, str) or not ("content" in data or any(key in data for key in _BODY_KEYS)):
        return None
    return build(data, role_named(role) or role.lower())


def build(data: Mapping[str, Any], role: str) -> Message:
    """The message of a role whose fields these are, in this family or in LangChain's."""
    plain = _is_plain(data)
    return Message(
        role=role,
        text=data["content"] if plain else body_text(data),
        id=text_or_none(data.get("id")),
        name=text_or_none(data.get("name")),
        tools=() if plain else tool_calls(data),
    )


def _is_plain(data: Mapping[str, Any]) -> bool:
    """Whether a message is its content, a string, and no more: so are most, and they are read at once."""
    return type(data) is dict and type(data.get("content")) is str and _MORE_KEYS.isdisjoint(data)


def body_text(data: Mapping[str, Any]) -> str:
    """The visible text of a message: content, refusal, or what its audio says."""
    text = text_of(data.get("content")) or text_of(data.get("parts"))
    extra = as_mapping(data.get("additional_kwargs")) or {}
    refusal = text_or_none(data.get("refusal")) or text_or_none(extra.get("refusal"))
    if refusal and refusal not in text:
        text += refusal
    audio = as_mapping(data.get("audio")) or as_mapping(extra.get("audio")) or {}
    return text or (text_or_none(audio.get("transcript")) or "")


def tool_calls(data: Mapping[str, Any]) -> tuple[str, ...]:
    """Ids of the tool calls of a message, from its own list or from its content parts."""
    calls = (
        as_list(data.get("tool_calls")) or _call_parts(data.get("content")) or _call_parts(data.get("parts"))
    )
    return tuple(call_id for call in calls if (call_id := _call_id(as_mapping(call)))) if calls else ()


def outputs(data: Mapping[str, Any]) -> tuple[Message, ...] | None:
    """The alternatives in ``choices``, of a chat completion or of a legacy completion."""
    choices = as_list(data.get("choices"))
    if choices is None:
        return None
    return tuple(
        _choice(as_mapping(choice) or {}).as_candidate(index) for index, choice in enumerate(choices)
    )


def chunks(items: Sequence[Any]) -> tuple[Message, ...] | None:
    """The messages that a list of streamed completion chunks adds up to."""
    texts: dict[int, str] = {}
    for item in items:
        choices = as_list((as_mapping(item) or {}).get("choices"))
        if choices is None:
            return None
        for position, choice in enumerate(map(as_mapping, choices)):
            if choice is not None:
                number = choice.get("index")
                index = number if isinstance(number, int) else position
                texts[index] = texts.get(index, "") + _delta_text(choice)
    return tuple(Message("assistant", text).as_candidate(index) for index, text in sorted(texts.items()))


def _choice(choice: Mapping[str, Any]) -> Message:
    body = as_mapping(choice.get("message")) or as_mapping(choice.get("delta"))
    if body is None:
        return Message("assistant", text_of(choice.get("text")))
    return message({"role": "assistant", "content": None, **body}) or Message("assistant")


def _delta_text(choice: Mapping[str, Any]) -> str:
    delta = as_mapping(choice.get("delta"))
    return body_text(delta) if delta is not None else text_of(choice.get("text"))


def _call_parts(content: object) -> list[Any]:
    items = as_list(content)
    if not items:
        return []
    parts = map(as_mapping, items)
    return [part for part in parts if part is not None and "tool" in told(part.get("type"))]


def _call_id(call: Mapping[str, Any] | None) -> str | None:
    if call is None:
        return None
    for key in ("id", "call_id", "toolCallId", "tool_call_id"):
        if found := text_or_none(call.get(key)):
            return found
    return text_or_none(call.get("name"))
