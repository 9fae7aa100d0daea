"""Brings the server to hold the feedback of some runs: lists, posts what is missing, and looks again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from turngrade.adapters.langsmith.feedback_report import FailedRow, FeedbackReport
from turngrade.adapters.langsmith.feedback_rows import FeedbackRow
from turngrade.adapters.langsmith.posting import Outcome, Poster
from turngrade.adapters.langsmith.transport import Budget, Server

PAGE = 100
"""Rows that one listing returns at most."""

Listed: TypeAlias = dict[str, dict[str, Any]]


def plan(server: Server, rows: Sequence[FeedbackRow]) -> FeedbackReport:
    """What posting these rows would send.

    Args:
        server: The server; it is only read.
        rows: The rows.

    Raises:
        LangSmithRequestFailed: The server cannot be read.
    """
    present, changed, new = _sorted_out(rows, _listed(server, rows))
    return FeedbackReport(present=len(present), planned=(*new, *changed))


def settle(server: Server, poster: Poster, rows: Sequence[FeedbackRow]) -> FeedbackReport:
    """Post the rows that are not there, correct those that differ, and verify.

    Args:
        server: The server.
        poster: Sends rows to it.
        rows: The rows of a batch of runs.

    Raises:
        LangSmithRequestFailed: The server cannot be read, or credentials are refused.
    """
    present, changed, new = _sorted_out(rows, _listed(server, rows))
    corrected, not_corrected = _persist(server, changed, poster.update, lambda rows: {})
    posted, refused = _persist(server, new, poster.post, lambda rows: _listed(server, rows))
    missing, unchanged = _not_as_sent(server, posted), _not_as_sent(server, corrected)
    return FeedbackReport(
        posted=len(posted) - len(missing),
        present=len(present),
        updated=len(corrected) - len(unchanged),
        failed=tuple(_failed(outcome) for outcome in (*not_corrected, *refused)),
        missing=(
            *(FailedRow(row.run_id, row.key, "accepted, but not listed afterwards") for row in missing),
            *(FailedRow(row.run_id, row.key, "corrected, but listed as before") for row in unchanged),
        ),
    )


def _sorted_out(
    rows: Sequence[FeedbackRow], there: Listed
) -> tuple[list[FeedbackRow], list[FeedbackRow], list[FeedbackRow]]:
    """Rows that are there as they should be, those that are there with another score, and new ones."""
    new = [row for row in rows if row.id not in there]
    changed = [row for row in rows if row.id in there and _differs(row, there[row.id])]
    present = [row for row in rows if row.id in there and not _differs(row, there[row.id])]
    return present, changed, new


def _differs(row: FeedbackRow, listed: dict[str, Any]) -> bool:
    """Whether the score is another one; servers store true as 1, and round to 4 places."""
    mine, theirs = row.result.score, listed.get("score")
    if mine is None or theirs is None:
        return mine is not theirs
    return round(float(mine), 4) != round(float(theirs), 4)


def _persist(
    server: Server,
    rows: Sequence[FeedbackRow],
    act: Callable[[Sequence[FeedbackRow]], list[Outcome]],
    look_up: Callable[[Sequence[FeedbackRow]], Listed],
) -> tuple[list[FeedbackRow], list[Outcome]]:
    """Do something to rows until it is done or given up.

    A round that got something done does not count as a try. Before a row is tried again, it is looked up: the
    answer may have been lost, and not the request.

    Returns:
        The rows that are done, and the outcomes of those that are not.
    """
    done: list[FeedbackRow] = []
    refused: list[Outcome] = []
    failures = 0
    while rows:
        outcomes = act(rows)
        finished = [outcome.row for outcome in outcomes if outcome.done]
        unsettled = [outcome for outcome in outcomes if outcome.again]
        done += finished
        refused += [outcome for outcome in outcomes if not outcome.done and not outcome.again]
        if not unsettled:
            break
        failures = 0 if finished else failures + 1
        if failures == server.retries.attempts:
            refused += unsettled
            break
        asked = max(outcome.answer.retry_after or 0.0 for outcome in unsettled)
        server.sleep(server.retries.wait(max(failures - 1, 0), asked))
        there = look_up([outcome.row for outcome in unsettled])
        done += [outcome.row for outcome in unsettled if outcome.row.id in there]
        rows = [outcome.row for outcome in unsettled if outcome.row.id not in there]
    return done, refused


def _not_as_sent(server: Server, rows: Sequence[FeedbackRow]) -> list[FeedbackRow]:
    """The rows that the server does not list with their score, after it had some time to take them in."""
    unseen = list(rows)
    for attempt in range(server.retries.attempts):
        if unseen and attempt:
            server.sleep(server.retries.wait(attempt - 1))
        present, _, _ = _sorted_out(unseen, _listed(server, unseen))
        seen = {row.id for row in present}
        unseen = [row for row in unseen if row.id not in seen]
    return unseen


def _listed(server: Server, rows: Sequence[FeedbackRow]) -> Listed:
    """The feedback that the server has for the runs and keys of these rows, by id."""
    found: Listed = {}
    if not rows:
        return found
    params: dict[str, Any] = {
        "run": sorted({row.run_id for row in rows}),
        "key": sorted({row.key for row in rows}),
        "limit": PAGE,
    }
    offset = 0
    while True:
        page = server.read(
            "GET", "/feedback", params={**params, "offset": offset}, budget=Budget.LIST_FEEDBACK
        )
        found |= {str(row["id"]): row for row in page}
        offset += PAGE
        if len(page) < PAGE:
            return found


def _failed(outcome: Outcome) -> FailedRow:
    status = outcome.answer.status
    told = outcome.answer.detail if status is None else f"{status}: {outcome.answer.detail}"
    return FailedRow(outcome.row.run_id, outcome.row.key, told)
