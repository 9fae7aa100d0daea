"""A text prepared for matching: JavaScript works on UTF-16 units, Python on code points.

Without ``u`` or ``v`` a JavaScript pattern sees an emoji as two units. Such a pattern therefore runs on a
copy of the text in which every character beyond U+FFFF is split into its two surrogates, and what it
finds is mapped back. The copy is made once for a text, whatever the number of patterns.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import Final, Protocol

from turngrade.core.dialect.utf16 import join_pairs, split_astral

_IS_ASTRAL: Final = bytes([0]) + bytes([1]) * 0x10 + bytes(0x100 - 0x11)
"""By the plane of a character, the third byte in UTF-32."""

_PIECE: Final = 1 << 16
_MAX_HALVES: Final = 4096
_SPLIT_PAIR: Final = re.compile("[\ud800-\udbff][\udc00-\udfff]")


class Sieve(Protocol):
    """What can tell of many patterns at once that they do not match."""

    def absent(self, units: str) -> frozenset[object]:
        """Patterns that certainly do not match a text in UTF-16 units."""
        ...


class Subject:
    """A text with the forms that patterns need, each made when it is first asked for.

    Share one subject among all patterns that are tested on the same text. Sharing it between threads is
    safe: a form may be made twice, with the same result.

    Args:
        text: The text.
        sieve: What is asked once, before the first search, for the patterns that need not be searched for.
    """

    __slots__ = (
        "_absent",
        "_ascii",
        "_code_points",
        "_folded",
        "_joined_at",
        "_sieve",
        "_split_at",
        "_units",
        "text",
    )

    def __init__(self, text: str, sieve: Sieve | None = None) -> None:
        self.text: Final = text
        self._sieve: Final = sieve
        self._absent: frozenset[object] | None = None
        self._ascii: bytes | None = None
        self._units: str | None = None
        self._code_points: str | None = None
        self._folded: str | None = None
        self._split_at: array[int] | None = None
        self._joined_at: array[int] | None = None

    @property
    def units(self) -> str:
        """The text with one character for each UTF-16 unit; the text itself where nothing is to split."""
        if self._units is None:
            self._units = _split(self.text)
        return self._units

    @property
    def code_points(self) -> str:
        """The text with one character for each code point in JavaScript's sense.

        This is the text itself, except where a high and a low surrogate stand side by side as two Python
        characters: JavaScript cannot tell such a pair from the character that it encodes.
        """
        if self._code_points is None:
            self._code_points = join_pairs(self.text)
        return self._code_points

    def view(self, *, unicode: bool) -> str:
        """The form that a pattern with (``unicode``) or without ``u``/``v`` works on."""
        return self.code_points if unicode else self.units

    def lacks(self, pattern: object) -> bool:
        """Whether the pattern certainly does not match. False says nothing."""
        if self._sieve is None:
            return False
        if self._absent is None:
            self._absent = self._sieve.absent(self.units)
        return pattern in self._absent

    @property
    def folded(self) -> str:
        """``units`` in lower case, for quick looks that do not need to be exact."""
        if self._folded is None:
            self._folded = self.units.lower()
        return self._folded

    @property
    def ascii(self) -> bytes | None:
        """The text in bytes; None if it has characters beyond ASCII."""
        if self._ascii is None and self.text.isascii():
            self._ascii = self.text.encode("ascii")
        return self._ascii

    def span(self, start: int, end: int, *, unicode: bool) -> tuple[int, int]:
        """Map a span of ``view(unicode=unicode)`` to the text.

        Args:
            start: First offset, in the view.
            end: Offset behind the last character, in the view.
            unicode: Which view the offsets belong to.

        Returns:
            Offsets in code points of ``text``. A span that begins or ends between the two surrogates of a
            character is widened to the whole character.
        """
        if unicode:
            return self._span_of_code_points(start, end)
        if self.units is self.text:
            return start, end
        first, inside_first = self._to_text(start)
        last, inside_last = (first, inside_first) if end == start else self._to_text(end)
        return first, last + inside_last

    def _to_text(self, unit: int) -> tuple[int, bool]:
        """The character that holds or follows the offset, and whether the offset lies inside of it."""
        if self._split_at is None:
            self._split_at = _astral_units(self.text)
        before = bisect_right(self._split_at, unit - 1)
        inside = before > 0 and self._split_at[before - 1] == unit - 1
        return unit - before, inside

    def _span_of_code_points(self, start: int, end: int) -> tuple[int, int]:
        if self.code_points is self.text:
            return start, end
        if self._joined_at is None:
            at = enumerate(match.start() for match in _SPLIT_PAIR.finditer(self.text))
            self._joined_at = array("L", (index - before for before, index in at))
        joined_at = self._joined_at
        return start + bisect_right(joined_at, start - 1), end + bisect_right(joined_at, end - 1)


def in_pieces(convert: Callable[[str], str], text: str) -> str:
    """Convert a text character by character, in pieces, so that other threads get their turn meanwhile."""
    if len(text) <= _PIECE:
        return convert(text)
    return "".join([convert(text[at : at + _PIECE]) for at in range(0, len(text), _PIECE)])


def utf16_length(text: str) -> int:
    """JavaScript's ``text.length``: the number of UTF-16 units."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _split(text: str) -> str:
    """The text in UTF-16 units, itself if it has no astral characters; quick for a text full of emoji too."""
    if utf16_length(text) == len(text):
        return text
    halves = _Halves()
    return in_pieces(lambda piece: _split_piece(piece, halves), text)


def _split_piece(piece: str, halves: _Halves) -> str:
    parts: list[str] = []
    done = 0
    for start, end in _astral_runs(piece):
        parts += (piece[done:start], piece[start:end].translate(halves))
        done = end
    parts.append(piece[done:])
    return "".join(parts)


def _astral_runs(text: str) -> Iterator[tuple[int, int]]:
    """Where runs of astral characters begin and end. To search bytes takes a fifth of the time of a regex."""
    planes = text.encode("utf-32-le", "surrogatepass")[2::4].translate(_IS_ASTRAL)
    start = planes.find(1)
    while start >= 0:
        end = planes.find(0, start)
        yield start, end if end >= 0 else len(text)
        start = planes.find(1, end) if end >= 0 else -1


def _astral_units(text: str) -> array[int]:
    """Where in the units the astral characters begin."""
    units = array("L")
    for start, end in _astral_runs(text):
        first = start + len(units)  # each astral character before has taken one unit more
        units.extend(range(first, first + 2 * (end - start), 2))
    return units


class _Halves(dict[int, str]):
    """Surrogate pairs by code point, made when they are asked for."""

    def __missing__(self, code: int) -> str:
        pair = split_astral(chr(code))
        if len(self) < _MAX_HALVES:
            self[code] = pair
        return pair
