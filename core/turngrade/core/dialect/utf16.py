"""Text as JavaScript sees it: in UTF-16 units, or in code points without split pairs."""

from __future__ import annotations

import re
from typing import Final

_ASTRAL: Final = re.compile("[\U00010000-\U0010ffff]")
_PAIR: Final = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def split_astral(text: str) -> str:
    """The text in UTF-16 units: each half of an astral character is a character of its own."""
    return text if text.isascii() else _ASTRAL.sub(_halves, text)


def join_pairs(text: str) -> str:
    """The text in code points: two halves of a surrogate pair side by side become one character."""
    return text if text.isascii() else _PAIR.sub(_whole, text)


def split_with_origins(text: str) -> tuple[str, list[int] | None]:
    """``split_astral``, and for each place in the result the index in ``text``; None if nothing changed."""
    units = split_astral(text)
    if len(units) == len(text):
        return text, None
    origins = [i for i, character in enumerate(text) for _ in range(1 + (ord(character) > 0xFFFF))]
    return units, [*origins, len(text)]


def join_with_origins(text: str) -> tuple[str, list[int] | None]:
    """``join_pairs``, and for each place in the result the index in ``text``; None if nothing changed."""
    joined = join_pairs(text)
    if len(joined) == len(text):
        return text, None
    second_halves = {pair.start() + 1 for pair in _PAIR.finditer(text)}
    return joined, [i for i in range(len(text) + 1) if i not in second_halves]


def _halves(character: re.Match[str]) -> str:
    offset = ord(character[0]) - 0x10000
    return chr(0xD800 + (offset >> 10)) + chr(0xDC00 + (offset & 0x3FF))


def _whole(pair: re.Match[str]) -> str:
    high, low = map(ord, pair[0])
    return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
