"""JSON values, decoded fast where they keep to the standard."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from turngrade.core.bounds import check_parts


def load_json(data: bytes | str) -> Any:
    """Decode one JSON value.

    Args:
        data: The value's text; UTF-8 where it is bytes.

    Raises:
        ValueError: It is not JSON, or holds too many values. ``NaN`` and lone surrogates, which Python
            writes, are accepted.
    """
    check_parts(data)
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeError):
        return json.loads(data)
