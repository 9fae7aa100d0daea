"""Search in linear time for every pattern without back references, lookarounds included.

The text is read a fixed number of times, whatever the pattern does to a backtracking engine: once for each
lookaround, to find out at which positions it holds; once backwards, to find where matches begin; and once
forwards from the first of them, to find where JavaScript's match ends.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from functools import cached_property
from operator import or_
from typing import Final

from turngrade.core.dialect.alphabet import Alphabet, Symbols
from turngrade.core.dialect.analysis import descendants
from turngrade.core.dialect.deadline import Deadline
from turngrade.core.dialect.dfa import SYMBOL_BITS, Automaton
from turngrade.core.dialect.nfa import ACCEPT, Builder, Exits, Facts, Unsuitable, sets_of
from turngrade.core.dialect.nodes import Assertion, BackReference, Look, Node, Tree

_MAX_LOOKS: Final = 40
_WORD: Final = "Q"


class Linear:
    """The automata of a pattern, each made when it is first needed."""

    def __init__(self, tree: Tree) -> None:
        """Prepare the automata.

        Raises:
            Unsuitable: The pattern has back references, or too many lookarounds.
        """
        nodes = list(descendants(tree.root))[::-1]  # inner lookarounds first: outer ones ask for them
        looks = [node for node in nodes if isinstance(node, Look)]
        if len(looks) > _MAX_LOOKS or any(isinstance(node, BackReference) for node in nodes):
            raise Unsuitable
        self.sticky: Final = tree.sticky
        self._root = tree.root
        self._looks: Final = {id(node): bit for bit, node in enumerate(looks)}
        self.alphabet: Final = Alphabet(sets_of(nodes))
        self._facts: Final = Facts(self.alphabet, [node for node in nodes if isinstance(node, Assertion)])
        self._look_nodes: Final = looks

    def scan(self, view: str, deadline: Deadline) -> Scan:
        """Read a text; the result answers questions about it.

        Args:
            view: The text in the form that the pattern works on.
            deadline: The time that this may take.
        """
        return Scan(self, view, deadline)

    @cached_property
    def looks(self) -> list[tuple[int, bool, Automaton]]:
        """The lookarounds, inner ones first: number, whether it looks ahead, automaton."""
        return [
            (bit, node.ahead, self._automaton(node.body, backward=node.ahead))
            for bit, node in enumerate(self._look_nodes)
        ]

    @cached_property
    def anywhere(self) -> Automaton:
        """Finds whether there is a match; of a sticky pattern, at the start."""
        return self._automaton(self._root, anchored=self.sticky)

    @cached_property
    def starts(self) -> Automaton:
        """Finds where matches begin, reading backwards."""
        return self._automaton(self._root, backward=True)

    @cached_property
    def end(self) -> Automaton:
        """Finds where the match that begins at a given position ends."""
        return self._automaton(self._root, anchored=True, ordered=True)

    def _automaton(
        self, root: Node, *, backward: bool = False, anchored: bool = False, ordered: bool = False
    ) -> Automaton:
        builder = Builder(self.alphabet, self._facts, self._looks, backward=backward)
        start = builder.build(root, Exits(ACCEPT, ACCEPT)).empty
        return Automaton(
            builder.states,
            start,
            self._facts.by_symbol,
            anchored=anchored,
            ordered=ordered,
            backward=backward,
        )


class Scan:
    """A text, read by the automata of a pattern."""

    def __init__(self, linear: Linear, view: str, deadline: Deadline) -> None:
        self._linear = linear
        self._symbols = linear.alphabet.encode(view)
        self._holding: array[int] | None = None
        for bit, ahead, automaton in linear.looks:
            self._mark(bit, self._hits(automaton, deadline, backward=ahead))
        self._forward = _merge(self._symbols, self._holding)
        self._starts: bytearray | None = None

    def exists(self, deadline: Deadline) -> bool:
        """Whether the pattern matches anywhere; of a sticky pattern, at the start."""
        return self._linear.anywhere.first_hit(self._forward, deadline)

    def find(self, start: int, deadline: Deadline) -> tuple[int, int] | None:
        """The first match that begins at ``start`` or behind; of a sticky pattern, at ``start`` only."""
        begin = start if self._linear.sticky else self._first_start(start, deadline)
        if begin < 0:
            return None
        end = self._linear.end.last_hit(self._forward, begin, deadline)
        return None if end is None else (begin, end)

    def _first_start(self, start: int, deadline: Deadline) -> int:
        if self._starts is None:
            self._starts = self._hits(self._linear.starts, deadline, backward=True)
        return self._starts.find(1, start)

    def _hits(self, automaton: Automaton, deadline: Deadline, *, backward: bool) -> bytearray:
        """For every position, 1 if a match of the automaton begins (backward) or ends (forward) there."""
        if not backward:
            return automaton.hits(_merge(self._symbols, self._holding), deadline)
        holding = None if self._holding is None else self._holding[::-1]
        return automaton.hits(_merge(_reversed(self._symbols), holding), deadline)[::-1]

    def _mark(self, bit: int, hits: Iterable[int]) -> None:
        """Note where a lookaround holds."""
        marks = map((1 << SYMBOL_BITS + bit).__mul__, hits)
        self._holding = array(_WORD, marks if self._holding is None else map(or_, self._holding, marks))


def _merge(symbols: Symbols, holding: array[int] | None) -> Symbols:
    return symbols if holding is None else array(_WORD, map(or_, symbols, holding))


def _reversed(symbols: Symbols) -> Symbols:
    """The text from its end; the edge stays behind the last character."""
    if isinstance(symbols, bytes):
        return symbols[:-1][::-1] + symbols[-1:]
    return symbols[:-1][::-1] + symbols[-1:]
