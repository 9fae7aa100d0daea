"""The flags of a pattern, and what they make of the parts of a pattern that they touch."""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from turngrade.core.dialect.casefold import case_table, ignore_case
from turngrade.core.dialect.charset import (
    LAST_CODE_POINT,
    LAST_UNIT,
    LINE_TERMINATORS,
    WORD_CHARACTERS,
    complement,
    from_codes,
    single,
)
from turngrade.core.dialect.errors import InvalidFlags
from turngrade.core.dialect.nodes import Ranges

_KNOWN: Final = frozenset("dgimsuvy")
_HINTS: Final = {
    "x": "JavaScript has no verbose flag; write the pattern without white space and comments",
    "a": "\\d, \\w and \\b are always ASCII in JavaScript; leave the flag out",
    "L": "JavaScript has no locale flag; leave it out",
    "U": "JavaScript has no ungreedy flag; write *? +? ?? instead of * + ?",
    "I": "flags are lower-case letters; write i",
    "M": "flags are lower-case letters; write m",
    "S": "flags are lower-case letters; write s",
}


class Mode(Struct, frozen=True):
    """What is switched on at some place of a pattern.

    Attributes:
        unicode: ``u`` or ``v``: the pattern works on code points, and its grammar is strict.
        sets: ``v``: classes hold set operations and strings.
        ignore_case: ``i``, possibly by a modifier.
        multiline: ``m``, possibly by a modifier.
        dot_all: ``s``, possibly by a modifier.
    """

    unicode: bool = False
    sets: bool = False
    ignore_case: bool = False
    multiline: bool = False
    dot_all: bool = False

    @property
    def last(self) -> int:
        """The largest character that the pattern tells apart."""
        return LAST_CODE_POINT if self.unicode else LAST_UNIT

    def modified(self, switched_on: str, switched_off: str) -> Mode:
        """The mode inside a group such as ``(?im-s:…)``."""
        fields = {"i": "ignore_case", "m": "multiline", "s": "dot_all"}
        changes = dict.fromkeys(switched_on, True) | dict.fromkeys(switched_off, False)
        return replace(self, **{fields[flag]: value for flag, value in changes.items()})

    def character(self, code: int) -> Ranges:
        """All that one written character matches."""
        others = case_table(self.unicode).classes.get(code) if self.ignore_case else None
        return single(code) if others is None else from_codes(others)

    def folded(self, ranges: Ranges) -> Ranges:
        """All that a set of written characters matches."""
        return ignore_case(ranges, self.unicode) if self.ignore_case else ranges

    def inverted(self, ranges: Ranges) -> Ranges:
        """All characters that are not in the set."""
        return complement(ranges, self.last)

    @property
    def words(self) -> Ranges:
        r"""What ``\w`` means: with ``i`` and Unicode also the long s and the Kelvin sign."""
        return self.folded(WORD_CHARACTERS) if self.unicode else WORD_CHARACTERS

    @property
    def dot(self) -> Ranges:
        """What ``.`` means."""
        return self.inverted(() if self.dot_all else LINE_TERMINATORS)


def parse_flags(pattern: str, flags: str) -> Mode:
    """Reads the flags of ``RegExp``; ``d``, ``g`` and ``y`` are allowed and change nothing about the syntax.

    Raises:
        InvalidFlags: A flag is unknown or repeated, or ``u`` and ``v`` come together.
    """
    letters = set(flags)
    if len(letters) != len(flags) or letters - _KNOWN or {"u", "v"} <= letters:
        raise InvalidFlags(
            pattern, flags, f"Invalid flags supplied to RegExp constructor '{flags}'", hint=_flags_hint(flags)
        )
    return Mode(
        unicode="u" in letters or "v" in letters,
        sets="v" in letters,
        ignore_case="i" in letters,
        multiline="m" in letters,
        dot_all="s" in letters,
    )


def _flags_hint(flags: str) -> str:
    """What to do about the first flag that is wrong."""
    for flag in flags:
        if flag in _HINTS:
            return _HINTS[flag]
        if flag not in _KNOWN:
            return f"there is no flag {flag!r}; JavaScript's flags are d g i m s u v y"
        if flags.count(flag) > 1:
            return f"flag {flag!r} may be given once only"
    return "u and v exclude each other; v is the newer one and includes what u does"
