"""Feedback rows: what is posted for a grade, under ids that are the same every time."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, TypeAlias

from msgspec import Struct

from turngrade.adapters.langsmith.results import Result, SpecResults
from turngrade.core import Grade, Spec, Transcript, Unreadable

_NAMESPACE = uuid.UUID("6f2d6c1e-5b0e-5c43-9a86-0d6f6cf0a1b7")
"""Namespace of the ids. Never change it: rows that are there would be posted again."""

Graded: TypeAlias = "Grade | tuple[Transcript | Unreadable, Grade]"
"""A grade, or the pair of what was graded and its grade."""


class FeedbackRow(Struct, frozen=True):
    """One row of feedback on a root run.

    Args:
        id: Made of run, key and spec: the same verdict always has the same id.
        run_id: The run, which is its own trace.
        result: Key, score, comment and detail.
        start_time: When the run started, where that is known; the server finds the run faster by it.
    """

    id: str
    run_id: str
    result: Result
    start_time: str | None = None

    @property
    def key(self) -> str:
        """The feedback key."""
        return self.result.key

    def to_dict(self) -> dict[str, Any]:
        """What is sent, without what only the server's side decides (project, retention)."""
        row = {
            "id": self.id,
            "run_id": self.run_id,
            "trace_id": self.run_id,
            "key": self.key,
            "score": self.result.score,
            "comment": self.result.comment,
            "feedback_source": {"type": "model", "metadata": self.result.info},
            "extra": self.result.extra,
        }
        if self.start_time is not None:
            row["start_time"] = self.start_time
        return row | {"error": True} if self.result.is_error else row


def feedback_id(run_id: str, key: str, digest: str) -> str:
    """The id of the feedback of one grader of a spec on one run.

    Args:
        run_id: The run.
        key: The feedback key.
        digest: The spec's digest.
    """
    return str(uuid.uuid5(_NAMESPACE, f"{run_id}\n{key}\n{digest}"))


def feedback_rows(
    graded: Iterable[Graded], spec: Spec, *, aggregate: bool | None = None
) -> Iterator[FeedbackRow]:
    """The rows of grades, in order. A grade without a run, or of a run that could not be read, gives none.

    Args:
        graded: Grades, alone or paired with what was graded; paired, comments show a hit in its context.
        spec: The spec that gave the grades.
        aggregate: Whether the weighted aggregate is a row too; by default where the spec has a ``scoring``
            section.
    """
    results = SpecResults(spec, aggregate)
    for item in graded:
        source, grade = item if isinstance(item, tuple) else (None, item)
        run_id = run_id_of(grade)
        if run_id is None or grade.error is not None:
            continue
        transcript = source if isinstance(source, Transcript) else None
        start = None if transcript is None else _start_of(transcript)
        for result in results.of(grade, transcript):
            yield FeedbackRow(feedback_id(run_id, result.key, results.digest), run_id, result, start)


def run_id_of(grade: Grade) -> str | None:
    """The run that a grade is about, in the spelling that LangSmith uses; None where its id is no run id."""
    try:
        return str(uuid.UUID(grade.id or ""))
    except ValueError:
        return None


def _start_of(transcript: Transcript) -> str | None:
    start = transcript.metadata.get("start_time")
    return datetime.fromtimestamp(start, UTC).isoformat() if isinstance(start, int | float) else None
