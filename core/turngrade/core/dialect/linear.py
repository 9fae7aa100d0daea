"""Search in linear time, lookarounds included; with back references, as far as it can be told without them.

The text is read a fixed number of times, whatever the pattern does to a backtracking engine: once for each
lookaround, to find out at which positions it holds; once backwards, to find where matches begin; and once
forwards from the first of them, to follow JavaScript's match to its end.
"""

from __future__ import annotations

from array import array
from operator import or_
from typing import Final, NamedTuple

from turngrade.core.dialect.alphabet import Alphabet, Symbols
from turngrade.core.dialect.analysis import descendants, inner_groups
from turngrade.core.dialect.deadline import Deadline
from turngrade.core.dialect.dfa import SYMBOL_BITS, Automaton, Backward, Forward, Row
from turngrade.core.dialect.nfa import Facts, Nfa, Unsuitable, sets_of
from turngrade.core.dialect.nodes import Assertion, Look, Tree
from turngrade.core.dialect.relax import has_references, relax
from turngrade.core.dialect.walk import Walked, Walker

_MAX_LOOKS: Final = 40
_WORD: Final = "Q"
_PIECE: Final = 1 << 16


class LookAutomaton(NamedTuple):
    """Finds out where a lookaround holds (a negative one: does not)."""

    bit: int
    ahead: bool
    automaton: Automaton


class Linear:
    """The automata of a pattern.

    Attributes:
        is_exact: Whether the pattern has no back references. With them, the automata are those of a wider
            pattern, and what they find need not be there; where they find nothing, there is nothing.
        sticky: Whether a match must begin where the search begins.
        tells_groups: Whether `Scan.walk` tells all groups: none is inside a lookaround.
        alphabet: The symbols.
        looks: The lookarounds, inner ones first.
        anywhere: Finds out whether there is a match; of a sticky pattern, at the start.
        begins: Finds out where matches begin.
        walker: Follows a match that begins at a given position.
    """

    def __init__(self, tree: Tree) -> None:
        """Build the automata.

        Raises:
            Unsuitable: The pattern has too many lookarounds or too many states.
        """
        self.is_exact: Final = not has_references(tree.root)
        tree = tree if self.is_exact else relax(tree)
        nodes = list(descendants(tree.root))[::-1]  # inner lookarounds first: outer ones ask for them
        looks = [node for node in nodes if isinstance(node, Look)]
        if len(looks) > _MAX_LOOKS:
            raise Unsuitable
        self.sticky: Final = tree.sticky
        self.tells_groups: Final = self.is_exact and not any(inner_groups(look.body) for look in looks)
        self.alphabet: Final = Alphabet(sets_of(nodes))
        facts = Facts(self.alphabet, [node for node in nodes if isinstance(node, Assertion)])
        bits = {id(node): bit for bit, node in enumerate(looks)}
        nfa = Nfa(tree.root, self.alphabet, facts, bits)
        self.anywhere: Final = Forward(nfa, anchored=tree.sticky)
        self.begins: Final = Backward(nfa)
        self.walker: Final = Walker(nfa)
        inner = [(look.ahead, Nfa(look.body, self.alphabet, facts, bits)) for look in looks]
        self.looks: Final = [
            LookAutomaton(bit, ahead, Backward(body) if ahead else Forward(body))
            for bit, (ahead, body) in enumerate(inner)
        ]


class Scan:
    """A text, read by the automata of a pattern."""

    def __init__(self, linear: Linear, view: str, deadline: Deadline) -> None:
        """Read the lookarounds.

        Args:
            linear: The automata.
            view: The text in the form that the pattern works on.
            deadline: The time that this may take.
        """
        self._linear = linear
        self._symbols = linear.alphabet.encode(view)
        self._holding: array[int] | None = None
        for bit, ahead, automaton in linear.looks:
            data = self._backwards() if ahead else self._forwards()
            hits = automaton.hits(data, deadline)
            self._mark(bit, hits[::-1] if ahead else hits)
        self._data = self._forwards()
        self._rows: list[Row] = []
        self._begins = b""
        self._walked: tuple[int, Walked] | None = None

    def exists(self, deadline: Deadline) -> bool:
        """Whether the pattern matches anywhere; of a sticky pattern, at the start.

        Raises:
            Unsuitable: It may, but back references would have to be compared.
        """
        return self._trusted(self._linear.anywhere.exists(self._data, deadline))

    def find(self, start: int, deadline: Deadline) -> tuple[int, int] | None:
        """The first match that begins at ``start`` or behind; of a sticky pattern, at ``start`` only.

        Raises:
            Unsuitable: There may be one, but back references would have to be compared.
        """
        begin = self._read_backwards(deadline).find(1, start)
        if not self._trusted(begin == start or (begin > start and not self._linear.sticky)):
            return None
        return begin, self.walk(begin, deadline).end

    def walk(self, begin: int, deadline: Deadline) -> Walked:
        """Follow the match that is known to begin at ``begin``."""
        if self._walked is None or self._walked[0] != begin:
            self._read_backwards(deadline)
            self._walked = begin, self._linear.walker.walk(self._data, self._rows, begin, deadline)
        return self._walked[1]

    def _read_backwards(self, deadline: Deadline) -> bytes:
        """For every position, 1 if a match begins there."""
        if not self._rows:
            self._rows = self._linear.begins.rows(self._backwards(), deadline)[::-1]
            self._begins = bytes([row.hit for row in self._rows])
        return self._begins

    def _trusted(self, found: bool) -> bool:
        if found and not self._linear.is_exact:
            raise Unsuitable
        return found

    def _mark(self, bit: int, hits: bytearray) -> None:
        """Note where a lookaround holds."""
        marked = 1 << SYMBOL_BITS + bit
        if self._holding is None:
            self._holding = array(_WORD, bytes(len(hits) * array(_WORD).itemsize))
        position = hits.find(1)
        while position >= 0:
            self._holding[position] |= marked
            position = hits.find(1, position + 1)

    def _forwards(self) -> Symbols:
        return _merge(self._symbols, self._holding)

    def _backwards(self) -> Symbols:
        """The text from its end; the edge stays behind the last character."""
        symbols, holding = self._symbols, self._holding
        backwards = _joined(symbols[:-1][::-1], symbols[-1:])
        return _merge(backwards, None if holding is None else holding[::-1])


def _merge(symbols: Symbols, holding: array[int] | None) -> Symbols:
    """Symbols with the lookarounds that hold; in pieces, so that other threads get their turn."""
    if holding is None:
        return symbols
    merged = array(_WORD)
    for at in range(0, len(symbols), _PIECE):
        merged.extend(map(or_, symbols[at : at + _PIECE], holding[at : at + _PIECE]))
    return merged


def _joined(one: Symbols, other: Symbols) -> Symbols:
    return one + other  # type: ignore[operator]
