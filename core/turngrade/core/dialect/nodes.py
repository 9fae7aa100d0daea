"""The tree of an ECMAScript pattern: immutable, with source positions.

Terms follow the grammar of ECMA-262, section 22.2.1. What a flag decides is decided while parsing, so
that nobody behind the parser needs to know the flags: sets are closed under case folding, ``.`` is a set,
``^`` is the start of the text or of a line.
"""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from msgspec import Struct

Ranges: TypeAlias = tuple[tuple[int, int], ...]
"""Sorted, disjoint, inclusive ranges of code points (with ``u``/``v``) or of UTF-16 units (without)."""

Span: TypeAlias = tuple[int, int]
"""Start and end in code points of the pattern as written, without the delimiters."""


class AssertionKind(Enum):
    """The simple assertions, after the flags have been applied."""

    TEXT_START = "text start"
    TEXT_END = "text end"
    LINE_START = "line start"
    LINE_END = "line end"
    WORD_BOUNDARY = "word boundary"
    NOT_WORD_BOUNDARY = "not a word boundary"


class Char(Struct, frozen=True):
    """One character written as itself or as an escape; ``ranges`` is all that it matches (case folded)."""

    code: int
    ranges: Ranges
    span: Span


class CharSet(Struct, frozen=True):
    """A class, a class escape or ``.``: exactly one character out of ``ranges`` (may be empty: never)."""

    ranges: Ranges
    span: Span


class Assertion(Struct, frozen=True):
    """A simple assertion; ``words`` are the word characters where the kind is a word boundary, else empty."""

    kind: AssertionKind
    words: Ranges
    span: Span


class Look(Struct, frozen=True):
    """A lookahead or lookbehind."""

    body: Node
    ahead: bool
    negative: bool
    span: Span


class Group(Struct, frozen=True):
    """A group; ``index`` is None where it does not capture."""

    body: Node
    index: int | None
    name: str | None
    span: Span


class BackReference(Struct, frozen=True):
    """A reference to any one of ``groups`` that took part (several for a duplicate name).

    A reference inside of its own group never finds it set; ``groups`` is without that one, and may be empty.
    """

    groups: tuple[int, ...]
    ignore_case: bool
    span: Span


class Repeat(Struct, frozen=True):
    """A quantified atom; ``max`` is None for no upper bound."""

    body: Node
    min: int
    max: int | None
    greedy: bool
    span: Span


class Sequence(Struct, frozen=True):
    """Terms one after the other; empty for the empty alternative."""

    items: tuple[Node, ...]
    span: Span


class Alternation(Struct, frozen=True):
    """Alternatives, tried in order."""

    branches: tuple[Node, ...]
    span: Span


Node: TypeAlias = Char | CharSet | Assertion | Look | Group | BackReference | Repeat | Sequence | Alternation


class Tree(Struct, frozen=True):
    """A parsed pattern.

    ``unicode`` is true with ``u`` or ``v``: the pattern then works on code points, else on UTF-16 units.
    ``names`` maps each group name to the numbers of the groups that bear it.
    """

    root: Node
    pattern: str
    flags: str
    unicode: bool
    sticky: bool
    group_count: int
    names: tuple[tuple[str, tuple[int, ...]], ...]
