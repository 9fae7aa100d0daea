"""A nondeterministic automaton for a pattern without back references.

States are built from the end of the pattern to its start, each fragment with the states that it goes on
to. There are two of these: one for the case that the current iteration of the innermost loop has consumed
something, one for the case that it has not. This is how the rule that an optional iteration must not be
empty (ECMA-262, RepeatMatcher) is built into the automaton, and the order of the edges keeps the order
in which JavaScript would try them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from turngrade.core.dialect.alphabet import Alphabet
from turngrade.core.dialect.analysis import can_consume
from turngrade.core.dialect.charset import LINE_TERMINATORS
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
    Ranges,
    Repeat,
    Sequence,
)

EDGE: Final = 1
"""Fact about a side of a position: the text ends here."""
_NEWLINE: Final = 2
_FIRST_WORD: Final = 4

_LINE_KINDS: Final = (AssertionKind.LINE_START, AssertionKind.LINE_END)

ACCEPT: Final = 0
_DEAD: Final = 1
_MAX_STATES: Final = 10_000

Condition: TypeAlias = Callable[[int, int, int], bool]
"""Whether an edge is open, by the facts before and behind the position and the lookarounds that hold."""


class Unsuitable(Exception):
    """The pattern is not one for an automaton."""


class Exits(NamedTuple):
    """Where a fragment goes on: the iteration around it is still empty, or has consumed something."""

    empty: int
    consumed: int


class State(NamedTuple):
    """Either consumes one of ``symbols`` (a bit mask) and goes to ``target``, or has ``edges`` in order."""

    symbols: int
    target: int
    edges: tuple[tuple[Condition | None, int], ...]


class Facts:
    """What assertions ask about the characters on both sides of a position, as bits by symbol."""

    def __init__(self, alphabet: Alphabet, assertions: list[Assertion]) -> None:
        words = dict.fromkeys(node.words for node in assertions if node.words)
        self._bits: dict[Ranges, int] = {ranges: _FIRST_WORD << number for number, ranges in enumerate(words)}
        if any(node.kind in _LINE_KINDS for node in assertions):
            self._bits[LINE_TERMINATORS] = _NEWLINE
        inside = [(alphabet.members(ranges), bit) for ranges, bit in self._bits.items()]
        symbols = range(alphabet.size)
        known = [sum(bit for members, bit in inside if members >> symbol & 1) for symbol in symbols]
        self.by_symbol: Final = (*known, EDGE)

    def condition(self, node: Assertion) -> Condition:
        """The condition that stands for an assertion."""
        kind = node.kind
        if kind is AssertionKind.TEXT_START:
            return lambda before, after, looks: before & EDGE != 0
        if kind is AssertionKind.TEXT_END:
            return lambda before, after, looks: after & EDGE != 0
        if kind is AssertionKind.LINE_START:
            return lambda before, after, looks: before & (EDGE | _NEWLINE) != 0
        if kind is AssertionKind.LINE_END:
            return lambda before, after, looks: after & (EDGE | _NEWLINE) != 0
        bit = self._bits[node.words]
        if kind is AssertionKind.WORD_BOUNDARY:
            return lambda before, after, looks: (before ^ after) & bit != 0
        return lambda before, after, looks: (before ^ after) & bit == 0


class Builder:
    """Builds the states of a tree, to be read forwards or backwards."""

    def __init__(self, alphabet: Alphabet, facts: Facts, looks: Mapping[int, int], *, backward: bool) -> None:
        self._alphabet = alphabet
        self._facts = facts
        self._looks = looks
        self._backward = backward
        self.states: list[State] = [State(0, _DEAD, ()), State(0, _DEAD, ())]

    def build(self, node: Node, exits: Exits) -> Exits:
        """Add the states of a node; returns its entries for both cases of ``exits``."""
        match node:
            case Char() | CharSet():
                entry = self._add(State(self._alphabet.members(node.ranges), exits.consumed, ()))
                return Exits(entry, entry)
            case Group():
                return self.build(node.body, exits)
            case Sequence():
                for item in node.items if self._backward else reversed(node.items):
                    exits = self.build(item, exits)
                return exits
            case Alternation():
                entries = [self.build(branch, exits) for branch in node.branches]
                return Exits(*(self._split(*column) for column in zip(*entries, strict=True)))
            case Repeat():
                return self._repeat(node, exits)
            case Assertion():
                return self._guard(self._facts.condition(node), exits)
            case Look():
                return self._guard(self._look_condition(node), exits)
            case BackReference():
                raise Unsuitable

    def _repeat(self, node: Repeat, exits: Exits) -> Exits:
        required, optional = node.min, None if node.max is None else node.max - node.min
        if not can_consume(node.body):
            required, optional = min(required, 1), 0
        if optional is None:
            exits = self._star(node, exits)
        else:
            for _ in range(optional):
                exits = self._once_more(node, exits)
        for _ in range(required):
            exits = self.build(node.body, exits)
        return exits

    def _star(self, node: Repeat, exits: Exits) -> Exits:
        again = self._add(State(0, _DEAD, ()))
        body = self.build(node.body, Exits(_DEAD, again)).empty
        self.states[again] = State(0, _DEAD, _in_order(node.greedy, body, exits.consumed))
        if exits.empty == exits.consumed:
            return Exits(again, again)
        first = self._add(State(0, _DEAD, _in_order(node.greedy, body, exits.empty)))
        return Exits(first, again)

    def _once_more(self, node: Repeat, exits: Exits) -> Exits:
        """An optional iteration in front of what follows."""
        body = self.build(node.body, Exits(_DEAD, exits.consumed)).empty
        consumed = self._add(State(0, _DEAD, _in_order(node.greedy, body, exits.consumed)))
        if exits.empty == exits.consumed:
            return Exits(consumed, consumed)
        return Exits(self._add(State(0, _DEAD, _in_order(node.greedy, body, exits.empty))), consumed)

    def _look_condition(self, node: Look) -> Condition:
        bit = 1 << self._looks[id(node)]
        if node.negative:
            return lambda before, after, looks: looks & bit == 0
        return lambda before, after, looks: looks & bit != 0

    def _guard(self, condition: Condition, exits: Exits) -> Exits:
        consumed = self._add(State(0, _DEAD, ((condition, exits.consumed),)))
        if exits.empty == exits.consumed:
            return Exits(consumed, consumed)
        return Exits(self._add(State(0, _DEAD, ((condition, exits.empty),))), consumed)

    def _split(self, *targets: int) -> int:
        distinct = tuple(dict.fromkeys(targets))
        if len(distinct) == 1:
            return distinct[0]
        return self._add(State(0, _DEAD, tuple((None, target) for target in distinct)))

    def _add(self, state: State) -> int:
        if len(self.states) >= _MAX_STATES:
            raise Unsuitable
        self.states.append(state)
        return len(self.states) - 1


def sets_of(nodes: list[Node]) -> Iterator[Ranges]:
    """All sets that an automaton for these nodes must tell apart."""
    for node in nodes:
        if isinstance(node, (Char, CharSet)):
            yield node.ranges
        elif isinstance(node, Assertion) and node.words:
            yield node.words
        elif isinstance(node, Assertion) and node.kind in _LINE_KINDS:
            yield LINE_TERMINATORS


def _in_order(greedy: bool, body: int, after: int) -> tuple[tuple[None, int], ...]:
    return ((None, body), (None, after)) if greedy else ((None, after), (None, body))
