"""Sends feedback rows, each once: one request a row, or many rows a request where the server allows it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from turngrade.adapters.langsmith.feedback_rows import FeedbackRow
from turngrade.adapters.langsmith.transport import Answer, Budget, LangSmithRequestFailed, Server

WORKERS = 8
ROWS_A_REQUEST = 100
BYTES_A_REQUEST = 4_000_000

_NOT_SENT = Answer(429, detail="not sent: the server asked to wait")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one row.

    Args:
        row: The row.
        answer: The server's answer.
    """

    row: FeedbackRow
    answer: Answer

    @property
    def done(self) -> bool:
        """Whether the server has the row; a conflict says that it had it before."""
        return self.answer.ok or self.answer.status == 409

    @property
    def again(self) -> bool:
        """Whether another try makes sense. Not found too: a run may be on its way still."""
        return not self.done and (self.answer.transient or self.answer.status == 404)


class Poster:
    """Sends rows to one project.

    Args:
        server: Where to.
        session_id: The project's id.
        extend_trace_retention: Whether the rows move their traces to the longer retention. Only rows that do
            can travel many in one request.
    """

    def __init__(self, server: Server, session_id: str, *, extend_trace_retention: bool) -> None:
        self.server = server
        self.session_id = session_id
        self.extend = extend_trace_retention
        self._multipart = extend_trace_retention

    def post(self, rows: Sequence[FeedbackRow]) -> list[Outcome]:
        """Send new rows, each at most once.

        Raises:
            LangSmithRequestFailed: The credentials are refused.
        """
        if self._multipart:
            return [outcome for batch in _chunks(rows, self._body) for outcome in self._post_many(batch)]
        return self._each(rows, lambda row: self.server.send_json("POST", "/feedback", self._body(row)))

    def update(self, rows: Sequence[FeedbackRow]) -> list[Outcome]:
        """Give rows that are there their new score and comment.

        Raises:
            LangSmithRequestFailed: The credentials are refused.
        """
        return self._each(
            rows,
            lambda row: self.server.send_json(
                "PATCH", f"/feedback/{row.id}", {"score": row.result.score, "comment": row.result.comment}
            ),
        )

    def _post_many(self, rows: list[FeedbackRow]) -> list[Outcome]:
        if not self._multipart:
            return self.post(rows)
        self.server.keep_pace(Budget.POST_FEEDBACK)
        parts = [
            (f"feedback.{row.id}", (None, json.dumps(self._body(row)), "application/json")) for row in rows
        ]
        answer = self.server.send("POST", "/runs/multipart", files=parts)
        if answer.status in (404, 405):  # a server without this way in
            self._multipart = False
        if answer.ok or answer.transient or answer.status in (401, 403, 409):
            return _checked([Outcome(row, answer) for row in rows])
        # one bad row spoils the request: alone, each gets an answer of its own
        return self._each(rows, lambda row: self.server.send_json("POST", "/feedback", self._body(row)))

    def _each(self, rows: Sequence[FeedbackRow], send: Callable[[FeedbackRow], Answer]) -> list[Outcome]:
        """One request a row, some at a time; after the first "wait" nothing more goes out."""
        hold = threading.Event()

        def one(row: FeedbackRow) -> Outcome:
            if hold.is_set():
                return Outcome(row, _NOT_SENT)
            self.server.keep_pace(Budget.POST_FEEDBACK)
            answer = send(row)
            if answer.status in (401, 403, 429):
                hold.set()
            return Outcome(row, answer)

        with ThreadPoolExecutor(min(WORKERS, len(rows) or 1)) as pool:
            try:
                return _checked(list(pool.map(one, rows)))
            finally:
                hold.set()  # an interruption does not wait for what has not gone out

    def _body(self, row: FeedbackRow) -> dict[str, Any]:
        now = datetime.now(UTC).isoformat()
        return {
            **row.to_dict(),
            "session_id": self.session_id,
            "created_at": now,
            "modified_at": now,
            "extend_trace_retention": self.extend,
        }


def _checked(outcomes: list[Outcome]) -> list[Outcome]:
    refused = next((outcome.answer for outcome in outcomes if outcome.answer.status in (401, 403)), None)
    if refused is not None:
        raise LangSmithRequestFailed("POST /feedback", refused.status, refused.detail)
    return outcomes


def _chunks(
    rows: Iterable[FeedbackRow], body: Callable[[FeedbackRow], dict[str, Any]]
) -> Iterator[list[FeedbackRow]]:
    """Rows in groups that one request can hold."""
    chunk: list[FeedbackRow] = []
    size = 0
    for row in rows:
        length = len(json.dumps(body(row)))
        if chunk and (len(chunk) == ROWS_A_REQUEST or size + length > BYTES_A_REQUEST):
            yield chunk
            chunk, size = [], 0
        chunk.append(row)
        size += length
    if chunk:
        yield chunk
