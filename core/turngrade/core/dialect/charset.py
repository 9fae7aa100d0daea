"""Sets of characters as sorted tuples of inclusive ranges, and the sets that ECMA-262 gives a name."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import Final

from turngrade.core.dialect.nodes import Ranges

LAST_UNIT: Final = 0xFFFF
LAST_CODE_POINT: Final = 0x10FFFF

DIGITS: Final[Ranges] = ((0x30, 0x39),)
WORD_CHARACTERS: Final[Ranges] = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
LINE_TERMINATORS: Final[Ranges] = ((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029))
WHITE_SPACE: Final[Ranges] = (
    (0x09, 0x0D),
    (0x20, 0x20),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
    (0xFEFF, 0xFEFF),
)
"""WhiteSpace and LineTerminator: with the byte order mark, without U+0085 and U+001C to U+001F."""


def single(code: int) -> Ranges:
    """The set of one character."""
    return ((code, code),)


def from_codes(codes: Iterable[int]) -> Ranges:
    """The set of these characters."""
    return union((code, code) for code in codes)


def union(*sets: Iterable[tuple[int, int]]) -> Ranges:
    """What is in any of the sets, which may hold their ranges in any order."""
    merged: list[tuple[int, int]] = []
    for low, high in sorted(item for ranges in sets for item in ranges):
        if merged and low <= merged[-1][1] + 1:
            if high > merged[-1][1]:
                merged[-1] = (merged[-1][0], high)
        else:
            merged.append((low, high))
    return tuple(merged)


def complement(ranges: Ranges, last: int) -> Ranges:
    """What is between 0 and ``last`` but not in the set."""
    gaps: list[tuple[int, int]] = []
    start = 0
    for low, high in ranges:
        if low > start:
            gaps.append((start, low - 1))
        start = high + 1
    if start <= last:
        gaps.append((start, last))
    return tuple(gaps)


def difference(left: Ranges, right: Ranges) -> Ranges:
    """What is in ``left`` but not in ``right``."""
    return intersection(left, complement(right, LAST_CODE_POINT))


def intersection(left: Ranges, right: Ranges) -> Ranges:
    """What is in both sets."""
    common: list[tuple[int, int]] = []
    i = j = 0
    while i < len(left) and j < len(right):
        low, high = max(left[i][0], right[j][0]), min(left[i][1], right[j][1])
        if low <= high:
            common.append((low, high))
        if left[i][1] < right[j][1]:
            i += 1
        else:
            j += 1
    return tuple(common)


def contains(ranges: Ranges, code: int) -> bool:
    """Whether the character is in the set."""
    at = bisect_right(ranges, (code, LAST_CODE_POINT + 1)) - 1
    return at >= 0 and code <= ranges[at][1]
