"""The match that JavaScript would find, step by step, once it is known which steps can succeed."""

from __future__ import annotations

from typing import Final, NamedTuple

from turngrade.core.dialect.alphabet import Symbols
from turngrade.core.dialect.deadline import Deadline
from turngrade.core.dialect.dfa import SYMBOL_BITS, SYMBOL_MASK, Row
from turngrade.core.dialect.nfa import ACCEPT, EDGE, Edge, Nfa

_CHECK_EVERY: Final = 1 << 12
_MAX_KNOWN: Final = 1 << 15


class Walked(NamedTuple):
    """Where the match ends, and the spans of groups by number; a group that took no part is missing."""

    end: int
    groups: dict[int, tuple[int, int]]


class Walker:
    """Goes through a pattern without ever having to turn back.

    Backtracking tries the ways in order and keeps the first that leads to a match. Here a `Backward`
    automaton has told which states lead to a match from which position: the first such way is taken at once.
    """

    def __init__(self, nfa: Nfa) -> None:
        self._nfa = nfa
        self._known: dict[tuple[int, Row, int, int], tuple[int, tuple[Edge, ...]]] = {}

    def walk(self, data: Symbols, rows: list[Row], begin: int, deadline: Deadline) -> Walked:
        """Follow the match that begins at ``begin``.

        Args:
            data: The text.
            rows: What the automaton has told, the row of each position.
            begin: Where a match is known to begin.
            deadline: Minded on the way.
        """
        states, facts = self._nfa.states, self._nfa.facts.by_symbol
        slots: dict[int, int] = {}
        place, position = self._nfa.start, begin
        before = facts[data[begin - 1] & SYMBOL_MASK] if begin else EDGE
        while True:
            if position % _CHECK_EVERY == 0:
                deadline.check()
            symbol = data[position]
            after = facts[symbol & SYMBOL_MASK]
            place, marked = self._advance(place, rows[position], before, after, symbol >> SYMBOL_BITS)
            for edge in marked:
                _mark(slots, edge, position)
            if place == ACCEPT:
                return Walked(position, _spans(slots))
            place, before, position = states[place].target, after, position + 1

    def _advance(
        self, place: int, row: Row, before: int, after: int, looks: int
    ) -> tuple[int, tuple[Edge, ...]]:
        """The state that takes the next character, or `ACCEPT`, and the edges with marks on the way."""
        key = (place, row, before << SYMBOL_BITS | after, looks)
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= _MAX_KNOWN:
                self._known.clear()
            known = self._known[key] = self._find_way(place, row.viable, before, after, looks)
        return known

    def _find_way(
        self, place: int, viable: int, before: int, after: int, looks: int
    ) -> tuple[int, tuple[Edge, ...]]:
        marked: list[Edge] = []
        while edges := self._nfa.states[place].edges:
            edge = next(
                edge
                for edge in edges
                if viable >> edge.target & 1
                and (edge.condition is None or edge.condition(before, after, looks))
            )
            place = edge.target
            if edge.marks:
                marked.append(edge)
        return place, tuple(marked)


def _mark(slots: dict[int, int], edge: Edge, position: int) -> None:
    for slot in edge.marks:
        if edge.clears:
            slots.pop(slot, None)
        else:
            slots[slot] = position


def _spans(slots: dict[int, int]) -> dict[int, tuple[int, int]]:
    return {slot // 2: (start, slots[slot + 1]) for slot, start in slots.items() if slot % 2 == 0}
