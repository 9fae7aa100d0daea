"""Run a blocking function off the event loop.

A pattern's cost cannot be told from its look, so grading never runs on the loop: a sample's graders take one
hop to a worker thread together, which costs well under 0.1 ms of CPU.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeVar

import anyio
from anyio.lowlevel import RunVar
from anyio.to_thread import run_sync

_T = TypeVar("_T")

_limiter: RunVar[anyio.CapacityLimiter] = RunVar("turngrade_worker_threads")


async def off_loop(function: Callable[[], _T]) -> _T:
    """Run `function` in a worker thread and wait for it without blocking the event loop.

    Not more threads work at a time than there are CPUs. Matching is pure computing: more would only make
    every grader slower, and let one time out because others were busy. The time that a call waits for a
    free thread is not part of its graders' time budget.

    Args:
        function: Called with no arguments, in a copy of the current context.
    """
    return await run_sync(function, abandon_on_cancel=True, limiter=_worker_threads())


def _worker_threads() -> anyio.CapacityLimiter:
    try:
        return _limiter.get()
    except LookupError:
        limiter = anyio.CapacityLimiter(os.cpu_count() or 1)
        _limiter.set(limiter)
        return limiter
