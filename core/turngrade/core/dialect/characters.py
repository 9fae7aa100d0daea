"""Characters and sets of characters, written for ``regex`` so that none has a meaning of its own."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from itertools import groupby
from typing import Final

from turngrade.core.dialect.charset import (
    DIGITS,
    LAST_CODE_POINT,
    LAST_UNIT,
    LINE_TERMINATORS,
    WORD_CHARACTERS,
    complement,
)
from turngrade.core.dialect.nodes import Char, Ranges

NEVER: Final = "(?!)"
ANYTHING: Final = "(?s:.)"


def set_text(ranges: Ranges, last: int) -> str:
    """What matches one character out of ``ranges``; ``last`` is the largest character there is."""
    if not ranges:
        return NEVER
    rest = complement(ranges, last)
    if not rest:
        return ANYTHING
    shorthand = _SHORTHANDS.get(ranges)
    if shorthand is not None:
        return shorthand
    return _class(rest, "^") if ranges[-1][1] == last and len(rest) <= len(ranges) else _class(ranges)


def run_text(characters: Iterable[Char]) -> str:
    """What matches these characters one after the other, as few and as long literals as can be."""
    parts: list[str] = []
    for style, run in groupby(_styled(characters), key=lambda item: item[0]):
        chars = [char for _, char in run]
        if style is _Style.CLASS:
            parts += (_class(char.ranges) for char in chars)
        else:
            literal = "".join(_literal(char.code) for char in chars)
            parts.append(f"(?i:{literal})" if style is _Style.FOLDED else literal)
    return "".join(parts)


class _Style(Enum):
    PLAIN = "as it is"
    FOLDED = "an ASCII letter in either case"
    CLASS = "one of several characters"


def _styled(characters: Iterable[Char]) -> list[tuple[_Style, Char]]:
    """The characters with the way to write them; those without case go with what precedes or follows them."""
    styled: list[tuple[_Style, Char]] = []
    undecided = 0
    for char in characters:
        style = _style(char)
        if style is None:
            style = styled[-1][0] if styled and styled[-1][0] is not _Style.CLASS else _Style.PLAIN
            undecided = undecided + 1 if style is _Style.PLAIN else 0
        elif style is _Style.FOLDED and undecided:
            styled[-undecided:] = [(style, before) for _, before in styled[-undecided:]]
            undecided = 0
        else:
            undecided = 0
        styled.append((style, char))
    return styled


def _style(char: Char) -> _Style | None:
    """The way to write a character; None if it is the same plain or folded."""
    is_letter = char.code < 0x80 and chr(char.code).isalpha()
    if len(char.ranges) == 1 and char.ranges[0][0] == char.ranges[0][1]:
        return _Style.PLAIN if is_letter else None
    if is_letter and len(char.ranges) == 2 and char.ranges[-1][1] < 0x80:
        return _Style.FOLDED
    return _Style.CLASS


def _class(ranges: Ranges, prefix: str = "") -> str:
    return f"[{prefix}{''.join(_range(low, high) for low, high in ranges)}]"


def _range(low: int, high: int) -> str:
    if low == high:
        return _escaped(low)
    return _escaped(low) + ("-" if high > low + 1 else "") + _escaped(high)


def _literal(code: int) -> str:
    return chr(code) if code == 0x20 or chr(code) == "_" else _escaped(code)


def _escaped(code: int) -> str:
    """A character that means itself inside and outside of classes."""
    character = chr(code)
    if character.isalnum() or (code >= 0x80 and character.isprintable()):
        return character
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= LAST_UNIT else f"\\U{code:08x}"


_FOLDED_WORD_CHARACTERS: Final[Ranges] = (*WORD_CHARACTERS, (0x17F, 0x17F), (0x212A, 0x212A))
"""``\\w`` with ``iu``: the long s and the Kelvin sign fold to letters."""

_SHORTHANDS: Final[dict[Ranges, str]] = {
    DIGITS: r"\d",
    WORD_CHARACTERS: r"\w",
    _FOLDED_WORD_CHARACTERS: r"[\w\u017f\u212a]",
    complement(_FOLDED_WORD_CHARACTERS, LAST_CODE_POINT): r"[^\w\u017f\u212a]",
    **{complement(DIGITS, last): r"\D" for last in (LAST_UNIT, LAST_CODE_POINT)},
    **{complement(WORD_CHARACTERS, last): r"\W" for last in (LAST_UNIT, LAST_CODE_POINT)},
}
"""Short forms, which under the ASCII flag of ``regex`` mean what they do in JavaScript."""

NO_LINE_TERMINATOR: Final = _class(LINE_TERMINATORS, "^")
