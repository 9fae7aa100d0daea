"""Where a match can begin at all, told from how the pattern begins.

A pattern that begins with ``.*`` and matches somewhere in a line also matches from the beginning of that
line (or from where the search began, if that is behind it), and the leftmost match is the one that counts.
Trying other places is in vain, and costs quadratic time.
"""

from __future__ import annotations

from enum import Enum
from itertools import takewhile
from typing import Final

from turngrade.core.dialect.analysis import children
from turngrade.core.dialect.characters import NO_LINE_TERMINATOR
from turngrade.core.dialect.charset import LAST_CODE_POINT, LAST_UNIT, LINE_TERMINATORS, complement
from turngrade.core.dialect.nodes import Alternation, CharSet, Group, Look, Node, Ranges, Repeat, Sequence


class Anchor(Enum):
    """The only places where a match can begin; the values say it to ``regex``."""

    SEARCH_START = r"\G"
    LINE_START = rf"(?:\G|(?<!{NO_LINE_TERMINATOR}))"


_LOOPS: Final[dict[Ranges, Anchor]] = {
    complement(excluded, last): anchor
    for excluded, anchor in (((), Anchor.SEARCH_START), (LINE_TERMINATORS, Anchor.LINE_START))
    for last in (LAST_UNIT, LAST_CODE_POINT)
}
"""What ``.`` stands for with and without ``s``, without and with ``u``."""


def implied_anchor(node: Node, referenced: frozenset[int]) -> Anchor | None:
    """The anchor that a pattern implies, if any.

    Args:
        node: The pattern.
        referenced: The groups whose captured text matters; moving the start would change it.
    """
    match node:
        case Repeat(CharSet(ranges), _, None):
            return _LOOPS.get(ranges)
        case Group(body, index):
            return None if index in referenced else implied_anchor(body, referenced)
        case Look(body, ahead=True, negative=False):
            return implied_anchor(body, referenced)
        case Alternation(branches):
            return _common([implied_anchor(branch, referenced) for branch in branches])
        case Sequence(items):
            return _leading(items, referenced)
        case _:
            return None


def has_one_loop_only(node: Node) -> bool:
    """Whether an attempt at a match runs through one loop at most, in each of the leading lookaheads too.

    An anchored pattern of this kind comes to no place twice. What ``regex`` remembers of failures is then of
    no use, and remembering takes it quadratic time.
    """
    return _loops(node) <= 1


def _loops(node: Node) -> int:
    match node:
        case Sequence(items):
            leading = tuple(takewhile(lambda item: isinstance(item, Look), items))
            return max([sum(map(_loops, items[len(leading) :])), *map(_loops, leading)])
        case Repeat(body):
            return 1 + _loops(body)
        case _:
            return max(map(_loops, children(node)), default=0)


def _leading(items: tuple[Node, ...], referenced: frozenset[int]) -> Anchor | None:
    """The anchor of a sequence: lookaheads count until something takes characters."""
    anchors: list[Anchor | None] = []
    for item in items:
        anchors.append(implied_anchor(item, referenced))
        if anchors[-1] is None or not isinstance(item, Look):
            break
    return _common(anchors)


def _common(anchors: list[Anchor | None]) -> Anchor | None:
    return anchors[0] if len(set(anchors)) == 1 else None
