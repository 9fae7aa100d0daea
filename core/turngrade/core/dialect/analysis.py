"""What can be said about a part of a pattern without matching it."""

from __future__ import annotations

from collections.abc import Iterator

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
)


def children(node: Node) -> tuple[Node, ...]:
    """The nodes directly below."""
    if isinstance(node, Sequence):
        return node.items
    if isinstance(node, Alternation):
        return node.branches
    if isinstance(node, (Group, Look, Repeat)):
        return (node.body,)
    return ()


def descendants(node: Node) -> Iterator[Node]:
    """The node itself and all nodes below, in the order of the pattern."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(reversed(children(current)))


def inner_groups(node: Node) -> tuple[int, ...]:
    """The numbers of the capturing groups in a node."""
    groups = (part.index for part in descendants(node) if isinstance(part, Group))
    return tuple(index for index in groups if index is not None)


def has_reference(node: Node) -> bool:
    """Whether there is a reference in the node that can match anything but nothing."""
    return any(isinstance(part, BackReference) and part.groups for part in descendants(node))


def min_width(node: Node) -> int:
    """The least number of characters that a match of the node takes."""
    match node:
        case Char() | CharSet():
            return 1
        case Sequence(items):
            return sum(map(min_width, items))
        case Alternation(branches):
            return min(map(min_width, branches))
        case Group(body):
            return min_width(body)
        case Repeat(body, least):
            return least and least * min_width(body)
        case Assertion() | Look() | BackReference():
            return 0


def can_consume(node: Node) -> bool:
    """Whether a match of the node can take any character at all."""
    match node:
        case Char() | CharSet():
            return True
        case BackReference(groups):
            return bool(groups)
        case Assertion() | Look():
            return False
        case Repeat(body, _, most):
            return most != 0 and can_consume(body)
        case Group() | Sequence() | Alternation():
            return any(map(can_consume, children(node)))


def is_empty_last(node: Node) -> bool:
    """Whether the node matches nothing only when all that would take characters has been tried.

    An iteration that takes nothing does no harm then: refusing it, as JavaScript does, leads to the same
    next step as accepting it.
    """
    if min_width(node) > 0 or not can_consume(node):
        return True
    match node:
        case Alternation(branches):
            return is_empty_last(branches[-1]) and all(min_width(branch) > 0 for branch in branches[:-1])
        case Repeat(body, _, _, greedy):
            return greedy and is_empty_last(body)
        case _:
            return all(map(is_empty_last, children(node)))


def filled_groups(node: Node) -> frozenset[int]:
    """The numbers of the groups that take part in every match of a node."""
    match node:
        case Group(body, index):
            return filled_groups(body) if index is None else filled_groups(body) | {index}
        case Sequence(items):
            return frozenset[int]().union(*map(filled_groups, items))
        case Alternation(branches):
            return frozenset.intersection(*map(filled_groups, branches))
        case Repeat(body, least) if least:
            return filled_groups(body)
        case Look(body, negative=False):
            return filled_groups(body)
        case _:
            return frozenset()
