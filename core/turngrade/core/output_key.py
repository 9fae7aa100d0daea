"""The spec's ``output_key``: the final output out of a structured one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from turngrade.core.transcript import Transcript


def with_output_key(transcript: Transcript, key: str) -> Transcript:
    """The transcript with the text at ``key`` of its structured output as the final output.

    Args:
        transcript: Left as it is where it has no structured output.
        key: A key; where there is none of that name, dots go deeper (``answer.text``).
    """
    fields = transcript.output_fields
    if fields is None:
        return transcript
    value = _look_up(fields, key)
    if isinstance(value, str):
        return replace(transcript, output=value, output_without_text=False)
    return replace(transcript, output=None, output_without_text=True)


def no_text_at(key: str, fields: Mapping[str, Any]) -> str:
    """Why an ``output_key`` gives no output."""
    known = ", ".join(sorted(map(str, fields))) or "none"
    return f"output_key {key!r} leads to no text in the run's output; its keys: {known}"


def _look_up(fields: Mapping[str, Any], key: str) -> Any:
    if key in fields:
        return fields[key]
    at: Any = fields
    for step in key.split("."):
        at = at.get(step) if isinstance(at, Mapping) else None
    return at
