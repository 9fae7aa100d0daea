"""Points in time on the command line: ``2026-01-31``, ``2026-01-31T12:00Z``, ``7d`` ago."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import click

_AGO = r"(\d{1,5})([mhdw])"
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


class Moment(click.ParamType):  # type: ignore[type-arg]
    """An ISO 8601 date or time, or a time that long ago: ``30m``, ``12h``, ``7d``, ``2w``."""

    name = "when"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """The moment; without a time zone, UTC."""
        if isinstance(value, datetime):
            return value
        text = str(value).strip()
        ago = re.fullmatch(_AGO, text, re.ASCII)
        try:
            if ago is not None:
                return datetime.now(UTC) - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
            moment = datetime.fromisoformat(text)
        except (ValueError, OverflowError):
            self.fail(
                f"{text!r} is no time; write 2026-01-31, 2026-01-31T12:00Z, or 7d for 7 days ago", param, ctx
            )
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
