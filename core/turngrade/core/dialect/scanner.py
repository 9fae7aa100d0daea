"""Reading a pattern character by character, with a way back to where each character was written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NoReturn

from turngrade.core.dialect.errors import InvalidPattern, PatternTooLarge
from turngrade.core.dialect.hints import hint_for
from turngrade.core.dialect.lazy import lazy
from turngrade.core.dialect.nodes import Ranges, Span
from turngrade.core.dialect.utf16 import join_with_origins, split_with_origins

MAX_NESTING: Final = 50
"""How deep groups and classes may nest; keeps this parser and that of ``regex`` off the recursion limit."""

MAX_RANGES: Final = 20_000
"""How many ranges the properties in a pattern may have together: some thirty times ``\\p{L}``. Folding and
compiling take time for each."""

_ESCAPE_CLASS_OR_GROUP: Final = re.compile(
    r"\\.|[\[\]]|(?P<group>\((?:(?!\?)|(?P<name>\?<(?![=!]))))", re.DOTALL
)


class Scanner:
    """The characters of a pattern, and a place among them.

    Characters are code points with ``u`` or ``v``, else UTF-16 units: ``text`` is the pattern with its
    surrogate pairs joined or its astral characters split. Places in ``text`` are called ``at``; positions and
    spans are those in the pattern as written.
    """

    def __init__(self, pattern: str, flags: str, unicode: bool) -> None:
        self.pattern = pattern
        self.flags = flags
        self.at = 0
        self.text, self._origins = join_with_origins(pattern) if unicode else split_with_origins(pattern)
        self._depth = 0
        self._ranges = 0

    @property
    def done(self) -> bool:
        """Whether nothing is left."""
        return self.at >= len(self.text)

    def peek(self, count: int = 1) -> str:
        """The next characters, fewer at the end."""
        return self.text[self.at : self.at + count]

    def take(self) -> str:
        """Steps over one character and returns it; the caller has made sure that there is one."""
        self.at += 1
        return self.text[self.at - 1]

    def sees(self, literal: str) -> bool:
        """Whether ``literal`` comes next."""
        return self.text.startswith(literal, self.at)

    def eat(self, literal: str) -> bool:
        """Steps over ``literal`` if it comes next."""
        if not self.text.startswith(literal, self.at):
            return False
        self.at += len(literal)
        return True

    def match(self, token: re.Pattern[str]) -> re.Match[str] | None:
        """Steps over ``token`` if it comes next."""
        found = token.match(self.text, self.at)
        if found is not None:
            self.at = found.end()
        return found

    def span(self, start: int) -> Span:
        """The part of the pattern between a place and the present one."""
        if self._origins is None:
            return start, self.at
        begin, end = self._origins[start], self._origins[self.at]
        return begin, end if start == self.at else max(end, self._origins[self.at - 1] + 1)

    def fail(self, reason: str, at: int | None = None) -> NoReturn:
        """Raises ``InvalidPattern`` for a place (default: the present one)."""
        place = min(self.at if at is None else at, len(self.text))
        position = place if self._origins is None else self._origins[place]
        hint = hint_for(self.pattern, position, reason)
        raise InvalidPattern(self.pattern, self.flags, reason, position=position, hint=hint)

    @contextmanager
    def nested(self) -> Iterator[None]:
        """Counts one level of nesting while it is open."""
        self._depth += 1
        if self._depth > MAX_NESTING:
            position = self.at if self._origins is None else self._origins[self.at]
            hint = f"groups and classes may nest {MAX_NESTING} deep"
            raise PatternTooLarge(self.pattern, self.flags, position=position, hint=hint)
        yield
        self._depth -= 1

    def afford(self, ranges: Ranges) -> Ranges:
        """A large set, or nothing once the pattern has too many of them; what is wrong in it comes first."""
        self._ranges += len(ranges)
        return ranges if self._ranges <= MAX_RANGES else ()

    def check_ranges(self) -> None:
        """Raises ``PatternTooLarge`` where not all sets could be afforded."""
        if self._ranges > MAX_RANGES:
            hint = "\\p{…} stands for hundreds of ranges; use fewer of them"
            raise PatternTooLarge(self.pattern, self.flags, hint=hint)

    @lazy
    def group_count(self) -> int:
        """How many capturing groups the whole pattern has, also those still to come."""
        return len(self._groups)

    @lazy
    def has_named_groups(self) -> bool:
        r"""Whether any group of the whole pattern has a name; ``\k`` is an ordinary letter otherwise."""
        return any(group["name"] for group in self._groups)

    @lazy
    def _groups(self) -> list[re.Match[str]]:
        """Where capturing groups open; not in classes, which nest with ``v`` only."""
        groups: list[re.Match[str]] = []
        depth, deepest = 0, len(self.text) if "v" in self.flags else 1
        for token in _ESCAPE_CLASS_OR_GROUP.finditer(self.text):
            if token[0] == "[":
                depth = min(depth + 1, deepest)
            elif token[0] == "]":
                depth = max(depth - 1, 0)
            elif token["group"] and not depth:
                groups.append(token)
        return groups
