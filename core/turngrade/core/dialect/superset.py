r"""Patterns of RE2 that match at least where a pattern of the dialect does: where they do not, it cannot.

RE2 has no lookarounds, no references and no lines but those that ``\n`` ends, and it reads bytes. What it
cannot say is left out, which makes the pattern match more. The text is to be given to it in UTF-16 units,
each encoded like a character in UTF-8 (CESU-8): half a character is a character then, as in JavaScript.
"""

from __future__ import annotations

from typing import Final

from turngrade.core.dialect.analysis import can_consume, min_width
from turngrade.core.dialect.charset import (
    LAST_CODE_POINT,
    LAST_UNIT,
    LINE_TERMINATORS,
    WORD_CHARACTERS,
    intersection,
)
from turngrade.core.dialect.nodes import (
    Alternation,
    Assertion,
    AssertionKind,
    BackReference,
    Char,
    CharSet,
    Group,
    Look,
    Node,
    Ranges,
    Repeat,
    Sequence,
    Tree,
)
from turngrade.core.dialect.relax import relax

_MOST_REPEATS: Final = 100
"""RE2 takes counts up to 1,000, and copies as often."""

_MOST_RANGES: Final = 40
"""Beyond ASCII, where every range becomes several sequences of bytes."""

_NEVER: Final = r"[^\x{0}-\x{10ffff}]"
_PAIR: Final = r"[\x{d800}-\x{dbff}][\x{dc00}-\x{dfff}]"
_BEYOND_ASCII: Final[Ranges] = ((0x80, LAST_UNIT),)
_QUANTIFIERS: Final = {(0, None): "*", (1, None): "+", (0, 1): "?"}


def encoded(units: str) -> bytes:
    """A text in UTF-16 units as the patterns read it."""
    return units.encode("utf-8", "surrogatepass")


def supersets(tree: Tree) -> tuple[str, ...]:
    """Patterns that are all found in every text in which the pattern is found.

    Args:
        tree: The parsed pattern.

    Returns:
        One for the pattern, and one for each lookahead and lookbehind that every match must satisfy; without
        those that match nothing but places, and so tell little. Empty if there is nothing to tell.
    """
    root = relax(tree).root
    return tuple(
        _written(node, first=True, last=True) for node in (root, *_required(root)) if min_width(node)
    )


def _required(node: Node) -> list[Node]:
    """The bodies of the lookarounds that hold in every match."""
    match node:
        case Look(body, _, negative=False):
            return [body, *_required(body)]
        case Group(body):
            return _required(body)
        case Repeat(body, least) if least:
            return _required(body)
        case Sequence(items):
            return [body for item in items for body in _required(item)]
        case _:
            return []


def _written(node: Node, *, first: bool = False, last: bool = False) -> str:
    """The node for RE2.

    Args:
        node: A node without references.
        first: Whether the match begins with the node: what stands before it may then be taken along.
        last: Whether the match ends with it.
    """
    match node:
        case Char(_, ranges) | CharSet(ranges):
            return _set(ranges)
        case Assertion():
            return _assertion(node, first, last)
        case Group(body):
            return f"(?:{_written(body, first=first, last=last)})"
        case Sequence(items):
            end = len(items) - 1
            parts = enumerate(items)
            return "".join(
                _written(item, first=first and not at, last=last and at == end) for at, item in parts
            )
        case Alternation(branches):
            return f"(?:{'|'.join(_written(branch, first=first, last=last) for branch in branches)})"
        case Repeat():
            return _repeat(node)
        case Look() | BackReference():
            return ""


def _assertion(node: Assertion, first: bool, last: bool) -> str:
    match node.kind:
        case AssertionKind.TEXT_START:
            return r"\A"
        case AssertionKind.TEXT_END:
            return r"\z"
        case AssertionKind.LINE_START:
            return rf"(?:\A|{_set(LINE_TERMINATORS)})" if first else ""
        case AssertionKind.LINE_END:
            return rf"(?:\z|{_set(LINE_TERMINATORS)})" if last else ""
        case AssertionKind.WORD_BOUNDARY if node.words == WORD_CHARACTERS:
            return r"\b"
        case AssertionKind.NOT_WORD_BOUNDARY if node.words == WORD_CHARACTERS:
            return r"\B"
        case _:
            return ""


def _repeat(node: Repeat) -> str:
    least, most = node.min, node.max
    if most == 0 or not can_consume(node.body):
        return ""
    if most is not None and most > _MOST_REPEATS:
        most = None
    least = min(least, _MOST_REPEATS)
    count = f"{{{least}}}" if least == most else f"{{{least},{'' if most is None else most}}}"
    return f"(?:{_written(node.body)}){_QUANTIFIERS.get((least, most), count)}"


def _set(ranges: Ranges) -> str:
    """One unit out of the set, or the two of a character beyond U+FFFF."""
    units = _coarse(intersection(ranges, ((0, LAST_UNIT),)))
    has_pairs = bool(ranges) and ranges[-1][1] > LAST_UNIT
    one = _class(units)
    if has_pairs:
        return f"(?:{one}|{_PAIR})" if units else _PAIR
    return one


def _coarse(ranges: Ranges) -> Ranges:
    beyond = intersection(ranges, ((0x80, LAST_CODE_POINT),))
    if len(beyond) <= _MOST_RANGES:
        return ranges
    return intersection(ranges, ((0, 0x7F),)) + _BEYOND_ASCII


def _class(ranges: Ranges) -> str:
    if not ranges:
        return _NEVER
    if ranges == ((ranges[0][0], ranges[0][0]),):
        return _character(ranges[0][0])
    return f"[{''.join(f'{_character(low)}-{_character(high)}' for low, high in ranges)}]"


def _character(code: int) -> str:
    return rf"\x{{{code:x}}}"
