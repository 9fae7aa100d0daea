"""What a pattern costs ``regex`` to compile, told from the tree before anything is compiled.

``regex`` copies the body of a repeat once for every required repetition, and once more: nested counts
multiply, and thirteen characters are enough to exhaust the memory of a machine.
"""

from __future__ import annotations

from typing import Final

from turngrade.core.dialect.analysis import can_consume, children
from turngrade.core.dialect.nodes import Node, Repeat, Tree

MAX_COST: Final = 50_000
"""Largest cost that is compiled; no pattern of 50,000 real ones comes near."""

_RANGES_A_NODE: Final = 64


def cost(tree: Tree) -> int:
    """Count the nodes that ``regex`` will build: each as often as the repeats around it copy it."""
    total = 0
    pending: list[tuple[Node, int]] = [(tree.root, 1)]
    while pending:
        node, copies = pending.pop()
        total += copies * _own_cost(node)
        if total > MAX_COST:
            break
        if isinstance(node, Repeat):
            copies *= _copies(node)
        pending.extend((child, copies) for child in children(node))
    return total


def _copies(node: Repeat) -> int:
    if node.max == 0 or (node.min, node.max) == (1, 1) or not can_consume(node.body):
        return 1
    return node.min + 1


def _own_cost(node: Node) -> int:
    ranges = getattr(node, "ranges", ())
    return 1 + len(ranges) // _RANGES_A_NODE
