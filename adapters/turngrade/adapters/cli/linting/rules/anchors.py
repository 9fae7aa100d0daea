"""Anchors and boundaries that stand where they cannot mean what they seem to."""

from __future__ import annotations

from collections.abc import Iterator

from turngrade.adapters.cli.linting.rule import Remark, Rule
from turngrade.adapters.cli.linting.subject import PatternSubject
from turngrade.core.dialect.analysis import descendants
from turngrade.core.dialect.nodes import Assertion, AssertionKind, Char, CharSet, Node, Repeat, Sequence


def _line_anchors(subject: PatternSubject) -> Iterator[Remark]:
    kinds = {node.kind: node for node in descendants(subject.tree.root) if isinstance(node, Assertion)}
    start, end = kinds.get(AssertionKind.TEXT_START), kinds.get(AssertionKind.TEXT_END)
    if (start is None) == (end is None):
        return
    if start is not None:
        message = "^ without the flag m is the start of the whole text, not of a line"
        yield Remark(start.span[0], message, "write (?m) at the start, if any line will do")
    elif end is not None:
        message = "$ without the flag m is the end of the whole text, not of a line"
        yield Remark(end.span[0], message, "write (?m) at the start, if any line will do")


LINE_ANCHOR = Rule(
    "line-anchor",
    "`^` or `$` alone, without the flag `m`",
    r"Answers have several lines. `^\d+\.\s` finds a numbered list only when nothing stands before it. A "
    r"pattern "
    "with both anchors is meant for the whole text, and is left alone.",
    _line_anchors,
    fires=(r"^\d+\.\s", r"done\.$"),
    silent=(r"(?m)^\d+\.\s", r"^\s*\{[\s\S]*\}\s*$", r"\d+\.\s", r"^yes$"),
)


def _boundaries(subject: PatternSubject) -> Iterator[Remark]:
    for node in descendants(subject.tree.root):
        items = node.items if isinstance(node, Sequence) else ()
        for index, item in enumerate(items):
            if not isinstance(item, Assertion) or item.kind is not AssertionKind.WORD_BOUNDARY:
                continue
            before = _wordiness(items[index - 1], item) if index else None
            behind = _wordiness(items[index + 1], item) if index + 1 < len(items) else None
            if False in (before, behind) and True not in (before, behind):
                message = r"\b beside a character that is no word character needs one on its other side"
                yield Remark(
                    item.span[0], message, r"leave it out, or write (?<!\w) before and (?!\w) behind"
                )


def _wordiness(node: Node, boundary: Assertion) -> bool | None:
    """Whether a node takes word characters only (True), none (False), or cannot be told (None)."""
    if isinstance(node, Repeat):
        return _wordiness(node.body, boundary) if node.min else None
    if not isinstance(node, Char | CharSet) or not node.ranges:
        return None
    inside = [_inside(first, last, boundary) for first, last in node.ranges]
    if all(part is True for part in inside):
        return True
    return False if all(part is False for part in inside) else None


def _inside(first: int, last: int, boundary: Assertion) -> bool | None:
    touching = [(low, high) for low, high in boundary.words if low <= last and first <= high]
    if not touching:
        return False
    return True if any(low <= first and last <= high for low, high in touching) else None


BOUNDARY = Rule(
    "boundary-beside-punctuation",
    r"`\b` beside a character that is no word character",
    r"`\b` stands between a word character and another one. `\b--force\b` therefore needs a letter before "
    r"the first "
    r"dash, and never matches behind a space, where options stand.",
    _boundaries,
    fires=(r"\b--force\b", r"\$\b", r"\b[#@]", r"C\+\+\b"),
    silent=(r"\bforce\b", r"\$\b5", r"x\b-", r"(?<!\w)--force\b", r"\b\w+@"),
)
