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
from turngrade.core.dialect.analysis import can_consume, inner_groups
from turngrade.core.dialect.charset import LINE_TERMINATORS
from turngrade.core.dialect.nodes import (
    Alternation,
    Assertion,
    AssertionKind,
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
_MAX_STATES: Final = 20_000

Condition: TypeAlias = Callable[[int, int, int], bool]
"""Whether an edge is open, by the facts before and behind the position and the lookarounds that hold."""


class Unsuitable(Exception):
    """The pattern is not one for an automaton."""


class Exits(NamedTuple):
    """Where a fragment goes on: the iteration around it is still empty, or has consumed something."""

    empty: int
    consumed: int


class Edge(NamedTuple):
    """A way on that takes no character.

    ``marks`` are the slots of groups to write on the way: group N begins in slot 2N and ends in slot 2N+1.
    The position is written, or with ``clears`` that the group is unset.
    """

    target: int
    condition: Condition | None = None
    marks: tuple[int, ...] = ()
    clears: bool = False


class State(NamedTuple):
    """Either consumes one of ``symbols`` (a bit mask) and goes to ``target``, or has ``edges`` in order."""

    symbols: int = 0
    target: int = _DEAD
    edges: tuple[Edge, ...] = ()


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


class Nfa:
    """The states of a pattern; a match goes from ``start`` to `ACCEPT`."""

    def __init__(self, root: Node, alphabet: Alphabet, facts: Facts, looks: Mapping[int, int]) -> None:
        """Build the states.

        Args:
            root: The pattern, or the body of a lookaround.
            alphabet: The symbols.
            facts: What assertions ask for.
            looks: The number of each lookaround, by the identity of its node.

        Raises:
            Unsuitable: There are too many, or there is a back reference.
        """
        self._alphabet = alphabet
        self._looks = looks
        self.facts: Final = facts
        self.states: Final[list[State]] = [State(), State()]
        self.start: Final = self._build(root, Exits(ACCEPT, ACCEPT)).empty

    def _build(self, node: Node, exits: Exits) -> Exits:
        """Add the states of a node; returns its entries for both cases of ``exits``."""
        match node:
            case Char() | CharSet():
                entry = self._add(State(self._alphabet.members(node.ranges), exits.consumed))
                return Exits(entry, entry)
            case Group(body, None):
                return self._build(body, exits)
            case Group(body, int(index)):
                behind = self._passage(exits, marks=(2 * index + 1,))
                return self._passage(self._build(body, behind), marks=(2 * index,))
            case Sequence():
                for item in reversed(node.items):
                    exits = self._build(item, exits)
                return exits
            case Alternation():
                entries = [self._build(branch, exits) for branch in node.branches]
                return Exits(*(self._choice(*column) for column in zip(*entries, strict=True)))
            case Repeat():
                return self._repeat(node, exits)
            case Assertion():
                return self._passage(exits, self.facts.condition(node))
            case Look():
                return self._passage(exits, self._look_condition(node))
            case _:
                raise Unsuitable

    def _repeat(self, node: Repeat, exits: Exits) -> Exits:
        required, optional = node.min, None if node.max is None else node.max - node.min
        if not can_consume(node.body):
            required, optional = min(required, 1), 0
        if optional is None:
            exits = self._star(node, exits)
        else:
            for _ in range(optional):
                exits = self._optionally(node, exits)
        for _ in range(required):
            exits = self._iteration(node, exits)
        return exits

    def _star(self, node: Repeat, exits: Exits) -> Exits:
        again = self._add(State())
        body = self._iteration(node, Exits(_DEAD, again)).empty
        self.states[again] = _branch(*_in_order(node.greedy, body, exits.consumed))
        if exits.empty == exits.consumed:
            return Exits(again, again)
        return Exits(self._choice(*_in_order(node.greedy, body, exits.empty)), again)

    def _optionally(self, node: Repeat, exits: Exits) -> Exits:
        body = self._iteration(node, Exits(_DEAD, exits.consumed)).empty
        return _both(exits, lambda exit_: self._choice(*_in_order(node.greedy, body, exit_)))

    def _iteration(self, node: Repeat, exits: Exits) -> Exits:
        """The body once; every iteration begins with the groups in it unset."""
        entries = self._build(node.body, exits)
        slots = tuple(slot for index in inner_groups(node.body) for slot in (2 * index, 2 * index + 1))
        return self._passage(entries, marks=slots, clears=True) if slots else entries

    def _look_condition(self, node: Look) -> Condition:
        bit = 1 << self._looks[id(node)]
        if node.negative:
            return lambda before, after, looks: looks & bit == 0
        return lambda before, after, looks: looks & bit != 0

    def _passage(
        self,
        exits: Exits,
        condition: Condition | None = None,
        *,
        marks: tuple[int, ...] = (),
        clears: bool = False,
    ) -> Exits:
        return _both(exits, lambda exit_: self._add(State(edges=(Edge(exit_, condition, marks, clears),))))

    def _choice(self, *targets: int) -> int:
        return targets[0] if len(set(targets)) == 1 else self._add(_branch(*targets))

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


def _both(exits: Exits, entry: Callable[[int], int]) -> Exits:
    """An entry for each exit, made once where there is no difference."""
    consumed = entry(exits.consumed)
    return Exits(consumed if exits.empty == exits.consumed else entry(exits.empty), consumed)


def _branch(*targets: int) -> State:
    return State(edges=tuple(Edge(target) for target in dict.fromkeys(targets)))


def _in_order(greedy: bool, body: int, after: int) -> tuple[int, int]:
    return (body, after) if greedy else (after, body)
