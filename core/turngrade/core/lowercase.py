"""JavaScript's ``toLowerCase``, with the way back to the offsets of the original text.

Python's ``str.lower`` follows the same tables of Unicode, final sigma included, but those of its own release;
V8 follows Unicode 17. The characters that gained a lower case after Unicode 14 are mapped here.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

_NEWER = {
    0x1C89: 0x1C8A,
    0xA7CB: 0x264,
    0xA7CC: 0xA7CD,
    0xA7CE: 0xA7CF,
    0xA7D2: 0xA7D3,
    0xA7D4: 0xA7D5,
    0xA7DA: 0xA7DB,
    0xA7DC: 0x19B,
    **{upper: upper + 0x20 for upper in range(0x10D50, 0x10D66)},
    **{upper: upper + 0x1B for upper in range(0x16EA0, 0x16EB9)},
}
_NEWER_BYTES = frozenset(chr(code).encode()[:-1] for code in _NEWER)
"""How these begin in UTF-8, where they are quicker to look for; so do some other letters of their scripts."""


def lowercase(text: str) -> str:
    """The text as JavaScript's ``toLowerCase`` gives it."""
    return text.lower() if is_lowered_alike(text) else text.translate(_NEWER).lower()


def is_lowered_alike(text: str) -> bool:
    """Whether Python certainly lower-cases a text as JavaScript does."""
    if text.isascii():
        return True
    data = text.encode("utf-8", "surrogatepass")
    return not any(begin in data for begin in _NEWER_BYTES)


def original_span(text: str, start: int, end: int) -> tuple[int, int]:
    """Map a span of ``lowercase(text)`` back to the text, widened to whole characters."""
    if "İ" not in text:  # the only character that lower-cases to two
        return start, end
    ends = list(accumulate(2 if char == "İ" else 1 for char in text))
    return bisect_right(ends, start), bisect_right(ends, end - 1) + 1
