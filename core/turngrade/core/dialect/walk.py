"""The match that JavaScript would find, step by step, once it is known which steps can succeed."""

from __future__ import annotations

from itertools import chain
from typing import Final, NamedTuple

from turngrade.core.dialect.alphabet import Symbols
from turngrade.core.dialect.deadline import Deadline
from turngrade.core.dialect.dfa import SYMBOL_BITS, SYMBOL_MASK, Row
from turngrade.core.dialect.nfa import ACCEPT, Edge, Nfa

_CHUNK: Final = 1 << 12
_MAX_KNOWN: Final = 1 << 14
_UNSET: Final = -1
_END: Final = -1
"""Stands for the state behind the end of the match."""


class Walked(NamedTuple):
    """Where the match ends, and the spans of groups by number; a group that took no part is missing."""

    end: int
    groups: dict[int, tuple[int, int]]


class Step(NamedTuple):
    """What a character leads to, and what becomes of the groups in front of it."""

    place: int
    unset: tuple[int, ...]
    written: tuple[int, ...]


class Walker:
    """Goes through a pattern without ever having to turn back.

    Backtracking tries the ways in order and keeps the first that leads to a match. Here a `Backward`
    automaton has told which states lead to a match from which position: the first such way is taken at once.
    """

    def __init__(self, nfa: Nfa) -> None:
        self._nfa = nfa
        self._known: dict[tuple[int, Row, int, int], Step] = {}
        edges = chain.from_iterable(state.edges for state in nfa.states)
        self._slots = 1 + max((slot for edge in edges for slot in edge.marks), default=1)

    def walk(self, data: Symbols, rows: list[Row], begin: int, deadline: Deadline) -> Walked:
        """Follow the match that begins at ``begin``.

        Args:
            data: The text.
            rows: What the automaton has told, the row of each position.
            begin: Where a match is known to begin.
            deadline: Minded on the way.
        """
        known, slots = self._known, [_UNSET] * self._slots
        place, before = self._nfa.start, data[begin - 1]  # the symbol of the edge is the last
        for start in range(begin, len(data), _CHUNK):
            deadline.check()
            for position in range(start, min(start + _CHUNK, len(data))):
                row, symbol = rows[position], data[position]
                try:
                    place, unset, written = known[place, row, before, symbol]
                except KeyError:
                    place, unset, written = self._learn(place, row, before, symbol)
                for slot in unset:
                    slots[slot] = _UNSET
                for slot in written:
                    slots[slot] = position
                if place == _END:
                    return Walked(position, _spans(slots))
                before = symbol
        raise AssertionError("no match begins there")

    def _learn(self, place: int, row: Row, before: int, symbol: int) -> Step:
        if len(self._known) >= _MAX_KNOWN:
            self._known.clear()
        facts = self._nfa.facts.by_symbol
        last, way = self._way(
            place, row, facts[before & SYMBOL_MASK], facts[symbol & SYMBOL_MASK], symbol >> SYMBOL_BITS
        )
        marks = {slot: edge.clears for edge in way for slot in edge.marks}  # the last mark of a slot counts
        step = self._known[place, row, before, symbol] = Step(
            _END if last == ACCEPT else self._nfa.states[last].target,
            tuple(slot for slot, clears in marks.items() if clears),
            tuple(slot for slot, clears in marks.items() if not clears),
        )
        return step

    def _way(self, place: int, row: Row, before: int, after: int, looks: int) -> tuple[int, list[Edge]]:
        """The edges up to the state that takes the next character, or to `ACCEPT`."""
        way: list[Edge] = []
        while edges := self._nfa.states[place].edges:
            way.append(
                next(
                    edge
                    for edge in edges
                    if row.viable >> edge.target & 1
                    and (edge.condition is None or edge.condition(before, after, looks))
                )
            )
            place = way[-1].target
        return place, way


def _spans(slots: list[int]) -> dict[int, tuple[int, int]]:
    return {
        number: (slots[2 * number], slots[2 * number + 1])
        for number in range(1, len(slots) // 2)
        if slots[2 * number] != _UNSET
    }
