r"""Matches between the two halves of a character.

With ``u`` and ``v`` the standard knows code points only, but V8 also tries to match between the two
surrogates of a character beyond U+FFFF: ``/\B/u`` matches in ``a😀a``. Nothing can be consumed there, so
whether a pattern matches does not depend on the text.
"""

from __future__ import annotations

from turngrade.core.dialect.charset import LAST_CODE_POINT, LAST_UNIT
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
    Repeat,
    Sequence,
)


def with_matches_between_halves(root: Node) -> Node:
    """The pattern, matching a whole character where V8 matches in the middle of it.

    Args:
        root: A pattern with ``u`` or ``v`` that is searched for, not one that is tried at the start only.
    """
    if not matches_between_halves(root):
        return root
    astral = CharSet(((LAST_UNIT + 1, LAST_CODE_POINT),), root.span)
    return Alternation((root, astral), root.span)


def matches_between_halves(node: Node) -> bool:
    """Whether the node matches, taking nothing, between a high and a low surrogate."""
    match node:
        case Char() | CharSet():
            return False
        case BackReference(groups):
            return not groups
        case Assertion(kind):
            return kind is AssertionKind.NOT_WORD_BOUNDARY
        case Look(body, _, negative):
            return matches_between_halves(body) is not negative
        case Group(body):
            return matches_between_halves(body)
        case Repeat(body, least, most):
            return least == 0 or most == 0 or matches_between_halves(body)
        case Sequence(items):
            return all(map(matches_between_halves, items))
        case Alternation(branches):
            return any(map(matches_between_halves, branches))
