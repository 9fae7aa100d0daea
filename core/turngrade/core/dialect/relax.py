"""A pattern without back references that matches at least where one with them does.

Where the wider pattern does not match, the narrower one does not either: that can be told in linear time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from msgspec.structs import replace

from turngrade.core.dialect.analysis import descendants, filled_groups
from turngrade.core.dialect.casefold import ignore_case
from turngrade.core.dialect.charset import LAST_CODE_POINT
from turngrade.core.dialect.nodes import (
    Alternation,
    Assertion,
    BackReference,
    Char,
    CharSet,
    Group,
    Look,
    Node,
    Repeat,
    Sequence,
    Tree,
)

_NOWHERE: Final = (0, 0)
_NOTHING: Final = Sequence((), _NOWHERE)
_NONE: Final[frozenset[int]] = frozenset()
_ANYTHING: Final = Repeat(CharSet(((0, LAST_CODE_POINT),), _NOWHERE), 0, None, True, _NOWHERE)


def relax(tree: Tree) -> Tree:
    """Replace every reference by all that its groups could hold."""
    return replace(tree, root=_Relaxing(tree).whole(tree.root, _NONE))


def has_references(node: Node) -> bool:
    """Whether there is a back reference in a node."""
    return any(isinstance(part, BackReference) for part in descendants(node))


class _Relaxing:
    def __init__(self, tree: Tree) -> None:
        self._unicode = tree.unicode
        self._groups = {part.index: part for part in descendants(tree.root) if isinstance(part, Group)}

    def whole(self, node: Node, filled: frozenset[int]) -> Node:
        """The node without references; ``filled`` are the groups that have certainly taken part before it."""
        match node:
            case BackReference(indexes):
                held = [self.held(self._groups[index].body, node.ignore_case) for index in indexes]
                return Alternation((*held,) if filled & set(indexes) else (*held, _NOTHING), node.span)
            case Look() if has_references(node.body) and (node.negative or not node.ahead):
                return _NOTHING  # a wider body would narrow the pattern, or is matched from right to left
            case Sequence(items):
                return replace(node, items=tuple(self._in_order(items, filled)))
            case _:
                return _rebuilt(node, lambda child: self.whole(child, filled))

    def _in_order(self, items: tuple[Node, ...], filled: frozenset[int]) -> Iterator[Node]:
        for item in items:
            yield self.whole(item, filled)
            filled |= filled_groups(item)

    def held(self, node: Node, ignoring_case: bool) -> Node:
        """What a group can have taken, wherever it was: its body without conditions."""
        match node:
            case BackReference():
                return _ANYTHING
            case Assertion() | Look():
                return _NOTHING
            case Group(body):
                return self.held(body, ignoring_case)
            case Char() | CharSet() if ignoring_case:
                return CharSet(ignore_case(node.ranges, self._unicode), node.span)
            case _:
                return _rebuilt(node, lambda child: self.held(child, ignoring_case))


def _rebuilt(node: Node, rebuild: Callable[[Node], Node]) -> Node:
    match node:
        case Sequence(items):
            return replace(node, items=tuple(map(rebuild, items)))
        case Alternation(branches):
            return replace(node, branches=tuple(map(rebuild, branches)))
        case Group() | Look() | Repeat():
            return replace(node, body=rebuild(node.body))
        case _:
            return node
