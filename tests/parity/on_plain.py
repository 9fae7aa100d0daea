"""The conversations as plain message lists, in which history and run cannot be told apart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.parity.conversations import CONVERSATIONS, Conversation, Turn

PLAYED = [conversation for conversation in CONVERSATIONS.values() if not conversation.history]


def write(path: Path) -> Path:
    """Write the conversations, one a line."""
    rows = [{"id": c.name, "messages": _messages(c)} for c in PLAYED]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def assistant_message(turn: Turn, call_id: str) -> dict[str, Any]:
    """A turn as OpenAI's chat API writes it, with Anthropic's block for reasoning."""
    message: dict[str, Any] = {"role": "assistant", "content": _content(turn)}
    if turn.refusal:
        message["refusal"] = turn.text
    if turn.calls_tool:
        function = {"name": "look_up", "arguments": '{"what": "alpha"}'}
        message["tool_calls"] = [{"id": call_id, "type": "function", "function": function}]
    return message


def _content(turn: Turn) -> str | list[dict[str, str]] | None:
    if turn.reasoning is not None:
        return [{"type": "thinking", "thinking": turn.reasoning}, {"type": "text", "text": turn.text}]
    return None if turn.refusal else turn.text


def _messages(conversation: Conversation) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [{"role": "user", "content": conversation.name}]
    for number, turn in enumerate(conversation.turns):
        messages.append(assistant_message(turn, f"call-{number}"))
        if turn.calls_tool:
            messages.append({"role": "tool", "tool_call_id": f"call-{number}", "content": "alpha, beta, 42"})
        elif number < len(conversation.turns) - 1:
            messages.append({"role": "user", "content": "Go on, alpha."})
    return messages
