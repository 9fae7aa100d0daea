"""Names of groups: identifiers, with escapes, between ``<`` and ``>``."""

from __future__ import annotations

from typing import Final

from turngrade.core.dialect.charset import contains
from turngrade.core.dialect.escapes import unicode_escape
from turngrade.core.dialect.properties import property_ranges
from turngrade.core.dialect.scanner import Scanner
from turngrade.core.dialect.utf16 import join_pairs

_JOINERS: Final = "\u200c\u200d"


def group_name(scanner: Scanner, start: int) -> str:
    """Reads a name and its ``>``, behind the ``<``.

    Args:
        scanner: Where to read.
        start: The place to blame for a malformed name.
    """
    name = ""
    while not scanner.eat(">"):
        letter = "" if scanner.done else _letter(scanner)
        if not _fits(letter, first=not name):
            scanner.fail("Invalid capture group name", start)
        name += letter
    if not name:
        scanner.fail("Invalid capture group name", start)
    return name


def _letter(scanner: Scanner) -> str:
    """Reads one code point, plain or as ``\\u…``; names are in code points whatever the flags."""
    start = scanner.at
    if scanner.eat("\\"):
        code = unicode_escape(scanner, unicode=True) if scanner.eat("u") else None
        if code is None:
            scanner.fail("Invalid Unicode escape", start)
        return chr(code)
    pair = join_pairs(scanner.peek(2))
    scanner.at += 2 if len(pair) == 1 and len(scanner.peek(2)) == 2 else 1
    return pair[0]


def _fits(letter: str, *, first: bool) -> bool:
    """Whether the letter may stand at the beginning, or in the rest, of an identifier."""
    if letter.isascii():
        return letter.isalpha() or letter in ("$", "_") or (letter.isdecimal() and not first)
    if letter in _JOINERS:
        return not first
    ranges = property_ranges("ID_Start" if first else "ID_Continue", None)
    return ranges is not None and contains(ranges, ord(letter))
