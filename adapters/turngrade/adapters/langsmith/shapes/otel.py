"""OpenTelemetry spans: attributes that were kept as they are, JSON texts among them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

_ATTRIBUTES = (
    "gen_ai.output.messages",
    "gen_ai.completion",
    "llm.output_messages",
    "output.value",
    "traceloop.entity.output",
)


def attribute(data: Mapping[str, Any]) -> object | None:
    """The value of the attribute that holds a span's output; None where there is none."""
    for name in _ATTRIBUTES:
        if (value := data.get(name)) is not None:
            return _decoded(value)
    return None


def _decoded(value: object) -> object:
    if not isinstance(value, str) or value[:1] not in ("{", "["):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value
