"""The two ways in which ECMA-262 ignores case (Canonicalize, section 22.2.2.7.3).

Without ``u`` and ``v`` two UTF-16 units are the same if their upper case is, where that is a single unit and
does not lead from outside ASCII into it. With ``u`` or ``v`` two code points are the same if simple case
folding makes them so.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cache, lru_cache

from msgspec import Struct

from turngrade.core.dialect.case_data import SIMPLE_FOLDING, UPPER_CASE, Run
from turngrade.core.dialect.charset import union
from turngrade.core.dialect.nodes import Ranges


class CaseTable(Struct, frozen=True):
    """The characters that have a counterpart in another case, under one of the two rules.

    Attributes:
        canonical: What Canonicalize makes of each character that it changes.
        classes: For each character that has counterparts, all of them, itself included, in order.
        codes: The keys of ``classes`` in order.
    """

    canonical: dict[int, int]
    classes: dict[int, tuple[int, ...]]
    codes: tuple[int, ...]


@cache
def case_table(unicode: bool) -> CaseTable:
    """The table for patterns with (``unicode``) or without ``u`` or ``v``."""
    canonical = _expand(SIMPLE_FOLDING if unicode else UPPER_CASE)
    members: dict[int, list[int]] = {}
    for code, target in canonical.items():
        members.setdefault(target, [target]).append(code)
    classes = {code: tuple(sorted(group)) for group in members.values() for code in group}
    return CaseTable(canonical, classes, tuple(sorted(classes)))


@lru_cache(maxsize=64)
def ignore_case(ranges: Ranges, unicode: bool) -> Ranges:
    """The set together with all counterparts of its members in another case."""
    table = case_table(unicode)
    extra: list[tuple[int, int]] = []
    for low, high in ranges:
        for code in table.codes[bisect_left(table.codes, low) : bisect_right(table.codes, high)]:
            extra += [(other, other) for other in table.classes[code] if not low <= other <= high]
    return union(ranges, extra) if extra else ranges


def canonicalize(code: int, unicode: bool) -> int:
    """The character that stands for all its counterparts."""
    return case_table(unicode).canonical.get(code, code)


def _expand(runs: tuple[Run, ...]) -> dict[int, int]:
    return {code: code + delta for first, last, step, delta in runs for code in range(first, last + 1, step)}
