"""A deterministic automaton made while it runs, with bounded memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from turngrade.core.dialect.alphabet import Symbols
from turngrade.core.dialect.deadline import Deadline
from turngrade.core.dialect.nfa import ACCEPT, EDGE, State

SYMBOL_BITS: Final = 16
"""A symbol of the input holds the symbol of the next character and, above it, the lookarounds that hold."""

_SYMBOL_MASK: Final = (1 << SYMBOL_BITS) - 1
_CHUNK: Final = 1 << 13
_MAX_CELLS: Final = 400_000


class Row:
    """A state: where the ways through the pattern are, and the facts about the character just read.

    ``hit`` tells that a match ends in front of that character. The next row is stored by symbol.
    """

    __slots__ = ("before", "hit", "next", "seeds")

    def __init__(self, seeds: tuple[int, ...], before: int, hit: bool) -> None:
        self.seeds = seeds
        self.before = before
        self.hit = hit
        self.next: dict[int, Row] = {}


class Automaton:
    """Runs all ways through a nondeterministic automaton together and remembers every step.

    Threads may share an automaton: a row, once made, only learns further steps.
    """

    def __init__(
        self,
        states: Sequence[State],
        start: int,
        facts: Sequence[int],
        *,
        anchored: bool = False,
        ordered: bool = False,
        backward: bool = False,
    ) -> None:
        """Prepare the automaton.

        Args:
            states: The states, `ACCEPT` being the first.
            start: Where a match begins.
            facts: Facts about a character, by symbol.
            anchored: A match begins at the first position only, not at each.
            ordered: Ways are kept in the order in which JavaScript would try them, and a match ends
                those behind it; the last hit is then the end of JavaScript's match.
            backward: The input is read from its end, with `states` built to match.
        """
        self._states = states
        self._start = () if anchored else (start,)
        self._first = (start,) if anchored else ()
        self._facts = facts
        self._ordered = ordered
        self._backward = backward
        self._rows: dict[tuple[tuple[int, ...], int, bool], Row] = {}
        self._cells = 0

    def first_hit(self, data: Symbols, deadline: Deadline) -> bool:
        """Whether a match ends anywhere."""
        row = self._row(self._first, EDGE, False)
        for at in range(0, len(data), _CHUNK):
            deadline.check()
            for symbol in data[at : at + _CHUNK]:
                try:
                    row = row.next[symbol]
                except KeyError:
                    row = self._extend(row, symbol, deadline)
                if row.hit:
                    return True
        return False

    def hits(self, data: Symbols, deadline: Deadline) -> bytearray:
        """For every position, 1 if a match ends there."""
        hits = bytearray()
        row = self._row(self._first, EDGE, False)
        for at in range(0, len(data), _CHUNK):
            deadline.check()
            for symbol in data[at : at + _CHUNK]:
                try:
                    row = row.next[symbol]
                except KeyError:
                    row = self._extend(row, symbol, deadline)
                hits.append(row.hit)
        return hits

    def last_hit(self, data: Symbols, start: int, deadline: Deadline) -> int | None:
        """Where the last match that begins at ``start`` ends; for an anchored automaton."""
        before = self._facts[data[start - 1] & _SYMBOL_MASK] if start else EDGE
        row, end = self._row(self._first, before, False), None
        for at in range(start, len(data), _CHUNK):
            deadline.check()
            for position, symbol in enumerate(data[at : at + _CHUNK], at):
                try:
                    row = row.next[symbol]
                except KeyError:
                    row = self._extend(row, symbol, deadline)
                if row.hit:
                    end = position
                if not row.seeds:
                    return end
        return end

    def _extend(self, row: Row, symbol: int, deadline: Deadline) -> Row:
        """Make the step that is not known yet."""
        deadline.check()
        code, looks = symbol & _SYMBOL_MASK, symbol >> SYMBOL_BITS
        facts = self._facts[code]
        before, after = (facts, row.before) if self._backward else (row.before, facts)
        consuming, hit = self._closure(row.seeds + self._start, before, after, looks)
        states = self._states
        targets = dict.fromkeys(states[s].target for s in consuming if states[s].symbols >> code & 1)
        following = self._row(tuple(targets if self._ordered else sorted(targets)), facts, hit)
        row.next[symbol] = following
        self._cells += 1
        return following

    def _closure(self, seeds: Iterable[int], before: int, after: int, looks: int) -> tuple[list[int], bool]:
        """The consuming states that can be reached here, in order, and whether a match ends here."""
        states = self._states
        consuming: list[int] = []
        seen: set[int] = set()
        stack = list(seeds)[::-1]
        hit = False
        while stack:
            at = stack.pop()
            if at in seen:
                continue
            seen.add(at)
            if at == ACCEPT:
                hit = True
                if self._ordered:
                    break
            elif states[at].symbols:
                consuming.append(at)
            else:
                edges = states[at].edges
                stack += [to for holds, to in reversed(edges) if holds is None or holds(before, after, looks)]
        return consuming, hit

    def _row(self, seeds: tuple[int, ...], before: int, hit: bool) -> Row:
        key = (seeds, before, hit)
        row = self._rows.get(key)
        if row is None:
            if self._cells > _MAX_CELLS:
                self._forget()
            row = self._rows[key] = Row(seeds, before, hit)
            self._cells += len(seeds) + 8
        return row

    def _forget(self) -> None:
        """Drop all rows; they refer to each other, so that clearing the table alone would not free them."""
        rows, self._rows, self._cells = self._rows, {}, 0
        for row in list(rows.values()):
            row.next.clear()
