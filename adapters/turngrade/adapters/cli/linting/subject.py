"""A pattern as the rules see it: parsed, with its flags, and with what surrounds it in the spec."""

from __future__ import annotations

import re
from functools import cached_property

from msgspec import Struct

from turngrade.core.dialect import InvalidPattern, Tree, parse
from turngrade.core.dialect.nodes import Node

_PREFIX = re.compile(r"\(\?([ims]+)\)")


class PatternSubject(Struct, frozen=True, dict=True):
    """A pattern of a spec.

    Args:
        pattern: As written, with a leading ``(?ims)``.
        tree: The parsed pattern, without that prefix.
        offset: Length of the prefix; positions in the tree count from behind it.
        key: ``pattern`` or ``unless``.
        type: The grader's type.
        in_json: Whether the spec is JSON, in whose strings every backslash is doubled.
    """

    pattern: str
    tree: Tree
    offset: int = 0
    key: str = "pattern"
    type: str = "output-matches"
    in_json: bool = False

    @cached_property
    def body(self) -> str:
        """The pattern without its prefix."""
        return self.pattern[self.offset :]

    @property
    def flags(self) -> str:
        """The flags, of the prefix or beside the pattern."""
        return self.tree.flags

    def source(self, node: Node) -> str:
        """How a node is written."""
        return self.body[node.span[0] : node.span[1]]


def pattern_subject(
    pattern: str,
    flags: str | None = None,
    *,
    key: str = "pattern",
    type: str = "output-matches",
    in_json: bool = False,
) -> PatternSubject | None:
    """Parse a pattern for the rules; None where it is not valid, which is told elsewhere.

    Args:
        pattern: As written in the spec.
        flags: The flags beside it; None where they are a prefix of the pattern.
        key: The key that holds it.
        type: The grader's type.
        in_json: Whether the spec is JSON.
    """
    prefix = _PREFIX.match(pattern) if flags is None else None
    offset = prefix.end() if prefix else 0
    try:
        tree = parse(pattern[offset:], prefix[1] if prefix else flags or "")
    except InvalidPattern:
        return None
    return PatternSubject(pattern, tree, offset, key, type, in_json)
