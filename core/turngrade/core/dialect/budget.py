"""One search within a time budget: ``regex``, a linear automaton where ``regex`` is slow, ``regex`` again.

``regex`` backtracks: usually the fastest way, now and then endless. Its ``timeout=`` counts the CPU time of
the whole process, so the limit comes too early while other threads work, and too late while the process
is starved. Every limit that it reports is therefore checked against the wall clock.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TypeAlias, TypeVar

from msgspec import Struct

from turngrade.core.dialect.deadline import Deadline, MatchMemory, MatchTimeout
from turngrade.core.dialect.nfa import Unsuitable
from turngrade.core.dialect.slots import slots

T = TypeVar("T")

SLICE: Final = 0.05
"""Seconds that ``regex`` gets before anything else is tried."""

_FALLBACK_PART: Final = 0.6
_MAX_REPEATS: Final = 8
_NOTICEABLE_LAG: Final = 0.005
_ENDLESS: Final = float("inf")
_TELLING: Final = 0.8 * SLICE
_PROBE: Final = 0.25
_MOMENT: Final = 0.001
_LEAST_SHARE: Final = 0.05
_LEAST_LIMIT: Final = 0.001
_NEGLIGIBLE: Final = 0.02

Attempt: TypeAlias = Callable[[float], T]
"""A search by ``regex`` with a time limit in seconds of CPU time of the process."""

Fallback: TypeAlias = Callable[[Deadline], T]
"""A search by other means, which minds the deadline itself."""


class Pace(Struct, frozen=True):
    """How the limit of ``regex`` relates to the wall clock.

    Attributes:
        lag: Seconds of CPU time by which ``regex`` overruns its limit at most: it looks at the clock after so
            many steps, and a step may read the whole text.
        share: CPU time of the process for each second of wall time. Below 1 the process is starved, and a
            limit of one second would take longer than a second.
        seen: Seconds of CPU time from which the share is known.
    """

    lag: float = 0.0
    share: float = 1.0
    seen: float = 0.0

    def limit(self, left: float) -> float:
        """The limit with which a search ends when these seconds of wall time have passed, or earlier."""
        limit = max(_LEAST_LIMIT, left * self.share - self.lag)
        return limit if self.seen > _TELLING else min(_PROBE, limit)

    def after(self, limit: float, cpu: float, wall: float) -> Pace:
        """What has been learnt from a search that was ended by its limit."""
        share = max(_LEAST_SHARE, min(1.0, cpu / wall)) if wall > _MOMENT else self.share
        return Pace(max(self.lag, cpu - limit), share, cpu)


def bounded(
    attempt: Attempt[T],
    fallback: Fallback[T] | None,
    deadline: Deadline,
    *,
    lag: float = 0.0,
    fallback_first: bool = False,
) -> T:
    """Search within what is left of the budget.

    Args:
        attempt: The search by ``regex``.
        fallback: The linear search, if there is one.
        deadline: The budget; started here if it is not running. Waiting for a slot does not count.
        lag: Seconds by which ``regex`` may overrun a limit on this text.
        fallback_first: Whether ``regex`` is known to be slow, or not to be stopped in time.

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
        return _staged(attempt, fallback, deadline, lag, fallback_first)
    except (MemoryError, RecursionError):
        raise MatchMemory from None
    finally:
        held.release()


def _staged(
    attempt: Attempt[T], fallback: Fallback[T] | None, deadline: Deadline, lag: float, fallback_first: bool
) -> T:
    left = deadline.remaining()
    if left <= 0:
        raise MatchTimeout(deadline.seconds)
    pace, failure = Pace(lag), None
    cpu = time.process_time() if lag > _NOTICEABLE_LAG or fallback_first else None  # not for short searches
    if not fallback_first:
        limit = min(SLICE, left)
        try:
            return attempt(limit)
        except TimeoutError:
            used = limit if cpu is None else time.process_time() - cpu
            pace = pace.after(limit, used, left - deadline.remaining())
        except (MemoryError, RecursionError) as error:
            failure = error
    if fallback is not None:
        with suppress(Unsuitable, MatchTimeout, RecursionError):
            return fallback(deadline.part(_fallback_part(deadline, pace, failure)))
    if failure is not None:
        raise failure
    if cpu is not None:
        pace = pace.after(_ENDLESS, time.process_time() - cpu, left - deadline.remaining())
    return _rest(attempt, deadline, pace)


def _fallback_part(deadline: Deadline, pace: Pace, failure: BaseException | None) -> float:
    """The share of the time left for the linear search: all, where ``regex`` could not use the rest of it."""
    rest = deadline.remaining() * (1 - _FALLBACK_PART)
    return _FALLBACK_PART if failure is None and pace.lag < rest else 1.0


def _rest(attempt: Attempt[T], deadline: Deadline, pace: Pace) -> T:
    """Repeat while other threads used up the limit, but never beyond the budget."""
    for repeat in range(_MAX_REPEATS):
        left, cpu = deadline.remaining(), time.process_time()
        limit = pace.limit(left)
        if left <= _NEGLIGIBLE * deadline.seconds or (repeat and limit == _LEAST_LIMIT):
            break
        try:
            return attempt(limit)
        except TimeoutError:
            pace = pace.after(limit, time.process_time() - cpu, left - deadline.remaining())
    raise MatchTimeout(deadline.seconds)
