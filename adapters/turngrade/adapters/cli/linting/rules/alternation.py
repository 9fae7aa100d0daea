"""Alternations that bind other than they are read."""

from __future__ import annotations

from collections.abc import Iterator

from turngrade.adapters.cli.linting.rule import Remark, Rule
from turngrade.adapters.cli.linting.subject import PatternSubject
from turngrade.core.dialect.analysis import descendants
from turngrade.core.dialect.nodes import Alternation, Assertion, Node, Sequence


def _branch_anchors(subject: PatternSubject) -> Iterator[Remark]:
    for node in descendants(subject.tree.root):
        if not isinstance(node, Alternation):
            continue
        first = _edge(node.branches[0], 0)
        if first is not None and not any(_edge(branch, 0) for branch in node.branches[1:]):
            yield _remark(subject, first, "first")
        last = _edge(node.branches[-1], -1)
        if last is not None and not any(_edge(branch, -1) for branch in node.branches[:-1]):
            yield _remark(subject, last, "last")


def _edge(branch: Node, index: int) -> Assertion | None:
    """The assertion with which a branch begins (0) or ends (-1); None for one that is nothing else."""
    items = branch.items if isinstance(branch, Sequence) else (branch,)
    edge = items[index] if len(items) > 1 else None
    return edge if isinstance(edge, Assertion) else None


def _remark(subject: PatternSubject, assertion: Assertion, which: str) -> Remark:
    written = subject.source(assertion)
    place = "before" if which == "first" else "behind"
    return Remark(
        assertion.span[0],
        f"{written} belongs to the {which} alternative only",
        f"write a group with {written} {place} it, such as {'^(?:a|b)' if which == 'first' else '(?:a|b)$'}",
    )


BRANCH_ANCHOR = Rule(
    "branch-anchor",
    r"An anchor or `\b` that belongs to one alternative only",
    r"`|` binds weakest: `\bcat|dog\b` means `\bcat` or `dog\b`, and so finds `catalogue` and `hotdog`.",
    _branch_anchors,
    fires=(r"\bcat|dog\b", "^yes|no", "yes|no$", r"(?i)x(?:\ba|b)"),
    silent=(r"\b(?:cat|dog)\b", r"\bcat\b|\bdog\b", "^yes|^no", "^yes$", r"(?:^|\n)x", r"cat|dog"),
)
