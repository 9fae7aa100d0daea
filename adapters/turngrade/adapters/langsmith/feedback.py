"""Posts grades as feedback to a LangSmith project: each row exactly once, and with proof.

Ids are deterministic, and what is there already is listed before anything is posted. So a second run adds
nothing, a run that was cut off goes on where it stopped, and a request whose answer got lost is looked up
before it is made again.
"""

from __future__ import annotations

import itertools
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from turngrade.adapters.langsmith.feedback_report import FeedbackReport
from turngrade.adapters.langsmith.feedback_rows import FeedbackRow, Graded, feedback_rows, run_id_of
from turngrade.adapters.langsmith.posting import Poster
from turngrade.adapters.langsmith.project import find_project
from turngrade.adapters.langsmith.settling import plan, settle
from turngrade.adapters.langsmith.transport import LangSmithRequestFailed, Retries, Server
from turngrade.core import SpecSource, load_spec

if TYPE_CHECKING:
    from langsmith import Client

RUNS_A_BATCH = 100
"""Runs whose feedback is listed, posted and checked together: as many ids as an address line holds safely."""


def post_feedback(
    graded: Iterable[Graded],
    spec: SpecSource,
    project: str,
    *,
    client: Client | None = None,
    aggregate: bool | None = None,
    extend_trace_retention: bool = False,
    dry_run: bool = False,
    retries: Retries | None = None,
    on_progress: Callable[[FeedbackReport], None] | None = None,
    sleep: Callable[[float], None] = time.sleep,
) -> FeedbackReport:
    """Post grades as feedback on the runs of a project.

    Every grader is a row of its name: score true or false, or null with ``error`` for an error verdict. The
    id of a row is made of run, key and spec digest, so posting the same grades again adds nothing, and a
    changed spec adds its own rows. Rows are posted while grades come in; an interruption loses nothing that
    was posted.

    Args:
        graded: Grades whose ids are root run ids; or pairs of transcript and grade, which makes the comments
            show each hit in its context. May be a generator that grades while it reads.
        spec: The spec that gave the grades.
        project: Name or id of the project that holds the runs.
        client: The SDK's client; by default one made from the environment (``LANGSMITH_API_KEY``,
            ``LANGSMITH_ENDPOINT``).
        aggregate: See `evaluator`.
        extend_trace_retention: Whether feedback moves traces to the longer, dearer retention. It also makes
            posting faster: only such rows can travel many in one request.
        dry_run: Send nothing; the report's ``planned`` has the rows that are not there yet.
        retries: How often and after which waits something is tried again.
        on_progress: Called with the report so far after each batch of 100 grades.
        sleep: How to wait.

    Raises:
        InvalidSpec: The spec cannot be used.
        LangSmithRequestFailed: The project is not there, credentials are refused, or the server cannot be
            read. What was posted until then stays, and the next run goes on from there; the error says how
            many rows were seen on the server by then.
        ImportError: ``langsmith`` is not installed.
    """
    loaded = load_spec(spec)
    server = Server(client, retries=retries, sleep=sleep)
    poster = Poster(server, find_project(server, project).id, extend_trace_retention=extend_trace_retention)
    report = FeedbackReport()
    seen: set[bytes] = set()
    for batch in _batches(graded):
        rows = [row for row in feedback_rows(batch, loaded, aggregate=aggregate) if _is_new(row, seen)]
        try:
            report += plan(server, rows) if dry_run else settle(server, poster, rows)
        except LangSmithRequestFailed as error:
            detail = f"{error.detail}{_done_before(report)}"
            raise LangSmithRequestFailed(error.what, error.status, detail) from error
        report += FeedbackReport(skipped=sum(_gives_no_row(item) for item in batch))
        if on_progress is not None:
            on_progress(report)
    return report


def _batches(graded: Iterable[Graded]) -> Iterator[list[Graded]]:
    items = iter(graded)
    while batch := list(itertools.islice(items, RUNS_A_BATCH)):
        yield batch


def _done_before(report: FeedbackReport) -> str:
    """What a failure leaves behind, to be told with it."""
    rows = report.posted + report.updated
    return f"; before that, {rows:,} rows were posted and seen on the server" if rows else ""


def _gives_no_row(item: Graded) -> bool:
    grade = item[1] if isinstance(item, tuple) else item
    return grade.error is not None or run_id_of(grade) is None


def _is_new(row: FeedbackRow, seen: set[bytes]) -> bool:
    """Whether the row did not come before; two grades of one run have the same rows."""
    key = uuid.UUID(row.id).bytes
    if key in seen:
        return False
    seen.add(key)
    return True
