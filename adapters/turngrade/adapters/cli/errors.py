"""What could not be graded, in a line each, for a call that prints neither a table nor a summary."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from turngrade.adapters.cli.terminal import visible
from turngrade.adapters.cli.wording import name_of, plural
from turngrade.core import Grade

MOST = 20
"""Lines that are kept; of more, the number is told."""

_OF_THE_SPEC = frozenset({"invalid_pattern", "pattern_too_long", "pattern_too_large"})
"""Reasons that are told once, before any work, and not again for every transcript."""


class Errors(Struct):
    """Collects sources and transcripts that cannot be read, and verdicts that are errors."""

    kept: list[str] = field(default_factory=list)
    total: int = 0

    def add(self, grade: Grade) -> None:
        """Take one more grade."""
        for line in _lines(grade):
            self.total += 1
            if self.total <= MOST:
                self.kept.append(line)

    def lines(self) -> Iterator[str]:
        """The lines, fit for a terminal."""
        yield from self.kept
        if self.total > MOST:
            yield f"… and {plural(self.total - MOST, 'more error')}"


def _lines(grade: Grade) -> Iterator[str]:
    place = [part for part in (grade.source, name_of(grade)) if part]
    if grade.error is not None:
        yield visible(": ".join([*place, grade.error]))
    for verdict in grade.verdicts:
        if verdict.status == "error" and verdict.reason not in _OF_THE_SPEC:
            yield visible(
                ": ".join([*place, verdict.name, (verdict.message or verdict.evidence).partition("\n")[0]])
            )
