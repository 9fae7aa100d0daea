r"""Runs of characters that every match must contain, such as ``\d{3}-\d{4}``: quick to look for.

Every character of an ASCII text is replaced by the set that it is in, with one table for the whole text; the
run is then a literal. That takes a nanosecond or two for a character, whatever the pattern, where a search
by ``regex`` may take a hundred.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, islice
from math import log2
from typing import Final, TypeAlias

from msgspec import Struct

from turngrade.core.dialect.nodes import (
    Assertion,
    Char,
    CharSet,
    Group,
    Look,
    Node,
    Ranges,
    Repeat,
    Sequence,
    Tree,
)
from turngrade.core.dialect.subject import Subject

_LARGEST_TEXT: Final = 1_000_000
"""Beyond that the look, which holds the GIL, would be noticed by others."""

_LONGEST: Final = 64
_MOST_PARTS: Final = 256
"""Parts that are looked at; repeats of repeats multiply them."""

_LEAST_BITS: Final = 9.0
"""Less is found in most texts."""

_ASCII: Final = 128
_CASES: Final = 2
_COMMON: Final = {" ": 0.15, **dict.fromkeys("abcdefghijklmnopqrstuvwxyz", 0.028)}
_RARE: Final = 0.0015
"""Roughly how often a character is met in what agents write."""

Set: TypeAlias = frozenset[int]
"""The ASCII characters of a set, by their codes."""


class Excerpt(Struct, frozen=True):
    """A run of sets, one of which each character is in.

    Attributes:
        run: The run, spelled with one byte for each set; empty if every text has to be searched.
        table: The byte of each character, for ``bytes.translate``.
    """

    run: bytes = b""
    table: bytes = b""

    def absent(self, subject: Subject) -> bool:
        """Whether a text certainly does not match. False says nothing."""
        if not self.run or len(subject.text) > _LARGEST_TEXT or subject.ascii is None:
            return False
        return self.run not in subject.ascii.translate(self.table)


def excerpt(tree: Tree) -> Excerpt:
    """The most telling run of a pattern: sets that are pairwise the same or have no character in common.

    A run of letters is left to `needles`, which need no table.
    """
    best = max(chain.from_iterable(map(_windows, _runs(tree.root))), key=_bits, default=())
    if _bits(best) < _LEAST_BITS or all(0 < len(members) <= _CASES for members in best):
        return Excerpt()
    symbols = {members: number for number, members in enumerate(dict.fromkeys(best), start=1)}
    table = bytearray(2 * _ASCII)
    for members, symbol in symbols.items():
        for code in members:
            table[code] = symbol
    return Excerpt(bytes(map(symbols.__getitem__, best)), bytes(table))


def _runs(root: Node) -> Iterator[list[Set]]:
    """The runs of sets that stand side by side in every match."""
    run: list[Set] = []
    for part in islice(_parts(root), _MOST_PARTS):
        if part is not None:
            run.append(part)
        elif run:
            yield run
            run = []
    yield run


def _parts(node: Node) -> Iterable[Set | None]:
    """The sets of a node in order, None where anything or nothing may stand between."""
    match node:
        case Char(_, ranges) | CharSet(ranges):
            return (ascii_members(ranges),)
        case Assertion() | Look():
            return ()
        case Group(body):
            return _parts(body)
        case Sequence(items):
            return chain.from_iterable(map(_parts, items))
        case Repeat(body, least, most) if least:
            once = tuple(islice(_parts(body), _MOST_PARTS))
            if len(once) == _MOST_PARTS:
                return (*once, None)
            required = once * min(least, _LONGEST)
            return required if most == least == min(least, _LONGEST) else (*required, None, *required)
        case _:
            return (None,)


def _windows(run: list[Set]) -> Iterator[tuple[Set, ...]]:
    """For each end in the run, the longest part of which no two sets differ and overlap."""
    window: list[Set] = []
    for members in run:
        overlapping = [at for at, other in enumerate(window) if other != members and other & members]
        window = [*window[overlapping[-1] + 1 if overlapping else 0 :], members][-_LONGEST:]
        yield tuple(window)


def ascii_members(ranges: Ranges) -> Set:
    """The ASCII characters of some ranges."""
    return frozenset(code for low, high in ranges for code in range(low, min(high + 1, _ASCII)))


def _bits(window: tuple[Set, ...]) -> float:
    """How telling a run is."""
    return sum(map(_bits_of_one, window))


@lru_cache(maxsize=1024)  # windows overlap, and patterns repeat their sets
def _bits_of_one(members: Set) -> float:
    frequency = sum(_COMMON.get(chr(code), _RARE) for code in members)
    return -log2(max(min(1.0, frequency), _RARE / _ASCII))
