"""Which traces of a project are wanted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeAlias

RunDict: TypeAlias = dict[str, Any]
"""A run as a query returns it."""


@dataclass(frozen=True, slots=True)
class TraceFilter:
    """Which traces are read; every condition is one on the root run.

    Args:
        since: Started at or after this time; without a time zone, UTC.
        until: Started before this time.
        root_name: Name of the root run.
        tag: One of the root run's tags.
        limit: At most so many traces, the newest.
    """

    since: datetime | None = None
    until: datetime | None = None
    root_name: str | None = None
    tag: str | None = None
    limit: int | None = None

    def accepts(self, root: RunDict) -> bool:
        """Whether a root run meets the conditions."""
        start = started(root)
        return (
            (self.since is None or start >= aware(self.since))
            and (self.until is None or start < aware(self.until))
            and (self.root_name is None or root.get("name") == self.root_name)
            and (self.tag is None or self.tag in (root.get("tags") or ()))
        )


def started(run: RunDict) -> datetime:
    """When a run started."""
    return aware(datetime.fromisoformat(run["start_time"]))


def aware(moment: datetime) -> datetime:
    """The time with a time zone; without one it is meant as UTC."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
