"""JSON values, decoded fast where they keep to the standard."""

from __future__ import annotations

import json
from typing import Any

import msgspec


def load_json(data: bytes | str) -> Any:
    """Decode one JSON value.

    Args:
        data: The value's text; UTF-8 where it is bytes.

    Raises:
        ValueError: It is not JSON. ``NaN`` and lone surrogates, which Python writes, are accepted.
    """
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeError):
        return json.loads(data)
