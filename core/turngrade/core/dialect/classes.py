"""Character classes without ``v``."""

from __future__ import annotations

from typing import Final

from turngrade.core.dialect.charset import single, union
from turngrade.core.dialect.escapes import character_escape, class_escape
from turngrade.core.dialect.flags import Mode
from turngrade.core.dialect.nodes import Ranges
from turngrade.core.dialect.scanner import Scanner

_BACKSPACE: Final = 0x08
_HYPHEN: Final = single(ord("-"))


def character_class(scanner: Scanner, mode: Mode) -> Ranges:
    """Reads a class from its ``[`` to its ``]`` and returns all that it matches."""
    start = scanner.at
    scanner.at += 1
    negative = scanner.eat("^")
    members: list[tuple[int, int]] = []
    while not scanner.eat("]"):
        if scanner.done:
            scanner.fail("Unterminated character class", start)
        members += _member(scanner, mode, start)
    ranges = mode.folded(union(members))
    return mode.inverted(ranges) if negative else ranges


def _member(scanner: Scanner, mode: Mode, class_start: int) -> Ranges:
    """Reads one character, one class escape or one range."""
    start = scanner.at
    left = _atom(scanner, mode)
    if not scanner.sees("-") or scanner.sees("-]"):
        return _as_ranges(left)
    scanner.at += 1
    if scanner.done:
        scanner.fail("Unterminated character class", class_start)
    right = _atom(scanner, mode)
    if isinstance(left, int) and isinstance(right, int):
        if left > right:
            scanner.fail("Range out of order in character class", start)
        return ((left, right),)
    if mode.unicode:
        scanner.fail("Invalid character class", start)
    return (*_as_ranges(left), *_as_ranges(right), *_HYPHEN)


def _atom(scanner: Scanner, mode: Mode) -> int | Ranges:
    """Reads what may stand at either end of a range: a character, or (then it is none) a class escape."""
    letter = scanner.take()
    if letter != "\\":
        return ord(letter)
    if scanner.eat("b"):
        return _BACKSPACE
    ranges = class_escape(scanner, mode, in_class=True)
    return character_escape(scanner, mode, in_class=True) if ranges is None else ranges


def _as_ranges(atom: int | Ranges) -> Ranges:
    return single(atom) if isinstance(atom, int) else atom
