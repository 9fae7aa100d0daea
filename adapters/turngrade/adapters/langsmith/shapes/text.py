"""The visible text of a message's content."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turngrade.adapters.langsmith.shapes.values import as_list, as_mapping, is_set

TEXT_PARTS = ("text", "output_text", "input_text", "text_delta")


def text_of(content: object) -> str:
    """Join the visible text parts of a content value with nothing in between.

    Text and refusals are visible, and so is what an audio part says. Reasoning, tool calls, tool results,
    images and files are not.

    Args:
        content: A string, a part, or a list of strings and parts, of any provider.
    """
    if isinstance(content, str):
        return content
    parts = as_list(content)
    if parts is not None:
        return "".join(part if isinstance(part, str) else _part_text(as_mapping(part)) for part in parts)
    return _part_text(as_mapping(content))


def is_text_part(value: object) -> bool:
    """Whether a value is a content part that holds text."""
    part = as_mapping(value)
    if part is None or not isinstance(part.get("text"), str):
        return False
    kind = part.get("type")
    return isinstance(kind, str) and kind in TEXT_PARTS


def _part_text(part: Mapping[str, Any] | None) -> str:
    if part is None or is_set(part.get("thought")):
        return ""
    kind = part.get("type")
    if kind is not None and not isinstance(kind, str):
        return ""
    if kind in TEXT_PARTS or kind is None:
        return _string(part, "text") or (_string(part, "content") if kind == "text" else "")
    if kind == "refusal":
        return _string(part, "refusal")
    if kind in ("audio", "output_audio"):
        return _string(part, "transcript")
    return ""


def _string(part: Mapping[str, Any], key: str) -> str:
    value = part.get(key)
    if isinstance(value, Mapping):  # the Assistants API: {"text": {"value": "…", "annotations": []}}
        value = value.get("value")
    return value if isinstance(value, str) else ""
