"""Quantifiers: ``*``, ``+``, ``?`` and counts in braces."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, TypeAlias

from turngrade.core.dialect.flags import Mode
from turngrade.core.dialect.scanner import Scanner

Counts: TypeAlias = tuple[int, int | None]
"""The least and the greatest number of repetitions; None for no limit."""

_MAX_COUNT: Final = 0x7FFFFFFF
_BRACES: Final = re.compile(r"\{([0-9]+)(?:(,)([0-9]*))?\}")
_SYMBOLS: Final[Mapping[str, Counts]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}


def sees_quantifier(scanner: Scanner) -> bool:
    """Whether a well-formed quantifier comes next."""
    return scanner.peek() in _SYMBOLS or _BRACES.match(scanner.text, scanner.at) is not None


def quantifier(scanner: Scanner, mode: Mode) -> Counts | None:
    """Reads a quantifier up to the ``?`` that would make it lazy; None if none comes next."""
    start = scanner.at
    if scanner.peek() in _SYMBOLS:
        return _SYMBOLS[scanner.take()]
    if not scanner.sees("{"):
        return None
    braces = scanner.match(_BRACES)
    if braces is None:
        if mode.unicode:
            scanner.fail("Incomplete quantifier", start)
        return None
    least = _count(braces[1])
    most = least if braces[2] is None else _count(braces[3] or str(_MAX_COUNT))
    if most < least:
        scanner.fail("numbers out of order in {} quantifier", start)
    return least, None if most == _MAX_COUNT else most


def _count(digits: str) -> int:
    """A number of repetitions; as in V8 all large ones are the same, and mean no limit."""
    digits = digits.lstrip("0") or "0"
    return min(int(digits), _MAX_COUNT) if len(digits) <= len(str(_MAX_COUNT)) else _MAX_COUNT
