"""Posts thousands of rows of feedback to a LangSmith server that fails in every way, and counts what is lost.

    python -m tests.faults.langsmith_load [--rows 10000] [--only PART]

The server is the one of the tests, on the loopback interface, and keeps doubles where it is sent any. After
each round the rows that it has are compared with those that it should have, and with what the report says of
them; then the same rows are posted again to a server that has recovered, which must add what was missing and
nothing else. Exit code 1 if a row is lost or there twice, or if the report says anything but the truth.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from tests.langsmith.loopback import API_KEY, Fault, Loopback
from tests.langsmith.loopback_wire import Request
from tests.langsmith.project_runs import root_id

from turngrade.adapters.langsmith.feedback import post_feedback
from turngrade.adapters.langsmith.feedback_report import FeedbackReport
from turngrade.adapters.langsmith.transport import LangSmithRequestFailed, Retries
from turngrade.core import AssistantMessage, Grade, Transcript, load_spec

SPEC_FILE = [
    {"name": "polite", "type": "transcript-matches", "config": {"pattern": "please|thanks"}},
    {"name": "no-promise", "type": "transcript-not-matches", "config": {"pattern": "refund"}},
]
SPEC = load_spec(SPEC_FILE)
WORDS = ("thanks", "a refund", "no", "please")
ROWS_A_RUN = len(SPEC_FILE)

ODD_ANSWERS: dict[str, dict[str, Any]] = {
    "404, the run is on its way": {"status": 404},
    "408": {"status": 408},
    "429 with Retry-After": {"status": 429, "headers": {"Retry-After": "3"}},
    "500, nothing done": {"status": 500},
    "502, 503 or 504": {"status": 503},
    "dropped before": {"drop": "before"},
    "dropped after": {"drop": "after"},
    "slow": {"delay": 0.05},
}
READ_FAULTS: list[dict[str, Any]] = [{"status": 429}, {"status": 500}, {"status": 503}, {"drop": "before"}]


@dataclass
class RowFault(Fault):
    """A fault that strikes only requests that hold one of these rows, by the run and key.

    Args:
        rows: The rows, each as run id and key.
    """

    rows: frozenset[tuple[str, str]] = frozenset()

    def hits(self, request: Request) -> bool:
        """Whether the fault strikes this request; counts down."""
        return self._holds_row(request) and super().hits(request)

    def _holds_row(self, request: Request) -> bool:
        if request.method != "POST" or "feedback" not in request.path:
            return False
        return (request.json["run_id"], request.json["key"]) in self.rows


@dataclass
class Round:
    """One way in which the server fails, and what became of the rows.

    Attributes:
        name: What goes wrong.
        prepare: Makes it go wrong.
        extend: Whether many rows travel in one request.
        on_repeated_id: What the server does with a row that it has.
        stops: Whether the posting may end with an exception.
    """

    name: str
    prepare: Callable[[Loopback, int, random.Random], None]
    extend: bool = False
    on_repeated_id: Literal["conflict", "upsert", "append"] = "append"
    stops: bool = False
    faults: int = field(default=0, init=False)
    report: FeedbackReport = field(default_factory=FeedbackReport, init=False)
    again: FeedbackReport = field(default_factory=FeedbackReport, init=False)
    lost: int = field(default=0, init=False)
    doubled: int = field(default=0, init=False)
    untruths: list[str] = field(default_factory=list, init=False)
    seconds: float = field(default=0.0, init=False)

    def go(self, rows: int) -> None:
        """Post under faults, compare, recover, post again, compare again."""
        runs = rows // ROWS_A_RUN
        began = time.monotonic()
        with Loopback() as server:
            _point_to(server)
            server.store.project("shop")
            server.store.on_repeated_id = self.on_repeated_id
            self.prepare(server, rows, random.Random(self.name))
            planned = sum(fault.times for fault in server.faults)
            self._post_under_faults(server, runs)
            self.faults = planned - sum(fault.times for fault in server.faults)
            server.faults.clear()
            stored = len(server.store.feedback)
            self.again = post(runs, extend=self.extend)
            self._say(self.again.present == stored, f"{self.again.present} there before of {stored}")
            self._say(self.again.complete, f"not complete after recovery: {self.again}")
            self._count(server, runs)
        self.seconds = time.monotonic() - began

    def _post_under_faults(self, server: Loopback, runs: int) -> None:
        stopped = None
        try:
            self.report = post(runs, extend=self.extend, on_progress=self._note)
        except LangSmithRequestFailed as error:
            stopped = error
            posted = f"{self.report.posted:,} rows were posted and seen" if self.report.posted else ""
            self._say(posted in str(error), f"{posted} before: {error}")
        self._say(stopped is None or self.stops, f"raised {stopped!r}")
        there = _stored(server)
        told = {(row.run_id, row.key) for row in (*self.report.failed, *self.report.missing)}
        absent = set(_expected(runs)) - set(there)
        if stopped is None:
            self._say(told == absent, f"{len(told)} rows told missing, {len(absent)} are")
            self._say(self.report.posted == len(there), f"{self.report.posted} told posted, {len(there)} are")
            self._say(self.report.complete == (not absent), f"complete is {self.report.complete}")
        else:
            self._say(self.report.posted <= len(there), f"{self.report.posted} told posted, {len(there)} are")
            self._say(told <= absent, "rows told missing that are there")

    def _note(self, report: FeedbackReport) -> None:
        self.report = report

    def _count(self, server: Loopback, runs: int) -> None:
        there, expected = _stored(server), _expected(runs)
        self.lost = len(set(expected) - set(there))
        self.doubled = sum(there.values()) - len(there)
        wrong = sum(row["score"] is not expected[row["run_id"], row["key"]] for row in server.store.feedback)
        self._say(not wrong, f"{wrong} rows with a wrong score")

    def _say(self, holds: bool, otherwise: str) -> None:
        if not holds:
            self.untruths.append(otherwise)

    @property
    def ok(self) -> bool:
        """Whether each row is there once, and the report was true."""
        return not (self.lost or self.doubled or self.untruths)


def post(
    runs: int, *, extend: bool, on_progress: Callable[[FeedbackReport], None] | None = None
) -> FeedbackReport:
    """Post the grades of so many runs, without waiting."""
    return post_feedback(
        _graded(runs),
        SPEC,
        "shop",
        extend_trace_retention=extend,
        on_progress=on_progress,
        retries=Retries(),
        sleep=lambda seconds: None,
    )


def _graded(runs: int) -> Iterator[tuple[Transcript, Grade]]:
    for number in range(runs):
        message = AssistantMessage(WORDS[number % len(WORDS)], 0)
        transcript = Transcript((message,), message.text, id=root_id(number), source="langsmith:shop")
        yield transcript, SPEC.grade(transcript)


def _expected(runs: int) -> dict[tuple[str, str], bool]:
    words = {root_id(number): WORDS[number % len(WORDS)] for number in range(runs)}
    polite = {(run, "polite"): word in ("thanks", "please") for run, word in words.items()}
    return polite | {(run, "no-promise"): word != "a refund" for run, word in words.items()}


def _stored(server: Loopback) -> Counter[tuple[str, str]]:
    return Counter((row["run_id"], row["key"]) for row in server.store.feedback)


def _point_to(server: Loopback) -> None:
    from langsmith import utils

    os.environ.update(LANGSMITH_ENDPOINT=server.url, LANGSMITH_API_KEY=API_KEY, LANGSMITH_TRACING="false")
    utils.get_env_var.cache_clear()  # type: ignore[attr-defined]


def everything(server: Loopback, rows: int, dice: random.Random) -> None:
    """All kinds of faults, many times over, in writing and in reading."""
    for _ in range(rows // 33):
        fault = dice.choice(list(ODD_ANSWERS.values()))
        server.inject("POST", "/feedback", skip=dice.randrange(rows), times=dice.choice([1, 1, 3]), **fault)
    for _ in range(rows // 500):
        server.inject("GET", "/feedback", skip=dice.randrange(rows // 50), **dice.choice(READ_FAULTS))


def everything_in_batches(server: Loopback, rows: int, dice: random.Random) -> None:
    """The same where a hundred rows travel in one request."""
    for _ in range(rows // 66):
        fault = dice.choice(list(ODD_ANSWERS.values()))
        server.inject("POST", "/runs/multipart", skip=dice.randrange(max(1, rows // 100)), **fault)
    for _ in range(rows // 250):
        server.inject(
            "POST", "/feedback", skip=dice.randrange(rows), **dice.choice(list(ODD_ANSWERS.values()))
        )
        server.inject("GET", "/feedback", skip=dice.randrange(rows // 50), **dice.choice(READ_FAULTS))


def one_kind(kind: dict[str, Any]) -> Callable[[Loopback, int, random.Random], None]:
    """One kind of fault, often."""

    def prepare(server: Loopback, rows: int, dice: random.Random) -> None:
        for _ in range(rows // 100):
            server.inject("POST", "/feedback", skip=dice.randrange(rows), **kind)

    return prepare


def refused_rows(server: Loopback, rows: int, dice: random.Random) -> None:
    """Some rows that the server will never take."""
    chosen = frozenset(dice.sample(list(_expected(rows // ROWS_A_RUN)), rows // 100))
    body = {"detail": "too odd"}
    server.faults.append(RowFault("POST", "feedback", times=10**9, status=422, body=body, rows=chosen))


def false_conflicts(server: Loopback, rows: int, dice: random.Random) -> None:
    """A server that says of some rows that it has them, and does not."""
    chosen = frozenset(dice.sample(list(_expected(rows // ROWS_A_RUN)), rows // 100))
    server.faults.append(RowFault("POST", "feedback", times=10**9, status=409, rows=chosen))


def accepted_and_lost(server: Loopback, rows: int, dice: random.Random) -> None:
    """A server that takes some rows and does not keep them."""
    chosen = frozenset(dice.sample(list(_expected(rows // ROWS_A_RUN)), rows // 100))
    server.faults.append(RowFault("POST", "feedback", times=10**9, status=202, body={}, rows=chosen))


def no_more_writing(server: Loopback, rows: int, dice: random.Random) -> None:
    """A server that from some moment on takes nothing more, but can be read."""
    server.inject("POST", "/feedback", skip=rows * 2 // 3, times=10**9, status=503)


def nothing_more(server: Loopback, rows: int, dice: random.Random) -> None:
    """A server that from some moment on gives no answer to anything."""
    server.inject("POST", "/feedback", skip=rows * 2 // 3, times=10**9, drop="before")
    server.inject("GET", "/feedback", skip=rows // 100, times=10**9, drop="before")


def no_more_rights(server: Loopback, rows: int, dice: random.Random) -> None:
    """Credentials that expire."""
    server.inject("POST", "/feedback", skip=rows * 2 // 3, times=10**9, status=401)


def rounds() -> list[Round]:
    """All ways to fail."""
    return [
        Round("everything", everything),
        Round("everything, in batches", everything_in_batches, extend=True),
        Round("everything, server says 409", everything, on_repeated_id="conflict"),
        Round("everything, server replaces", everything, on_repeated_id="upsert"),
        *(Round(name, one_kind(kind)) for name, kind in ODD_ANSWERS.items()),
        Round("422 for some rows", refused_rows),
        Round("409 for rows that are not there", false_conflicts),
        Round("accepted, then lost", accepted_and_lost),
        Round("nothing more is written", no_more_writing),
        Round("no answer any more", nothing_more, stops=True),
        Round("credentials expire", no_more_rights, stops=True),
    ]


def table(done: list[Round], rows: int) -> str:
    """A line for each round."""
    head = f"{'what goes wrong':32}{'rows':>7}{'faults':>8}{'posted':>8}{'told not':>9}{'again':>7}"
    lines = [head + f"{'lost':>6}{'twice':>7}{'time':>8}  report"]
    for round_ in done:
        told = len(round_.report.failed) + len(round_.report.missing)
        numbers = f"{rows:7,}{round_.faults:8,}{round_.report.posted:8,}{told:9,}{round_.again.posted:7,}"
        lines.append(
            f"{round_.name:32}{numbers}{round_.lost:6}{round_.doubled:7}{round_.seconds:7.0f}s  "
            + ("; ".join(round_.untruths) or "true")
        )
    return "\n".join(lines)


def main() -> int:
    """Go through all rounds."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=10_000, help="how many rows each round posts")
    parser.add_argument("--only", default="", help="rounds whose name has this in it")
    options = parser.parse_args()
    done = [round_ for round_ in rounds() if options.only in round_.name]
    for round_ in done:
        round_.go(options.rows)
        print(table([round_], options.rows).splitlines()[-1], file=sys.stderr)
    print(table(done, options.rows))
    return 0 if all(round_.ok for round_ in done) else 1


if __name__ == "__main__":
    sys.exit(main())
