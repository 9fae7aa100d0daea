"""What the process says when it ends."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """Exit codes. Where several apply, the order is that of `Tally.exit_code`."""

    PASSED = 0
    FAILED = 1
    INTERRUPTED = 2
    ERROR = 3
    USAGE = 4
    NOTHING_GRADED = 5
