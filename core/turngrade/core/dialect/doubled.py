r"""Doubled words, such as ``\b(\w+)\s+\1\b`` finds: quick to look for, slow to search for.

A search tries every word, and goes back in it letter by letter. Words that are cut out of a text all at once,
and compared each with the next, tell the same in a third of the time.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import compress, islice
from operator import eq
from typing import Final

from msgspec import Struct

from turngrade.core.dialect.charset import difference, intersection
from turngrade.core.dialect.excerpt import Set, ascii_members
from turngrade.core.dialect.nodes import (
    Assertion,
    AssertionKind,
    BackReference,
    Char,
    CharSet,
    Group,
    Node,
    Ranges,
    Repeat,
    Sequence,
    Tree,
)
from turngrade.core.dialect.subject import Subject

_LARGEST_TEXT: Final = 100_000
"""Beyond that the look, which holds the GIL and makes an object of each word, would be noticed by others."""

_MOST: Final = 16
"""Different words that are looked for a second time."""

_ASCII: Final = 128
_LENGTH: Final = 5
_BETWEEN, _OTHER = b" ", b"\1"


class Doubled(Struct, frozen=True):
    """A word that stands twice in a row.

    Attributes:
        words: Keeps what words consist of, in lower case where case does not count, and makes blanks of the
            rest, for ``bytes.translate``; empty if every text has to be searched.
        parts: Keeps that too, but makes blanks only of what may stand between the two. What is beyond ASCII
            may: it would take longer to tell what it is.
        in_ascii: Whether words may have letters beyond ASCII, so that only ASCII texts can be told of.
    """

    words: bytes = b""
    parts: bytes = b""
    in_ascii: bool = False

    def absent(self, subject: Subject) -> bool:
        """Whether a text certainly does not match. False says nothing."""
        if not self.words or len(subject.text) > _LARGEST_TEXT:
            return False
        text = subject.ascii
        if text is None:
            if self.in_ascii:
                return False
            text = subject.units.encode("utf-8", "surrogatepass")
        words = text.translate(self.words).split()
        twice = set(compress(words, map(eq, words, islice(words, 1, None))))
        if not twice or len(twice) > _MOST:
            return not twice
        parts = _BETWEEN.join(text.translate(self.parts).split())
        return not any(word + _BETWEEN + word in parts for word in twice)


def doubled(tree: Tree) -> Doubled:
    """The doubled word that every match of a pattern contains, if it can be told."""
    items = tree.root.items if isinstance(tree.root, Sequence) else ()
    for at in range(len(items) - _LENGTH + 1):
        found = _found(*items[at : at + _LENGTH])
        if found is not None:
            return found
    return Doubled()


def _found(before: Node, group: Node, gap: Node, again: Node, behind: Node) -> Doubled | None:
    if not (isinstance(group, Group) and group.index is not None and isinstance(again, BackReference)):
        return None
    if again.groups != (group.index,):
        return None
    word, between, bounds = _run(group.body), _run(gap), _bounded(before)
    if not word or not between or bounds is None or bounds != _bounded(behind):
        return None
    # the word is all that stands between two bounds, and nothing of it may count as what is between
    if difference(word, bounds) or intersection(between, bounds):
        return None
    letters = {code: ord(chr(code).lower()) if again.ignore_case else code for code in ascii_members(bounds)}
    blanks = ascii_members(between)
    tables = _table(letters, blanks, _BETWEEN), _table(letters, blanks, _OTHER)
    return Doubled(*tables, in_ascii=bounds[-1][1] >= _ASCII)


def _run(node: Node) -> Ranges:
    """The characters of a run of at least one; none if it is something else."""
    match node:
        case Char(_, ranges) | CharSet(ranges):
            return ranges
        case Repeat(body, least) if least and isinstance(body, (Char, CharSet)):
            return body.ranges
        case Sequence((one,)):
            return _run(one)
        case _:
            return ()


def _bounded(node: Node) -> Ranges | None:
    """The characters of words, where the node is a bound of one."""
    if isinstance(node, Assertion) and node.kind is AssertionKind.WORD_BOUNDARY:
        return node.words
    return None


def _table(letters: Mapping[int, int], blanks: Set, other: bytes) -> bytes:
    table = bytearray(other * _ASCII + _BETWEEN * _ASCII)
    for code, letter in letters.items():
        table[code] = letter
    for code in blanks:
        table[code] = _BETWEEN[0]
    return bytes(table)
