"""The tree written as a pattern of the ``regex`` package, for its flags ``V0 | ASCII``.

The pattern is to be searched for in the text that JavaScript sees (see ``utf16``). It has the same matches
as in JavaScript, in the same places. What JavaScript does with groups in loops and ``regex`` does not is
spelled out: every iteration begins with its groups unset, and an iteration beyond the required ones must not
be empty.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby, takewhile
from typing import Final

from msgspec.structs import replace

from turngrade.core.dialect.analysis import (
    can_consume,
    has_reference,
    inner_groups,
    is_empty_last,
    min_width,
)
from turngrade.core.dialect.anchors import has_one_loop_only, implied_anchor
from turngrade.core.dialect.captures import DEFINE_EMPTY, REFER_TO_EMPTY, Captures
from turngrade.core.dialect.characters import NEVER, NO_LINE_TERMINATOR, run_text, set_text
from turngrade.core.dialect.charset import LAST_CODE_POINT, LAST_UNIT, WORD_CHARACTERS
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
    Tree,
)

MAX_TEXT: Final = 1 << 30
"""No text is longer; a pattern that needs more characters never matches."""

_LONGEST_UNROLLED: Final = 4000
_MOST_UNROLLED: Final = 16
_EMPTY: Final = "(?:)"
_REST: Final = "(?s:.)*"
_SIMPLE_ASSERTIONS: Final = {
    AssertionKind.TEXT_START: r"\A",
    AssertionKind.TEXT_END: r"\Z",
    AssertionKind.LINE_START: f"(?<!{NO_LINE_TERMINATOR})",
    AssertionKind.LINE_END: f"(?!{NO_LINE_TERMINATOR})",
}
_PLAIN_LINES: Final = {
    AssertionKind.LINE_START: "(?m:^)",
    AssertionKind.LINE_END: "(?m:$)",
}
_BOUNDARIES: Final = {
    AssertionKind.WORD_BOUNDARY: (r"\b", "(?:(?<={0})(?!{0})|(?<!{0})(?={0}))"),
    AssertionKind.NOT_WORD_BOUNDARY: (r"\B", "(?:(?<={0})(?={0})|(?<!{0})(?!{0}))"),
}
_QUANTIFIERS: Final = {(0, None): "*", (1, None): "+", (0, 1): "?"}


def emit(tree: Tree, *, captures: bool, plain_lines: bool = False) -> str:
    r"""Writes a pattern for ``regex.compile(…, regex.V0 | regex.ASCII)``.

    Args:
        tree: The parsed pattern.
        captures: Whether to capture every group, so that ``exec_groups`` can tell what ``exec`` would; else
            only those that a reference needs are captured. The matches are the same.
        plain_lines: Whether lines end with ``\n`` only in the texts to be searched: ``regex`` finds their
            starts faster than those behind any of the four terminators.
    """
    return _Emitter(tree, captures, plain_lines).pattern(tree.root)


class _Emitter:
    def __init__(self, tree: Tree, captures: bool, plain_lines: bool) -> None:
        self._last = LAST_CODE_POINT if tree.unicode else LAST_UNIT
        self._captures = Captures(tree, report=captures)
        self._assertions = {**_SIMPLE_ASSERTIONS, **(_PLAIN_LINES if plain_lines else {})}
        self._backward = False
        self._loop_guards = 0

    def pattern(self, root: Node) -> str:
        body = self._emit(root)
        anchor = implied_anchor(root, self._captures.referenced)
        preset = self._captures.preset(body)
        if anchor is None:
            return preset + body
        if has_one_loop_only(root):
            return f"{anchor.value}{DEFINE_EMPTY}{preset}{body}{REFER_TO_EMPTY}"
        return anchor.value + preset + body

    def _emit(self, node: Node) -> str:
        """The node, safe to stand in a sequence."""
        match node:
            case Char():
                return run_text((node,))
            case CharSet(ranges):
                return set_text(ranges, self._last)
            case Assertion():
                return self._assertion(node)
            case Sequence(items):
                return self._sequence(items)
            case Alternation(branches):
                return f"(?:{'|'.join(map(self._emit, branches))})"
            case Group():
                return self._group(node)
            case Look():
                return self._look(node)
            case BackReference():
                return self._reference(node)
            case Repeat():
                return self._repeat(node)

    def _assertion(self, node: Assertion) -> str:
        if node.kind in self._assertions:
            return self._assertions[node.kind]
        short, spelled_out = _BOUNDARIES[node.kind]
        if node.words == WORD_CHARACTERS:
            return short
        return spelled_out.format(set_text(node.words, self._last))

    def _sequence(self, items: tuple[Node, ...]) -> str:
        parts: list[str] = []
        for is_char, run in groupby(items, key=lambda item: isinstance(item, Char)):
            if is_char:
                parts.append(run_text(item for item in run if isinstance(item, Char)))
            else:
                parts += map(self._emit, run)
        return "".join(parts)

    def _group(self, node: Group) -> str:
        if node.index is None:
            return self._emit(node.body)
        return self._captures.capture(node.index, self._emit(node.body))

    def _look(self, node: Look) -> str:
        only_asks = node.ahead and not self._captures.kept(inner_groups(node.body))
        with self._direction(backward=not node.ahead):
            body = self._sought(node.body) if only_asks else self._emit(node.body)
        return f"(?{'' if node.ahead else '<'}{'!' if node.negative else '='}{body})"

    def _sought(self, node: Node) -> str:
        """What a lookahead looks for, where nobody asks how it is found: a loop need not run to its end."""
        match node:
            case Group(body):
                return self._sought(body)
            case Sequence((Repeat(CharSet()) as loop, *rest)) if rest:
                return self._emit(replace(loop, greedy=False)) + self._word_first(tuple(rest))
            case _:
                return self._emit(node)

    def _word_first(self, items: tuple[Node, ...]) -> str:
        r"""A sequence behind a loop. ``regex`` can look for a word, but not for ``\b`` and a word."""
        word = tuple(takewhile(lambda item: isinstance(item, Char), items[1:]))
        if not word or self._emit(items[0]) != _BOUNDARIES[AssertionKind.WORD_BOUNDARY][0]:
            return self._sequence(items)
        rest = self._sequence(items[1 + len(word) :])
        return rf"{self._sequence(word)}(?<=\b(?s:.){{{len(word)}}}){rest}"

    @contextmanager
    def _direction(self, *, backward: bool) -> Iterator[None]:
        """The way in which matching goes: lookbehinds run from right to left."""
        before, self._backward = self._backward, backward
        yield
        self._backward = before

    def _reference(self, node: BackReference) -> str:
        """At most one of the groups is set; the others are empty."""
        if not node.groups:
            return _EMPTY
        text = "".join(map(self._captures.refer, node.groups))
        return f"(?i:{text})" if node.ignore_case else text

    def _repeat(self, node: Repeat) -> str:
        least, most = node.min, node.max
        if not can_consume(node.body):
            least = most = min(least, 1)
        if most == 0:
            return _EMPTY
        if least * min_width(node.body) > MAX_TEXT:
            return NEVER
        if (least, most) == (1, 1):
            return self._emit(node.body)
        return self._loop(node, least, most)

    def _loop(self, node: Repeat, least: int, most: int | None) -> str:
        body, lazy = node.body, "" if node.greedy else "?"
        captured = self._captures.kept(inner_groups(body))
        resets = "" if most == 1 else self._captures.reset(captured)
        iteration = self._iteration(body, resets, self._captures.reminder if most is None else "")
        too_soon = least != most and self._may_be_empty_too_soon(body, captured)
        optional = self._not_empty(iteration) if too_soon else iteration
        if most is not None and has_reference(body):
            return self._unrolled(iteration, optional, (least, most), node.greedy)
        if not too_soon:
            return iteration + _quantifier(least, most) + lazy
        required = iteration + _quantifier(least, least) if least else ""
        more = _quantifier(0, None if most is None else most - least)
        return self._in_order(required, optional + more + lazy)

    def _unrolled(self, required: str, optional: str, counts: tuple[int, int], greedy: bool) -> str:
        """A loop with a limit and a reference in it, as alternatives.

        What ``regex`` remembers of such a loop is wrong once the reference finds another text. One that would
        be too long or nest too deeply stays a loop.
        """
        least, most = counts
        if most > _MOST_UNROLLED or len(optional) * most > _LONGEST_UNROLLED:
            rest = optional + _quantifier(0, most - least) + ("" if greedy else "?") if most > least else ""
            first = required + _quantifier(least, least) if least else ""
            return self._in_order(self._captures.reminder, self._in_order(first, rest))
        rest = ""
        for _ in range(most - least):
            once = self._in_order(optional, rest)
            rest = f"(?:{once}|)" if greedy else f"(?:|{once})"
        return self._in_order(required * least, rest)

    def _may_be_empty_too_soon(self, body: Node, captured: list[int]) -> bool:
        """Whether an iteration that takes nothing would lead to another match, or to other groups."""
        return min_width(body) == 0 and (bool(captured) or not is_empty_last(body))

    def _iteration(self, body: Node, start: str, end: str) -> str:
        """The body of a loop between what belongs to its start and end, safe to stand before a quantifier."""
        text = self._emit(body)
        while isinstance(body, Group) and not self._captures.wraps(body):
            body = body.body
        if isinstance(body, (Char, CharSet)) and text != NEVER:
            return text
        return f"(?:{self._in_order(start, self._in_order(text, end))})"

    def _not_empty(self, iteration: str) -> str:
        """The iteration, refused if what is left of the text is the same before and after it."""
        self._loop_guards += 1
        name = f"t{self._loop_guards}"
        if self._backward:
            return rf"(?:(?<!\A(?P={name})){iteration}(?<=(?P<{name}>\A{_REST})))"
        return rf"(?:(?=(?P<{name}>{_REST})){iteration}(?!(?P={name})\Z))"

    def _in_order(self, first: str, second: str) -> str:
        """Two parts in the order in which they are to be matched."""
        return second + first if self._backward else first + second


def _quantifier(least: int, most: int | None) -> str:
    if (least, most) == (1, 1):
        return ""
    if least == most:
        return f"{{{least}}}"
    return _QUANTIFIERS.get((least, most)) or f"{{{least},{'' if most is None else most}}}"
