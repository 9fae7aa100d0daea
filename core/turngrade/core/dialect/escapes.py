r"""Escapes: characters, classes such as ``\d``, and properties."""

from __future__ import annotations

import re
from typing import Final

from turngrade.core.dialect.charset import DIGITS, LAST_CODE_POINT, WHITE_SPACE
from turngrade.core.dialect.flags import Mode
from turngrade.core.dialect.nodes import Ranges
from turngrade.core.dialect.properties import PROPERTIES_OF_STRINGS, property_ranges
from turngrade.core.dialect.scanner import Scanner

SYNTAX_CHARACTERS: Final = frozenset("^$\\.*+?()[]{}|/")
_CLASS_SET_PUNCTUATION: Final = frozenset("&-!#%,:;<=>@`~")
_CONTROL: Final = {"f": 0x0C, "n": 0x0A, "r": 0x0D, "t": 0x09, "v": 0x0B}
_BACKSLASH: Final = 0x5C

_HEX_2: Final = re.compile("[0-9a-fA-F]{2}")
_HEX_4: Final = re.compile("[0-9a-fA-F]{4}")
_CODE_POINT: Final = re.compile(r"\{([0-9a-fA-F]+)\}")
_LOW_SURROGATE: Final = re.compile(r"\\u([dD][c-fC-F][0-9a-fA-F]{2})")
_LEGACY_OCTAL: Final = re.compile("[0-3][0-7]{0,2}|[4-7][0-7]?")
_PROPERTY: Final = re.compile("[pP]{([A-Za-z0-9_]+)(?:=([A-Za-z0-9_]+))?}")


def class_escape(scanner: Scanner, mode: Mode, *, in_class: bool = False) -> Ranges | None:
    """Reads ``d D s S w W p{…} P{…}`` behind a backslash; None if something else comes."""
    letter = scanner.peek()
    if letter in ("p", "P") and mode.unicode:
        return _property(scanner, mode, in_class)
    if not letter or letter not in "dDsSwW":
        return None
    scanner.at += 1
    ranges = {"d": DIGITS, "s": WHITE_SPACE, "w": mode.words}[letter.lower()]
    return mode.inverted(ranges) if letter.isupper() else ranges


def character_escape(scanner: Scanner, mode: Mode, *, in_class: bool = False) -> int:
    """Reads the escape of one character, behind the backslash, and returns its code."""
    start = scanner.at - 1
    if scanner.done:
        scanner.fail("\\ at end of pattern", start)
    letter = scanner.take()
    if letter in _CONTROL:
        return _CONTROL[letter]
    if letter == "c":
        return _control_letter(scanner, mode, start, in_class)
    if letter.isdecimal() and letter.isascii():
        return _digit(scanner, mode, start)
    if letter == "x":
        return _hexadecimal(scanner, mode, start)
    if letter == "u":
        return _unicode(scanner, mode, start)
    return _identity(scanner, mode, start, in_class)


def unicode_escape(scanner: Scanner, unicode: bool) -> int | None:
    r"""Reads what comes behind ``\u``; None, without a step, if it is not well-formed.

    Args:
        scanner: Where to read.
        unicode: Whether ``\u{…}`` and pairs of surrogates are understood.
    """
    start = scanner.at
    if unicode and (braced := scanner.match(_CODE_POINT)):
        code = int(braced[1], 16)
        if code <= LAST_CODE_POINT:
            return code
        scanner.at = start
        return None
    digits = scanner.match(_HEX_4)
    if digits is None:
        return None
    code = int(digits[0], 16)
    if unicode and 0xD800 <= code < 0xDC00 and (low := scanner.match(_LOW_SURROGATE)):
        return 0x10000 + ((code - 0xD800) << 10) + int(low[1], 16) - 0xDC00
    return code


def _property(scanner: Scanner, mode: Mode, in_class: bool) -> Ranges:
    """Reads ``p{…}`` or ``P{…}``."""
    start, negative = scanner.at - 1, scanner.sees("P")
    written = scanner.match(_PROPERTY)
    if written is not None and mode.sets and not negative and written[1] in PROPERTIES_OF_STRINGS:
        scanner.fail(f"Property of strings {written[1]} is not supported", start)
    ranges = None if written is None else property_ranges(written[1], written[2])
    if ranges is None:
        scanner.fail(f"Invalid property name{' in character class' if in_class else ''}", start)
    ranges = scanner.afford(ranges)
    if mode.sets:
        ranges = mode.folded(ranges)
    return mode.inverted(ranges) if negative else ranges


def _control_letter(scanner: Scanner, mode: Mode, start: int, in_class: bool) -> int:
    r"""``\cA``; without ``u`` a ``\c`` that has no letter is a backslash, and classes take digits too."""
    letter = scanner.peek()
    if letter.isascii() and (letter.isalpha() or (in_class and not mode.unicode and _is_word(letter))):
        scanner.at += 1
        return ord(letter) % 32
    if mode.unicode:
        scanner.fail("Invalid Unicode escape", start)
    scanner.at -= 1
    return _BACKSLASH


def _is_word(letter: str) -> bool:
    return letter.isdecimal() or letter == "_"


def _digit(scanner: Scanner, mode: Mode, start: int) -> int:
    r"""``\0``, or without ``u`` an octal number of up to three digits (``\8`` and ``\9`` are digits)."""
    scanner.at -= 1
    if scanner.sees("0") and not re.match("[0-9]", scanner.peek(2)[1:]):
        scanner.at += 1
        return 0
    if mode.unicode:
        scanner.fail("Invalid escape" if scanner.peek() in "89" else "Invalid decimal escape", start)
    octal = scanner.match(_LEGACY_OCTAL)
    return ord(scanner.take()) if octal is None else int(octal[0], 8)


def _hexadecimal(scanner: Scanner, mode: Mode, start: int) -> int:
    digits = scanner.match(_HEX_2)
    if digits is not None:
        return int(digits[0], 16)
    if mode.unicode:
        scanner.fail("Invalid escape", start)
    return ord("x")


def _unicode(scanner: Scanner, mode: Mode, start: int) -> int:
    code = unicode_escape(scanner, mode.unicode)
    if code is not None:
        return code
    if mode.unicode:
        scanner.fail("Invalid Unicode escape", start)
    return ord("u")


def _identity(scanner: Scanner, mode: Mode, start: int, in_class: bool) -> int:
    """A character that stands for itself; with ``u`` or ``v`` only one with a meaning of its own."""
    letter = scanner.text[scanner.at - 1]
    if mode.unicode:
        allowed = letter in SYNTAX_CHARACTERS or (in_class and letter == "-")
        if not allowed and not (mode.sets and in_class and letter in _CLASS_SET_PUNCTUATION):
            scanner.fail("Invalid escape", start)
    elif letter == "k" and scanner.has_named_groups:
        scanner.fail("Invalid escape" if in_class else "Invalid named reference", start)
    return ord(letter)
