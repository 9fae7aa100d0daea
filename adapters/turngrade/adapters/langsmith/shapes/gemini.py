"""Google Gemini: raw candidates.

Its messages (with ``parts`` or with ``content``) have a ``role`` and are read by `openai_chat.message`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turngrade.adapters.langsmith.shapes import openai_chat
from turngrade.adapters.langsmith.shapes.message import Message
from turngrade.adapters.langsmith.shapes.values import as_list, as_mapping


def outputs(data: Mapping[str, Any]) -> tuple[Message, ...] | None:
    """The alternatives in ``candidates``."""
    candidates = as_list(data.get("candidates"))
    if candidates is None:
        return None
    bodies = [as_mapping((as_mapping(item) or {}).get("content")) or {} for item in candidates]
    return tuple(
        Message("assistant", openai_chat.body_text(body), tools=openai_chat.tool_calls(body)).as_candidate(
            index
        )
        for index, body in enumerate(bodies)
    )
