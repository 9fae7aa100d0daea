r"""Groups as ``regex`` has to write them so that they hold what they do in JavaScript.

A group of the pattern becomes up to three groups of ``regex``:

- ``gN`` is what references to group N mean. JavaScript lets a reference to an unset group match nothing, so
  this one is set to nothing at the start where need be, and again at the start of each iteration around it.
- ``cN`` is what group N captured, for those who want to know.
- ``bN`` tells whether ``cN`` is stale: it holds one character since an iteration has begun, and nothing since
  the group has been set.

``e`` is a group that holds nothing. ``regex`` remembers at which places the rest of a pattern has failed,
unless there is a reference in that rest, which could find another text the next time. But it looks for one
only as far as the end of the iteration, and not into loops with a limit: ``(_.?)*\1`` misses the match in
``___x_``. A reference to ``e`` in these places makes it see one, and always matches.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, TypeAlias

from turngrade.core.dialect.analysis import children, descendants, filled_groups, inner_groups
from turngrade.core.dialect.nodes import BackReference, Group, Look, Node, Repeat, Sequence, Tree

GroupSpan: TypeAlias = tuple[int, int]

DEFINE_EMPTY: Final = "(?P<e>)"
REFER_TO_EMPTY: Final = "(?P=e)"


class Captures:
    """How the groups of one pattern are written.

    Attributes:
        referenced: The groups that some reference means.
    """

    def __init__(self, tree: Tree, *, report: bool) -> None:
        self.referenced = _referenced_in(tree.root)
        self._early = _early(tree.root, frozenset())
        self._reported = frozenset(inner_groups(tree.root)) if report else frozenset()
        self._looped = _looped(tree) & self._reported

    def wraps(self, group: Group) -> bool:
        """Whether the group is written as a group."""
        return group.index in self.referenced or group.index in self._reported

    def kept(self, groups: Iterable[int]) -> list[int]:
        """Those of the groups whose captures matter."""
        return [index for index in groups if index in self.referenced or index in self._reported]

    def capture(self, index: int, body: str) -> str:
        """The group around its body."""
        if index in self._reported:
            body = f"(?P<c{index}>{body})"
        if index in self._looped:
            body += f"(?P<b{index}>)"
        return f"(?P<g{index}>{body})" if index in self.referenced else body

    def refer(self, index: int) -> str:
        """A reference to the group."""
        return f"(?P=g{index})"

    def preset(self, body: str) -> str:
        """What sets the groups that a reference may meet too early; ``e`` too, where the body needs it."""
        groups = "".join(f"(?P<g{index}>)" for index in sorted(self._early))
        return (DEFINE_EMPTY if groups or REFER_TO_EMPTY in body else "") + groups

    @property
    def reminder(self) -> str:
        """What reminds ``regex`` of references where it would not see them: a reference to ``e``."""
        return REFER_TO_EMPTY if self.referenced else ""

    def reset(self, groups: Iterable[int]) -> str:
        """What unsets the groups at the beginning of an iteration."""
        groups = sorted(groups)
        emptied = "".join(f"(?P<g{index}>)" for index in groups if index in self.referenced)
        return emptied + _staled([index for index in groups if index in self._looped])


def exec_groups(found: Any, group_count: int) -> tuple[GroupSpan | None, ...]:
    """The spans of groups 1 to ``group_count`` as ``exec`` tells them, None for a group that took no part.

    Args:
        found: A match of a pattern that ``emit`` wrote with ``captures=True``.
        group_count: How many groups the pattern has.
    """
    known = found.re.groupindex
    return tuple(_span(found, known, index) for index in range(1, group_count + 1))


def _span(found: Any, known: dict[str, int], index: int) -> GroupSpan | None:
    if f"c{index}" not in known:
        return None
    start, end = found.span(f"c{index}")
    is_stale = f"b{index}" in known and found[f"b{index}"]
    return None if start < 0 or is_stale else (start, end)


def _staled(groups: list[int]) -> str:
    """Sets markers to a character, the next or the one before; a text without any has no second iteration."""
    if not groups:
        return ""
    start = "".join(f"(?P<b{index}>" for index in groups)
    end = ")" * len(groups)
    return f"(?>(?={start}(?s:.){end})|(?<={start}(?s:.){end})|{start}{end})"


def _referenced_in(node: Node) -> frozenset[int]:
    found = (part.groups for part in descendants(node) if isinstance(part, BackReference))
    return frozenset(index for groups in found for index in groups)


def _early(node: Node, filled: frozenset[int]) -> frozenset[int]:
    """The groups that a reference may find unset, if those in ``filled`` are set when the node begins.

    Without any, ``regex`` need not set something first and may look for a place where the pattern can begin.
    """
    match node:
        case BackReference(groups):
            return frozenset(groups) - filled if len(groups) == 1 else frozenset(groups)
        case Sequence(items):
            early: frozenset[int] = frozenset()
            for item in items:
                early |= _early(item, filled)
                filled |= filled_groups(item)
            return early
        case Look(ahead=False):
            return _referenced_in(node)  # matched from right to left
        case _:
            return frozenset().union(*(_early(child, filled) for child in children(node)))


def _looped(tree: Tree) -> frozenset[int]:
    """The groups that an iteration may find set by the one before."""
    loops = (node for node in descendants(tree.root) if isinstance(node, Repeat) and node.max != 1)
    return frozenset(index for loop in loops for index in inner_groups(loop.body))
