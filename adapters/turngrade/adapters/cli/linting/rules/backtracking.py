"""Quantifiers in quantifiers, which make backtracking engines try for ever."""

from __future__ import annotations

from collections.abc import Iterator

from turngrade.adapters.cli.linting.rule import Remark, Rule
from turngrade.adapters.cli.linting.subject import PatternSubject
from turngrade.core.dialect.analysis import descendants, min_width
from turngrade.core.dialect.nodes import Alternation, Char, CharSet, Group, Node, Ranges, Repeat, Sequence

_MANY = 10
"""From so many repetitions on, a count is as bad as no bound."""


def _nested_quantifiers(subject: PatternSubject) -> Iterator[Remark]:
    for node in descendants(subject.tree.root):
        if (
            isinstance(node, Repeat)
            and _is_many(node)
            and (_can_be_one_repeat(node.body) or _overlaps(node.body))
        ):
            message = (
                "the repeated part can match the same text in many ways, and backtracking tries them all"
            )
            yield Remark(
                node.span[0], message, "let each repetition begin with something that the rest cannot match"
            )


def _is_many(node: Repeat) -> bool:
    return node.max is None or node.max >= _MANY


def _can_be_one_repeat(node: Node) -> bool:
    """Whether a repetition can consist of another repeat and nothing else, as in ``(a+)+`` or ``(a+b?)+``."""
    if isinstance(node, Group):
        return _can_be_one_repeat(node.body)
    if isinstance(node, Repeat):
        return _is_many(node) and min_width(node.body) > 0
    if isinstance(node, Alternation):
        return any(map(_can_be_one_repeat, node.branches))
    if isinstance(node, Sequence):
        needed = [item for item in node.items if min_width(item) > 0]
        return len(needed) <= 1 and any(_can_be_one_repeat(item) for item in needed or node.items)
    return False


def _overlaps(node: Node) -> bool:
    r"""Whether two alternatives of one character each have a character in common, as in ``(\w|\d)+``."""
    while isinstance(node, Group):
        node = node.body
    if not isinstance(node, Alternation):
        return False
    sets = [ranges for branch in node.branches if (ranges := _single(branch)) is not None]
    return any(_meet(one, other) for at, one in enumerate(sets) for other in sets[at + 1 :])


def _single(node: Node) -> Ranges | None:
    if isinstance(node, Sequence) and len(node.items) == 1:
        node = node.items[0]
    return node.ranges if isinstance(node, Char | CharSet) else None


def _meet(one: Ranges, other: Ranges) -> bool:
    return any(low <= last and first <= high for first, last in one for low, high in other)


NESTED_QUANTIFIER = Rule(
    "nested-quantifier",
    "A quantifier in a quantifier that backtracks without end",
    r"`(a+)+b` can split a run of `a` in exponentially many ways, and JavaScript tries them all before it "
    r"gives up. "
    "turngrade decides most such patterns in linear time and bounds the rest, but other tools hang on them.",
    _nested_quantifiers,
    fires=("(a+)+b", r"(?:\w+\s?)+$", "(?:a*)*c", r"(?:\w|\d)+x", "(?:a|b+)*c"),
    silent=("a+b", r"(?:\w+\s)+$", "(?:ab+)+c", r"(?:[a-z]|\d)+x", "(?:a{1,3}){2}"),
)
