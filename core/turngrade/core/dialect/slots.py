"""At most as many searches at once as there are CPUs.

Searches release the GIL, so a hundred threads could burn at once. Each would be starved by the others, and
the time limit of ``regex``, which counts the CPU time of the whole process, would end them all too early.
"""

from __future__ import annotations

import os
import time
from queue import Empty, SimpleQueue


class Slots:
    """A counting semaphore; ``SimpleQueue`` makes it cost 0.1 µs, a tenth of ``threading.Semaphore``."""

    def __init__(self, count: int) -> None:
        self._free: SimpleQueue[None] = SimpleQueue()
        for _ in range(count):
            self._free.put(None)

    def acquire(self) -> float:
        """Take a slot, waiting for one if need be; returns the seconds waited."""
        try:
            self._free.get_nowait()
        except Empty:
            return self._wait()
        return 0.0

    def release(self) -> None:
        """Give the slot back."""
        self._free.put(None)

    def _wait(self) -> float:
        since = time.monotonic()
        self._free.get()
        return time.monotonic() - since


def cpu_count() -> int:
    """CPUs that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


_slots = Slots(cpu_count())


def slots() -> Slots:
    """The slots of this process."""
    return _slots


def _renew() -> None:
    """Threads of the parent that held slots do not exist in a forked child."""
    global _slots
    _slots = Slots(cpu_count())


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew)
