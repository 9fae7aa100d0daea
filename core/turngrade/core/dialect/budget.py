"""One search within a time budget: ``regex``, a linear automaton where ``regex`` is slow, ``regex`` again.

``regex`` backtracks: usually the fastest way, now and then endless. Its ``timeout=`` counts the CPU time of
the whole process, so the limit comes too early while other threads work, and too late while the process
is starved. Every limit that it reports is therefore checked against the wall clock.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Final, TypeAlias, TypeVar

from turngrade.core.dialect.deadline import Deadline, MatchMemory, MatchTimeout
from turngrade.core.dialect.nfa import Unsuitable
from turngrade.core.dialect.slots import slots

T = TypeVar("T")

SLICE: Final = 0.05
"""Seconds that ``regex`` gets before anything else is tried."""

_FALLBACK_PART: Final = 0.6
_MAX_REPEATS: Final = 8
_LEAST_SHARE: Final = 0.05
_NEGLIGIBLE: Final = 0.02

Attempt: TypeAlias = Callable[[float], T]
"""A search by ``regex`` with a time limit in seconds of CPU time of the process."""

Fallback: TypeAlias = Callable[[Deadline], T]
"""A search by other means, which minds the deadline itself."""


def bounded(
    attempt: Attempt[T], fallback: Fallback[T] | None, deadline: Deadline, *, fallback_first: bool = False
) -> T:
    """Search within what is left of the budget.

    Args:
        attempt: The search by ``regex``.
        fallback: The linear search, if there is one.
        deadline: The budget; started here if it is not running. Waiting for a slot does not count.
        fallback_first: Whether ``regex`` is known to be slow here.

    Raises:
        MatchTimeout: No answer within the budget.
        MatchMemory: No answer within the memory that ``regex`` or Python may have.
    """
    held = slots()
    waited = held.acquire()
    try:
        if waited:
            deadline.postpone(waited)
        deadline.start()
        return _staged(attempt, fallback, deadline, fallback_first)
    except (MemoryError, RecursionError):
        raise MatchMemory from None
    finally:
        held.release()


def _staged(attempt: Attempt[T], fallback: Fallback[T] | None, deadline: Deadline, fallback_first: bool) -> T:
    left = deadline.remaining()
    if left <= 0:
        raise MatchTimeout(deadline.seconds)
    share, failure = 1.0, None
    if not fallback_first:
        limit = min(SLICE, left)
        try:
            return attempt(limit)
        except TimeoutError:
            share = _share(limit, left - deadline.remaining())
        except (MemoryError, RecursionError) as error:
            failure = error
    if fallback is not None:
        with suppress(Unsuitable, MatchTimeout, RecursionError):
            return fallback(deadline.part(_FALLBACK_PART))
    if failure is not None:
        raise failure
    return _rest(attempt, deadline, share)


def _rest(attempt: Attempt[T], deadline: Deadline, share: float) -> T:
    """Repeat while other threads used up the limit, but never beyond the budget."""
    for _ in range(_MAX_REPEATS):
        left = deadline.remaining()
        if left <= _NEGLIGIBLE * deadline.seconds:
            break
        limit = left * share
        try:
            return attempt(limit)
        except TimeoutError:
            share = _share(limit, left - deadline.remaining())
    raise MatchTimeout(deadline.seconds)


def _share(cpu: float, wall: float) -> float:
    """The CPU time of the process for each second of wall time, at most 1.

    Below 1 the process was starved: a limit of one second of CPU time would take longer than a second.
    """
    return max(_LEAST_SHARE, min(1.0, cpu / wall)) if wall > 0 else 1.0
