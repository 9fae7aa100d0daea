"""Names of groups: how they are written, and which groups may share one."""

from __future__ import annotations

from typing import Final, TypeAlias

from msgspec import Struct

from turngrade.core.dialect.charset import contains
from turngrade.core.dialect.escapes import unicode_escape
from turngrade.core.dialect.properties import property_ranges
from turngrade.core.dialect.scanner import Scanner
from turngrade.core.dialect.utf16 import join_pairs

Path: TypeAlias = tuple[tuple[int, int], ...]
"""The alternatives around a place: number of the disjunction, number of the alternative in it."""

_JOINERS: Final = "\u200c\u200d"


class NamedGroups:
    """The named groups of a pattern. Groups in different alternatives may have the same name (ES2025)."""

    def __init__(self) -> None:
        self._groups: dict[str, list[_Named]] = {}

    def __contains__(self, name: object) -> bool:
        return name in self._groups

    def add(self, name: str, number: int, path: Path) -> bool:
        """Enters a group, unless one of the same name could take part as well; tells whether it did."""
        namesakes = self._groups.setdefault(name, [])
        if not all(other.excludes(path) for other in namesakes):
            return False
        namesakes.append(_Named(number, path))
        return True

    def numbers(self) -> dict[str, tuple[int, ...]]:
        """The numbers of the groups of each name."""
        groups = self._groups.items()
        return {name: tuple(sorted(group.number for group in namesakes)) for name, namesakes in groups}


class _Named(Struct, frozen=True):
    number: int
    path: Path

    def excludes(self, path: Path) -> bool:
        """Whether a group at ``path`` is in another alternative of the same disjunction."""
        here = dict(self.path)
        return any(here.get(disjunction, alternative) != alternative for disjunction, alternative in path)


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
    r"""Reads one code point, plain or as ``\u…``; names are in code points whatever the flags."""
    start = scanner.at
    if scanner.eat("\\u"):
        code = unicode_escape(scanner, unicode=True)
        if code is None:
            scanner.fail("Invalid Unicode escape", start)
        return chr(code)
    next_two = scanner.peek(2)
    whole = join_pairs(next_two)
    scanner.at += 1 + (len(whole) < len(next_two))
    return whole[0]


def _fits(letter: str, *, first: bool) -> bool:
    """Whether the letter may stand at the beginning, or in the rest, of an identifier."""
    if letter.isascii():
        return letter.isalpha() or letter in ("$", "_") or (letter.isdecimal() and not first)
    if letter in _JOINERS:
        return not first
    ranges = property_ranges("ID_Start" if first else "ID_Continue", None)
    return ranges is not None and contains(ranges, ord(letter))
