"""One look at a text for many patterns at once: which of them certainly do not match.

With RE2 (the extra ``fast``) a set of patterns costs little more than one. What RE2 says is never a match:
its patterns are wider than those that they stand for, and where one is found the real engine is asked.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Any, Final, Protocol

from turngrade.core.dialect.nodes import Tree
from turngrade.core.dialect.superset import encoded, supersets

_LARGEST_TEXT: Final = 1 << 15
"""RE2 cannot be stopped. At its slowest it takes 20 µs for a character, with the largest set."""

_LARGEST_SET: Final = 1000
"""Instructions of RE2, in one set. Its time for a character at its slowest grows with them."""

_MEMORY: Final = 1 << 24
"""Bytes that the automaton of one set may take."""

_WORTH_IT: Final = 100_000
"""Characters after which a screen has paid for being made."""

_GRACE: Final = 0.1
"""Seconds for the states that are made only once."""

_SLOW: Final = 5e-8
"""Seconds for a character from which a set is too slow to be of use; the usual is 3e-9."""

_SOMETHING: Final = r"\A"
"""Found in every text: where it is not, RE2 ran out of memory."""


class Screened(Protocol):
    """A pattern that a screen may stand in front of."""

    @property
    def tree(self) -> Tree:
        """The parsed pattern."""
        ...


class Screen:
    """Patterns that are looked for together. Threads may share it.

    RE2 is loaded, and the sets are made, when there has been enough text for it, and one that turns out slow
    is given up. What can be told of a text may so depend on what came before; what matches does not. Without
    RE2 nothing is told.
    """

    def __init__(self, patterns: Iterable[Screened]) -> None:
        self._patterns: Final = tuple(dict.fromkeys(patterns))
        self._seen = 0
        self._sets: tuple[_Set, ...] | None = None

    def absent(self, units: str) -> frozenset[object]:
        """Patterns that certainly do not match.

        Args:
            units: The text in UTF-16 units.
        """
        if self._sets is None:
            self._seen += len(units)
            if self._seen < _WORTH_IT:
                return frozenset()
            self._sets = _sets(self._patterns) if _re2() is not None else ()
        if not self._sets or len(units) > _LARGEST_TEXT:
            return frozenset()
        data = encoded(units)
        return frozenset().union(*[held.absent(data) for held in self._sets if held.is_useful])


@lru_cache(maxsize=64)
def screen_of(patterns: tuple[Screened, ...]) -> Screen | None:
    """The screen for some patterns, always the same; None without patterns."""
    return Screen(patterns) if patterns else None


class _Set:
    """One set of RE2.

    Attributes:
        is_useful: Whether it is fast enough and has had enough memory so far.
    """

    def __init__(self, members: Mapping[Screened, tuple[str, ...]]) -> None:
        re2 = _re2()
        self._set: Final = re2.Set.SearchSet(_options(re2))
        self._set.Add(_SOMETHING)
        self._needed: Final = {
            pattern: frozenset([self._set.Add(superset) for superset in supersets])
            for pattern, supersets in members.items()
        }
        self.is_useful = _compiled(self._set, re2)
        self._spare = _GRACE

    def absent(self, data: bytes) -> frozenset[object]:
        """Patterns of which something is missing in the text."""
        began = time.thread_time()
        found = self._set.Match(data)
        self._spare += len(data) * _SLOW - (time.thread_time() - began)
        self.is_useful = bool(found) and self._spare > 0
        if not found:
            return frozenset()
        there = frozenset(found)
        return frozenset(pattern for pattern, needed in self._needed.items() if not needed <= there)


def _sets(patterns: Iterable[Screened]) -> tuple[_Set, ...]:
    """The patterns in sets of bounded size, without those of which nothing can be told."""
    sets: list[dict[Screened, tuple[str, ...]]] = []
    room = 0
    for pattern in patterns:
        told = supersets(pattern.tree)
        size = sum(map(_size, told))
        if not told or size > _LARGEST_SET:
            continue
        if size > room:
            sets.append({})
            room = _LARGEST_SET
        sets[-1][pattern] = told
        room -= size
    return tuple(map(_Set, sets))


def _compiled(held: Any, re2: Any) -> bool:
    try:
        held.Compile()
    except re2.error:
        return False
    return True


def _size(superset: str) -> int:
    """The instructions of RE2; more than a set may have if it refuses the pattern."""
    re2 = _re2()
    try:
        return int(re2.compile(superset, _options(re2)).programsize)
    except re2.error:
        return _LARGEST_SET + 1


def _options(re2: Any) -> Any:
    options = re2.Options()
    options.max_mem = _MEMORY
    options.never_capture = True
    options.log_errors = False
    return options


@cache
def _re2() -> Any:
    """RE2, or None where it is not installed; other packages that bear the name have no sets."""
    try:
        import re2
    except ImportError:
        return None
    return re2 if hasattr(re2, "Set") else None
