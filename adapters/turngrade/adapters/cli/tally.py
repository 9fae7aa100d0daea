"""Counting grades: pass rates, and the exit code they lead to."""

from __future__ import annotations

from msgspec import Struct, field

from turngrade.adapters.cli.exit_codes import Exit
from turngrade.core import Grade


class Count(Struct):
    """How many passed, failed or were errors."""

    passed: int = 0
    failed: int = 0
    errors: int = 0

    def add(self, status: str) -> None:
        """Count one more of a status."""
        if status == "pass":
            self.passed += 1
        elif status == "fail":
            self.failed += 1
        else:
            self.errors += 1

    @property
    def total(self) -> int:
        """All of them."""
        return self.passed + self.failed + self.errors

    @property
    def rate(self) -> float:
        """The share that passed, 0.0 to 1.0; 0.0 of nothing."""
        return self.passed / self.total if self.total else 0.0


class Tally(Struct):
    """The counts of a whole call.

    Args:
        transcripts: By the status of the transcript, of those that were graded.
        graders: By the status of the verdict, for each grader, in the order of the spec.
        unreadable: Transcripts or sources that could not be read.
        untouched: Transcripts to which no grader of the spec applies.
    """

    transcripts: Count = field(default_factory=Count)
    graders: dict[str, Count] = field(default_factory=dict)
    unreadable: int = 0
    untouched: int = 0

    def add(self, grade: Grade) -> None:
        """Count a grade."""
        if grade.error is not None:
            self.unreadable += 1
            return
        if not grade.verdicts:
            self.untouched += 1
            return
        self.transcripts.add(grade.status)
        for verdict in grade.verdicts:
            self.graders.setdefault(verdict.name, Count()).add(verdict.status)

    def exit_code(self) -> Exit:
        """The first that applies: an error, nothing graded, a failure, all passed."""
        if self.transcripts.errors or self.unreadable:
            return Exit.ERROR
        if not self.transcripts.total:
            return Exit.NOTHING_GRADED
        return Exit.FAILED if self.transcripts.failed else Exit.PASSED
