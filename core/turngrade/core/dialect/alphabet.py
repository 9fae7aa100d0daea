"""The symbols of an automaton: characters that no set of the pattern tells apart are one symbol."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from turngrade.core.dialect.nodes import Ranges

Symbols: TypeAlias = "bytes | array[int]"
"""A text as an automaton reads it."""

_MAX_BYTE_SYMBOLS: Final = 255
_PIECE: Final = 1 << 16
_MAX_MEMO: Final = 1 << 16


class Alphabet:
    """A partition of all characters by the sets of a pattern.

    Attributes:
        size: Number of symbols; they are 0 to ``size - 1``.
        end: A further symbol, which stands for the edge of the text.
    """

    def __init__(self, sets: Iterable[Ranges]) -> None:
        distinct = tuple(dict.fromkeys(sets))
        bounds = {bound for ranges in distinct for low, high in ranges for bound in (low, high + 1)}
        self._cuts: Final = sorted(bounds | {0})
        numbers: dict[int, int] = {}
        signatures = self._signatures(distinct)
        self._symbols: Final = [numbers.setdefault(signature, len(numbers)) for signature in signatures]
        self._members: Final = {
            ranges: sum(1 << symbol for signature, symbol in numbers.items() if signature >> bit & 1)
            for bit, ranges in enumerate(distinct)
        }
        self.size: Final = len(numbers)
        self.end: Final = self.size
        self._memo: Final = _Memo(self)
        self._ascii: Final = bytes(min(self.symbol(code), 0xFF) for code in range(0x80)).ljust(0x100, b"\0")

    def members(self, ranges: Ranges) -> int:
        """The symbols of one of the sets, as a bit mask."""
        return self._members[ranges]

    def symbol(self, code: int) -> int:
        """The symbol of a character."""
        return self._symbols[bisect_right(self._cuts, code) - 1]

    def encode(self, text: str) -> Symbols:
        """The symbols of a text, followed by ``end``."""
        if self.size <= _MAX_BYTE_SYMBOLS:
            if text.isascii():
                return text.encode("ascii").translate(self._ascii) + bytes((self.end,))
            pieces = [bytes(map(self._memo.__getitem__, piece)) for piece in _pieces(text)]
            return b"".join([*pieces, bytes((self.end,))])
        symbols = array("H")
        for piece in _pieces(text):
            symbols.extend(map(self._memo.__getitem__, piece))
        symbols.append(self.end)
        return symbols

    def _signatures(self, distinct: tuple[Ranges, ...]) -> list[int]:
        """For every interval between two cuts, in which sets it is, as a bit mask."""
        signatures = [0] * len(self._cuts)
        for bit, ranges in enumerate(distinct):
            for low, high in ranges:
                first, last = bisect_left(self._cuts, low), bisect_left(self._cuts, high + 1)
                for interval in range(first, last):
                    signatures[interval] |= 1 << bit
        return signatures


def _pieces(text: str) -> Iterator[str]:
    """The text in pieces, so that other threads get their turn between them."""
    return (text[at : at + _PIECE] for at in range(0, len(text), _PIECE))


class _Memo(dict[str, int]):
    """Symbols by character, filled as characters come up."""

    def __init__(self, alphabet: Alphabet) -> None:
        self._alphabet = alphabet

    def __missing__(self, character: str) -> int:
        symbol = self._alphabet.symbol(ord(character))
        if len(self) < _MAX_MEMO:
            self[character] = symbol
        return symbol
