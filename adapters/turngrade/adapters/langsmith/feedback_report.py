"""What became of posted feedback."""

from __future__ import annotations

from dataclasses import dataclass, fields

from turngrade.adapters.langsmith.feedback_rows import FeedbackRow


@dataclass(frozen=True, slots=True)
class FailedRow:
    """A row that is not on the server.

    Args:
        run_id: The run.
        key: The feedback key.
        message: Why.
    """

    run_id: str
    key: str
    message: str


@dataclass(frozen=True, slots=True)
class FeedbackReport:
    """What became of the rows.

    Args:
        posted: How many were added; each was seen on the server afterwards.
        present: How many were there before.
        updated: How many were there with another score; each was seen with the right one afterwards.
        skipped: How many grades name no run, or are of one that could not be read.
        failed: Rows that the server refused, or did not take in the tries that it was given.
        missing: Rows that the server accepted, and did not list afterwards, or not with the right score.
        planned: Of a dry run: the rows that would be sent.
    """

    posted: int = 0
    present: int = 0
    updated: int = 0
    skipped: int = 0
    failed: tuple[FailedRow, ...] = ()
    missing: tuple[FailedRow, ...] = ()
    planned: tuple[FeedbackRow, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether the server holds every row."""
        return not self.failed and not self.missing and not self.planned

    def __add__(self, other: FeedbackReport) -> FeedbackReport:
        return FeedbackReport(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))
