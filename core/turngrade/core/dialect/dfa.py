"""Deterministic automata, made while they run, with bounded memory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from itertools import chain
from operator import attrgetter
from typing import Final

from turngrade.core.dialect.alphabet import Symbols
from turngrade.core.dialect.deadline import Deadline
from turngrade.core.dialect.nfa import ACCEPT, EDGE, Condition, Nfa, Unsuitable

SYMBOL_BITS: Final = 16
"""The input holds the symbol of a character and, above it, the lookarounds that hold in front of it."""
SYMBOL_MASK: Final = (1 << SYMBOL_BITS) - 1

_PIECE: Final = 1 << 13
_MAX_CELLS: Final = 1_000_000
"""Most numbers that an automaton remembers, of eight bytes each."""
_ROW_CELLS: Final = 64
_STEP_CELLS: Final = 8
_VIABLE_CELL_BITS: Final = 64
_MAX_KEPT: Final = 4
_HIT: Final = attrgetter("hit")


class Row:
    """A state: what is known between two characters.

    Attributes:
        places: The states of the nondeterministic automaton that the next character decides about.
        context: Facts about the character just read.
        hit: Whether a match ends (of a `Backward` automaton: begins) in front of that character.
        viable: Of a `Backward` automaton, the states that lead to a match from there, as a bit mask.
        next: The next row by symbol, as far as it is known.
    """

    __slots__ = ("context", "hit", "next", "places", "viable")

    def __init__(self, places: tuple[int, ...], context: int, hit: bool, viable: int) -> None:
        self.places = places
        self.context = context
        self.hit = hit
        self.viable = viable
        self.next: dict[int, Row] = {}


class Automaton(ABC):
    """Goes all ways through a pattern together and remembers every step.

    Threads may share an automaton: a row, once made, only learns further steps.
    """

    def __init__(self, nfa: Nfa) -> None:
        self._nfa: Final = nfa
        self._facts: Final = nfa.facts.by_symbol
        self._rows: dict[tuple[tuple[int, ...], int, bool, int], Row] = {}
        self._cells = 0
        self._forgotten = 0

    def exists(self, data: Symbols, deadline: Deadline) -> bool:
        """Whether there is a hit anywhere."""
        return any(True in map(_HIT, rows) for rows in self._read(data, deadline))

    def hits(self, data: Symbols, deadline: Deadline) -> bytearray:
        """For every symbol, 1 if there is a hit in front of it."""
        hits = bytearray()
        for rows in self._read(data, deadline):
            hits.extend(map(_HIT, rows))
        return hits

    def rows(self, data: Symbols, deadline: Deadline) -> list[Row]:
        """The row behind every symbol.

        Raises:
            Unsuitable: There are too many different ones to keep.
        """
        kept: list[Row] = []
        forgotten = self._forgotten
        for rows in self._read(data, deadline):
            kept += rows
            if self._forgotten > forgotten + _MAX_KEPT:
                raise Unsuitable
        return kept

    def _read(self, data: Symbols, deadline: Deadline) -> Iterator[list[Row]]:
        """The row behind every symbol, a piece of the text at a time."""
        row = self._first()
        for at in range(0, len(data), _PIECE):
            deadline.check()
            rows: list[Row] = []
            for symbol in data[at : at + _PIECE]:
                try:
                    row = row.next[symbol]
                except KeyError:
                    row = self._learn(row, symbol, deadline)
                rows.append(row)
            yield rows

    @abstractmethod
    def _first(self) -> Row:
        """The row in front of the first symbol."""

    @abstractmethod
    def _step(self, row: Row, symbol: int) -> Row:
        """The row behind a symbol."""

    def _learn(self, row: Row, symbol: int, deadline: Deadline) -> Row:
        deadline.check()
        following = row.next[symbol] = self._step(row, symbol)
        self._cells += _STEP_CELLS
        return following

    def _row(self, places: Iterable[int], context: int, hit: bool, viable: int = 0) -> Row:
        key = (tuple(sorted(places)), context, hit, viable)
        row = self._rows.get(key)
        if row is None:
            if self._cells > _MAX_CELLS:
                self._forget()
            row = self._rows[key] = Row(*key)
            self._cells += _ROW_CELLS + len(row.places) + viable.bit_length() // _VIABLE_CELL_BITS
        return row

    def _forget(self) -> None:
        """Drop all rows; they refer to each other, so that clearing the table alone would not free them."""
        rows, self._rows, self._cells = self._rows, {}, 0
        for row in list(rows.values()):
            row.next.clear()
        self._forgotten += 1


class Forward(Automaton):
    """Tells where matches end, reading from the start of the text."""

    def __init__(self, nfa: Nfa, *, anchored: bool = False) -> None:
        """Prepare the automaton; with ``anchored`` a match begins at the start only, not everywhere."""
        super().__init__(nfa)
        self._anywhere: Final = () if anchored else (nfa.start,)

    def _first(self) -> Row:
        return self._row(() if self._anywhere else (self._nfa.start,), EDGE, False)

    def _step(self, row: Row, symbol: int) -> Row:
        code, states = symbol & SYMBOL_MASK, self._nfa.states
        facts = self._facts[code]
        reached = self._reach(row.places + self._anywhere, row.context, facts, symbol >> SYMBOL_BITS)
        targets = {states[place].target for place in reached if states[place].symbols >> code & 1}
        return self._row(targets, facts, ACCEPT in reached)

    def _reach(self, places: tuple[int, ...], before: int, after: int, looks: int) -> set[int]:
        """All states that can be reached without taking a character."""
        states, reached, pending = self._nfa.states, set(places), list(places)
        while pending:
            for edge in states[pending.pop()].edges:
                if edge.target not in reached and (
                    edge.condition is None or edge.condition(before, after, looks)
                ):
                    reached.add(edge.target)
                    pending.append(edge.target)
        return reached


class Backward(Automaton):
    """Tells where matches begin, and by which states, reading from the end of the text."""

    def __init__(self, nfa: Nfa) -> None:
        super().__init__(nfa)
        self._into: Final[list[list[tuple[int, Condition | None]]]] = [[] for _ in nfa.states]
        self._consuming_into: Final[list[list[int]]] = [[] for _ in nfa.states]
        for number, state in enumerate(nfa.states):
            if state.symbols:
                self._consuming_into[state.target].append(number)
            for edge in state.edges:
                self._into[edge.target].append((number, edge.condition))

    def _first(self) -> Row:
        return self._row((), EDGE, False)

    def _step(self, row: Row, symbol: int) -> Row:
        code, states = symbol & SYMBOL_MASK, self._nfa.states
        facts = self._facts[code]
        viable = self._lead((*row.places, ACCEPT), facts, row.context, symbol >> SYMBOL_BITS)
        consuming = chain.from_iterable(map(self._consuming_into.__getitem__, viable))
        places = [place for place in consuming if states[place].symbols >> code & 1]
        return self._row(places, facts, self._nfa.start in viable, sum(1 << state for state in viable))

    def _lead(self, places: tuple[int, ...], before: int, after: int, looks: int) -> set[int]:
        """All states from which these can be reached without taking a character."""
        leading, pending = set(places), list(places)
        while pending:
            for state, condition in self._into[pending.pop()]:
                if state not in leading and (condition is None or condition(before, after, looks)):
                    leading.add(state)
                    pending.append(state)
        return leading
