"""The wall-clock budget of a search, and what is raised when a search cannot be finished."""

from __future__ import annotations

import time
from typing import Final

DEFAULT_SECONDS: Final = 5.0
"""Budget of a search that is not given one."""


class MatchError(RuntimeError):
    """A search ended without an answer: the text may or may not match."""


class MatchTimeout(MatchError):
    """The time budget is used up."""

    def __init__(self, limit_seconds: float) -> None:
        super().__init__(f"Timed out after {limit_seconds:g} s")
        self.limit_seconds = limit_seconds

    def __reduce__(self) -> tuple[type[MatchTimeout], tuple[float]]:
        return type(self), (self.limit_seconds,)


class MatchMemory(MatchError):
    """The engine needed more memory than it may have."""

    def __init__(self) -> None:
        super().__init__("Out of memory")

    def __reduce__(self) -> tuple[type[MatchMemory], tuple[()]]:
        return type(self), ()


class Deadline:
    """A wall-clock budget for several searches together, such as one pattern over a whole transcript.

    The clock is started by the first search, not by the constructor. Time that a search waits for its
    turn, because as many searches as there are CPUs are already running, does not count.
    A deadline belongs to one thread.
    """

    __slots__ = ("_end", "seconds")

    def __init__(self, seconds: float) -> None:
        self.seconds: Final = seconds
        self._end: float | None = None

    @classmethod
    def after(cls, seconds: float = DEFAULT_SECONDS) -> Deadline:
        """A budget of so many seconds, to be counted from the first search on."""
        return cls(seconds)

    def start(self) -> None:
        """Start the clock, unless it is running."""
        if self._end is None:
            self._end = time.monotonic() + self.seconds

    def postpone(self, seconds: float) -> None:
        """Do not count so many seconds that have just passed."""
        if self._end is not None:
            self._end += seconds

    def remaining(self) -> float:
        """Seconds left: the whole budget before the start, zero or less when it is used up."""
        return self.seconds if self._end is None else self._end - time.monotonic()

    def part(self, share: float) -> Deadline:
        """A running deadline for a share of what is left."""
        part = Deadline(self.remaining() * share)
        part.start()
        return part

    def check(self) -> None:
        """Raise when the budget is used up.

        Raises:
            MatchTimeout: Nothing is left.
        """
        if self.remaining() <= 0:
            raise MatchTimeout(self.seconds)
