"""From the tree of an ECMAScript pattern to a pattern for ``re`` that matches the same, or a refusal.

Nothing is approximated. What ``re`` treats otherwise than JavaScript, and no rewriting mends, is refused:
loops over what can be empty, lookbehind of no fixed length, and most backreferences. Groups do not capture
here, but for backreferences, because a verdict needs none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

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

_NEVER = "(?!)"
_NO_LINE_END = r"[^\n\r\u2028\u2029]"
_SIMPLE = {
    AssertionKind.TEXT_START: r"\A",
    AssertionKind.TEXT_END: r"\Z",
    AssertionKind.LINE_START: f"(?<!{_NO_LINE_END})",
    AssertionKind.LINE_END: f"(?!{_NO_LINE_END})",
}


class NotExact(ValueError):
    """Python's ``re`` cannot do exactly what the pattern means in JavaScript.

    Args:
        construct: What it is that it cannot do.
    """

    def __init__(self, construct: str) -> None:
        super().__init__(construct)
        self.construct = construct


def re_pattern(tree: Tree) -> str:
    """The pattern for ``re``: over code points with ``u`` or ``v``, over UTF-16 units without.

    Args:
        tree: The parsed pattern.

    Raises:
        NotExact: There is none.
    """
    source = _Writer(tree).write(tree.root)
    try:
        re.compile(source)
    except (re.error, OverflowError, RecursionError) as error:
        raise NotExact(f"a construct that re refuses ({error})") from error
    return source


class _Writer:
    """Writes the nodes of one tree."""

    def __init__(self, tree: Tree) -> None:
        self.last = 0x10FFFF if tree.unicode else 0xFFFF
        self.captured = _checked_references(tree.root)

    def write(self, node: Node) -> str:
        match node:
            case Char() | CharSet():
                return self.characters(node.ranges)
            case Sequence():
                return "".join(self.write(item) for item in node.items)
            case Alternation():
                return f"(?:{'|'.join(self.write(branch) for branch in node.branches)})"
            case Group():
                return self.group(node)
            case Repeat():
                return self.repeat(node)
            case Assertion():
                return self.assertion(node)
            case Look():
                return self.look(node)
            case BackReference():
                return f"(?P=g{node.groups[0]})"

    def characters(self, ranges: Ranges) -> str:
        """Exactly one character of a set."""
        if not ranges:
            return _NEVER
        if ranges == ((0, self.last),):
            return r"[\s\S]"
        if len(ranges) == 1 and ranges[0][0] == ranges[0][1]:
            return _escaped(ranges[0][0])
        return f"[{''.join(_range(low, high) for low, high in ranges)}]"

    def group(self, node: Group) -> str:
        body = self.write(node.body)
        return f"(?P<g{node.index}>{body})" if node.index in self.captured else f"(?:{body})"

    def repeat(self, node: Repeat) -> str:
        if can_be_empty(node.body) and node.min != node.max:
            raise NotExact("a repeat of something that can match the empty text")
        high = "" if node.max is None else str(node.max)
        lazy = "" if node.greedy else "?"
        return f"(?:{self.write(node.body)}){{{node.min},{high}}}{lazy}"

    def assertion(self, node: Assertion) -> str:
        if node.kind in _SIMPLE:
            return _SIMPLE[node.kind]
        word = self.characters(node.words)
        if node.kind is AssertionKind.WORD_BOUNDARY:
            return f"(?:(?<={word})(?!{word})|(?<!{word})(?={word}))"
        return f"(?:(?<={word})(?={word})|(?<!{word})(?!{word}))"

    def look(self, node: Look) -> str:
        sign = "!" if node.negative else "="
        if node.ahead:
            return f"(?{sign}{self.write(node.body)})"
        sides = [f"(?<{sign}{self.write(branch)})" for branch in _branches(node.body)]
        if any(width(branch) is None for branch in _branches(node.body)):
            raise NotExact("a lookbehind without a fixed length")
        if len(sides) == 1:
            return sides[0]
        return "".join(sides) if node.negative else f"(?:{'|'.join(sides)})"


def can_be_empty(node: Node) -> bool:
    """Whether the node can match the empty text."""
    match node:
        case Char() | CharSet():
            return False
        case Sequence():
            return all(can_be_empty(item) for item in node.items)
        case Alternation():
            return any(can_be_empty(branch) for branch in node.branches)
        case Group():
            return can_be_empty(node.body)
        case Repeat():
            return node.min == 0 or can_be_empty(node.body)
        case Assertion() | Look() | BackReference():
            return True


def width(node: Node) -> int | None:
    """How many characters the node matches; None where that varies."""
    match node:
        case Char() | CharSet():
            return 1
        case Sequence():
            return _sum(width(item) for item in node.items)
        case Alternation():
            widths = {width(branch) for branch in node.branches}
            return widths.pop() if len(widths) == 1 else None
        case Group():
            return width(node.body)
        case Repeat():
            one = width(node.body)
            return None if one is None or node.min != node.max else one * node.min
        case Assertion() | Look():
            return 0
        case BackReference():
            return None


def _sum(widths: Iterator[int | None]) -> int | None:
    total = 0
    for one in widths:
        if one is None:
            return None
        total += one
    return total


def _branches(node: Node) -> tuple[Node, ...]:
    """The alternatives of a lookbehind; each may have a length of its own."""
    while isinstance(node, Group) or (isinstance(node, Sequence) and len(node.items) == 1):
        node = node.body if isinstance(node, Group) else node.items[0]
    return node.branches if isinstance(node, Alternation) else (node,)


def _checked_references(root: Node) -> frozenset[int]:
    """The groups that backreferences need.

    JavaScript forgets a group at each round of a loop and lets a reference to an unset group match nothing;
    ``re`` does neither. They agree where the group stands before the reference, always takes part, and is in
    no loop.

    Raises:
        NotExact: For a reference of any other kind.
    """
    references = _References()
    references.visit(root, certain=True)
    return frozenset(references.needed)


class _References:
    """Walks a tree in the order of matching, and knows which groups have taken part for certain."""

    def __init__(self) -> None:
        self.taken: set[int] = set()
        self.needed: set[int] = set()

    def visit(self, node: Node, *, certain: bool) -> None:
        """Visit a node; ``certain`` tells whether every match passes it, once."""
        if isinstance(node, BackReference):
            self.check(node)
        for child in _children(node):
            self.visit(child, certain=certain and isinstance(node, Sequence | Group))
        if isinstance(node, Group) and node.index is not None and certain:
            self.taken.add(node.index)

    def check(self, node: BackReference) -> None:
        if node.ignore_case or len(node.groups) != 1 or node.groups[0] not in self.taken:
            raise NotExact("a backreference whose group is optional, repeated or matched without case")
        self.needed.add(node.groups[0])


def _children(node: Node) -> tuple[Node, ...]:
    match node:
        case Sequence():
            return node.items
        case Alternation():
            return node.branches
        case Group() | Repeat() | Look():
            return (node.body,)
        case _:
            return ()


def _escaped(code: int) -> str:
    char = chr(code)
    if char.isascii() and char.isalnum():
        return char
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _range(low: int, high: int) -> str:
    return _escaped(low) if low == high else f"{_escaped(low)}-{_escaped(high)}"
