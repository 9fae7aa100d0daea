"""What is valid but probably not meant, or not understood by older JavaScript engines.

For linters: nothing here changes what a pattern matches.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from turngrade.core.dialect.analysis import descendants
from turngrade.core.dialect.hints import hint_for
from turngrade.core.dialect.nodes import Char, CharSet, Group, Node, Span, Tree

_ESCAPED_LETTER: Final = re.compile(r"\\([ABCE-QSTUVXYZaeghijklmopqyz])")
_MODIFIERS: Final = re.compile(r"\(\?[ims-]+:")
_POSIX_CLASS: Final = re.compile(r"\[\^?\[:\w+:\]")
_OPEN_COUNT: Final = re.compile(r"\{,[0-9]+\}")

_CONDITIONS: Final = {
    "k": "because no group has a name",
    "p": "without the flag u or v",
    "P": "without the flag u or v",
}


@dataclass(frozen=True, slots=True)
class Remark:
    """Something worth a warning.

    Attributes:
        span: The part of the pattern, in code points.
        message: What about it.
    """

    span: Span
    message: str


def remarks(tree: Tree) -> tuple[Remark, ...]:
    """What is worth a warning in a valid pattern, in the order of the pattern."""
    found = [remark for node in descendants(tree.root) for remark in _about(node, tree.pattern)]
    found += _repeated_names(tree)
    return tuple(sorted(found, key=lambda remark: remark.span))


def _about(node: Node, pattern: str) -> Iterator[Remark]:
    start, end = node.span
    written = pattern[start:end]
    match node:
        case Char():
            if escape := _ESCAPED_LETTER.fullmatch(written):
                message = f"{written} is the letter {escape[1]}"
                condition = _CONDITIONS.get(escape[1])
                yield Remark(
                    node.span, f"{message} {condition}" if condition else _with_hint(message, pattern, start)
                )
            elif count := _OPEN_COUNT.match(pattern, start):
                span = count.span()
                yield Remark(span, _with_hint(f"{count[0]} is text, not a quantifier", pattern, start))
        case CharSet(ranges):
            if _POSIX_CLASS.match(written):
                yield Remark(node.span, f"{written} is a class of these characters, not a POSIX class")
            elif not ranges:
                yield Remark(node.span, f"{written} never matches; write \\[ or \\] for a literal bracket")
        case Group(_, None):
            if modifiers := _MODIFIERS.match(written):
                span = start, start + modifiers.end()
                yield Remark(span, f"{modifiers[0]}…) is ES2025; older engines refuse it")
        case _:
            return


def _repeated_names(tree: Tree) -> list[Remark]:
    repeated = {name for name, numbers in tree.names if len(numbers) > 1}
    return [
        Remark(node.span, f"two groups named {node.name} are ES2025; older engines refuse them")
        for node in descendants(tree.root)
        if isinstance(node, Group) and node.name in repeated
    ]


def _with_hint(message: str, pattern: str, position: int) -> str:
    hint = hint_for(pattern, position, "")
    return message if hint is None else f"{message}; {hint}"
