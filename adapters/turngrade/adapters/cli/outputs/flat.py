"""Grades as flat rows, one a verdict, for spreadsheets and data frames."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from turngrade.core import Grade

COLUMNS = (
    "source",
    "id",
    "epoch",
    "transcript_passed",
    "transcript_score",
    "grader",
    "type",
    "status",
    "score",
    "evidence",
    "reason",
    "message",
    "matched",
)
"""The columns that a verdict fills; what could not be read has no grader."""


def rows(grade: Grade) -> Iterator[dict[str, Any]]:
    """One row a verdict; one row with the error for what could not be read."""
    place = {
        "source": grade.source,
        "id": grade.id,
        "epoch": grade.epoch,
        "transcript_passed": grade.passed,
        "transcript_score": grade.score,
    }
    if grade.error is not None:
        yield place | {"status": "error", "score": 0.0, "evidence": grade.error}
    for verdict in grade.verdicts:
        yield place | {
            "grader": verdict.name,
            "type": verdict.type,
            "status": verdict.status,
            "score": verdict.score,
            "evidence": verdict.evidence,
            "reason": verdict.reason,
            "message": verdict.message,
            "matched": verdict.matched,
        }
