"""Posting feedback: each row exactly once, whatever the server does, and with proof."""

from __future__ import annotations

import logging
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from tests.langsmith.loopback import API_KEY, Loopback
from tests.langsmith.project_runs import root_id, trace

from turngrade.adapters.langsmith import feedback, read_project
from turngrade.adapters.langsmith.feedback import post_feedback
from turngrade.adapters.langsmith.feedback_report import FeedbackReport
from turngrade.adapters.langsmith.transport import LangSmithRequestFailed, Retries
from turngrade.core import Grade, Spec, Transcript, Unreadable, load_spec

SPEC = load_spec(
    [
        {"name": "polite", "type": "transcript-matches", "config": {"pattern": "please|thanks"}},
        {"name": "no-promise", "type": "transcript-not-matches", "config": {"pattern": "refund"}},
    ]
)
WORDS = ("thanks", "a refund", "no", "please")


def post(server: Loopback, count: int = 4, spec: Spec = SPEC, **options: Any) -> FeedbackReport:
    """Grade the traces of the project and post, without waiting."""
    if not server.store.runs:
        server.store.add_trace("shop", [run for n in range(count) for run in trace(n, WORDS[n % 4])])
    options = {"sleep": lambda seconds: None, "retries": Retries(attempts=5), **options}
    return post_feedback(graded(spec), spec, "shop", **options)


def graded(spec: Spec) -> Iterator[tuple[Transcript | Unreadable, Grade]]:
    return ((transcript, spec.grade(transcript)) for transcript in read_project("shop"))


def assert_exactly_once(
    server: Loopback, count: int, keys: tuple[str, ...] = ("polite", "no-promise")
) -> None:
    rows = Counter((row["run_id"], row["key"]) for row in server.store.feedback)
    assert rows == {(root_id(number), key): 1 for number in range(count) for key in keys}
    for row in server.store.feedback:
        word = WORDS[(int(row["run_id"].replace("-", ""), 16) - 10**15) // 1000 % 4]
        expected = word in ("thanks", "please") if row["key"] == "polite" else word != "a refund"
        assert row["score"] is expected


def test_rows_say_what_the_verdicts_say(loopback: Loopback) -> None:
    report = post(loopback)
    assert report == FeedbackReport(posted=8)
    assert report.complete
    assert_exactly_once(loopback, 4)
    row = next(
        row for row in loopback.store.feedback if row["run_id"] == root_id(1) and row["key"] == "no-promise"
    )
    project = loopback.store.project("shop")
    assert row["session_id"] == project["id"]
    assert row["trace_id"] == row["run_id"]
    assert row["start_time"] == "2026-01-01T00:01:00+00:00"
    assert row["comment"] == "✘ transcript matches pattern /refund/\nmessage 0: a «refund»"
    assert row["feedback_source"] == {
        "type": "model",
        "metadata": {
            "turngrade_version": row["feedback_source"]["metadata"]["turngrade_version"],
            "spec_digest": SPEC.digest,
        },
    }
    assert row["extra"]["hits"][0]["match"] == "refund"
    assert "error" not in row


def test_trace_retention_is_not_extended_unless_asked(loopback: Loopback) -> None:
    post(loopback)
    assert all(row["extend_trace_retention"] is False for row in loopback.store.feedback)
    assert loopback.count("POST", "/runs/multipart") == 0


def test_extending_retention_sends_many_rows_a_request(loopback: Loopback) -> None:
    assert post(loopback, 120, extend_trace_retention=True).posted == 240
    assert_exactly_once(loopback, 120)
    assert all(row["extend_trace_retention"] is True for row in loopback.store.feedback)
    assert (
        loopback.count("POST", "/runs/multipart") == 3
    )  # 100 runs are a batch of 200 rows, then 20 are one of 40
    assert loopback.count("POST", "/feedback") == 0


def test_a_second_run_adds_no_row(loopback: Loopback) -> None:
    post(loopback)
    before = list(loopback.store.feedback)
    posts = loopback.count("POST", "/feedback")
    assert post(loopback) == FeedbackReport(present=8)
    assert loopback.store.feedback == before
    assert loopback.count("POST", "/feedback") == posts


def test_a_changed_spec_adds_its_own_rows(loopback: Loopback) -> None:
    post(loopback)
    other = load_spec([{"name": "polite", "type": "transcript-matches", "config": {"pattern": "thanks"}}])
    assert post(loopback, spec=other).posted == 4
    assert Counter(row["key"] for row in loopback.store.feedback) == {"polite": 8, "no-promise": 4}


def test_a_run_that_was_cut_off_goes_on_where_it_stopped(
    loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feedback, "RUNS_A_BATCH", 10)
    loopback.store.add_trace("shop", [run for n in range(25) for run in trace(n, WORDS[n % 4])])

    def until_killed() -> Iterator[tuple[Transcript | Unreadable, Grade]]:
        for number, pair in enumerate(graded(SPEC)):
            if number == 15:
                raise KeyboardInterrupt
            yield pair

    with pytest.raises(KeyboardInterrupt):
        post_feedback(until_killed(), SPEC, "shop")
    assert len(loopback.store.feedback) == 20
    assert post(loopback) == FeedbackReport(posted=30, present=20)
    assert_exactly_once(loopback, 25)


def test_a_row_that_was_there_with_another_score_is_corrected(loopback: Loopback) -> None:
    post(loopback)
    loopback.store.feedback[3]["score"] = not loopback.store.feedback[3]["score"]
    assert post(loopback) == FeedbackReport(present=7, updated=1)
    assert_exactly_once(loopback, 4)


def test_a_dry_run_reads_and_sends_nothing(loopback: Loopback) -> None:
    post(loopback)
    del loopback.store.feedback[:3]
    loopback.store._feedback_by_id = {row["id"]: row for row in loopback.store.feedback}
    writes = [r for r in loopback.requests if r.method != "GET" and "query" not in r.path]
    report = post(loopback, dry_run=True)
    assert (report.present, report.posted, len(report.planned)) == (5, 0, 3)
    assert not report.complete
    assert {row.to_dict()["key"] for row in report.planned} <= {"polite", "no-promise"}
    assert [r for r in loopback.requests if r.method != "GET" and "query" not in r.path] == writes


def test_two_grades_of_one_run_are_one_row(loopback: Loopback) -> None:
    post(loopback, 1)
    pairs = list(graded(SPEC))
    loopback.store.feedback.clear()
    loopback.store._feedback_by_id.clear()
    assert post_feedback(pairs * 2, SPEC, "shop").posted == 2


def test_errors_are_rows_without_a_score(loopback: Loopback) -> None:
    spec = load_spec([{"name": "broken", "type": "output-matches", "config": {"pattern": "("}}])
    assert post(loopback, 2, spec).posted == 2
    assert [(row["score"], row["error"]) for row in loopback.store.feedback] == [(None, True)] * 2


def test_grades_without_a_run_are_skipped_and_counted(loopback: Loopback) -> None:
    post(loopback, 1)
    lost = SPEC.grade(Unreadable("langsmith:shop", "no root", id=root_id(7)))
    local = SPEC.grade(Transcript.from_texts(["thanks"], id="case 1"))
    unnamed = SPEC.grade(Transcript.from_texts(["thanks"]))
    assert post_feedback([lost, local, unnamed], SPEC, "shop") == FeedbackReport(skipped=3)


def test_progress_is_told_batch_by_batch(loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feedback, "RUNS_A_BATCH", 10)
    told: list[int] = []
    post(loopback, 25, on_progress=lambda report: told.append(report.posted))
    assert told == [20, 40, 50]


FAULTS: dict[str, dict[str, Any]] = {
    "404: the run has not arrived yet": {"status": 404},
    "408": {"status": 408},
    "429 with Retry-After": {"status": 429, "headers": {"Retry-After": "2"}},
    "500": {"status": 500},
    "503": {"status": 503},
    "the request is lost": {"drop": "before"},
    "the answer is lost": {"drop": "after"},
    "slow": {"delay": 0.05},
}


@pytest.mark.parametrize("on_repeated_id", ["conflict", "append"])
@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_every_row_is_there_once_after_a_fault(
    loopback: Loopback, fault: dict[str, Any], on_repeated_id: Any
) -> None:
    loopback.store.on_repeated_id = on_repeated_id
    loopback.inject("POST", "/feedback", skip=2, times=3, **fault)
    report = post(loopback, 6)
    assert report == FeedbackReport(posted=12)
    assert_exactly_once(loopback, 6)


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_every_row_of_a_batch_is_there_once_after_a_fault(loopback: Loopback, fault: dict[str, Any]) -> None:
    loopback.store.on_repeated_id = "append"
    loopback.inject("POST", "/runs/multipart", times=2, **fault)
    loopback.inject("POST", "/feedback", times=2, **fault)
    report = post(loopback, 6, extend_trace_retention=True)
    assert report == FeedbackReport(posted=12)
    assert_exactly_once(loopback, 6)


def test_a_server_without_multipart_gets_single_rows(loopback: Loopback) -> None:
    loopback.inject("POST", "/runs/multipart", times=99, status=404)
    assert post(loopback, 60, extend_trace_retention=True).posted == 120
    assert_exactly_once(loopback, 60)
    assert loopback.count("POST", "/runs/multipart") == 1


def test_one_bad_row_does_not_take_its_batch_along(loopback: Loopback) -> None:
    loopback.inject("POST", "/runs/multipart", status=422)
    loopback.inject("POST", "/feedback", status=422, body={"detail": "comment too odd"})
    report = post(loopback, 6, extend_trace_retention=True)
    assert report.posted == 11
    (failed,) = report.failed
    assert failed.message == "422: comment too odd"
    assert len(loopback.store.feedback) == 11


def test_a_refused_row_is_told_and_the_others_are_posted(loopback: Loopback) -> None:
    loopback.inject(
        "POST", "/feedback", status=422, body={"detail": [{"loc": ["body", "key"], "msg": "too long"}]}
    )
    report = post(loopback, 6)
    assert report.posted == 11
    assert not report.complete
    (failed,) = report.failed
    assert "422" in failed.message
    assert "too long" in failed.message
    assert post(loopback) == FeedbackReport(posted=1, present=11)
    assert_exactly_once(loopback, 6)


def test_a_conflict_says_that_the_row_is_there(loopback: Loopback) -> None:
    post(loopback)
    loopback.inject("GET", "/feedback", status=200, body=[])  # the first listing does not know them yet
    assert post(loopback).complete
    assert_exactly_once(loopback, 4)


def test_a_row_that_is_accepted_and_then_lost_is_missing(loopback: Loopback) -> None:
    loopback.inject("POST", "/feedback", status=202, body={})
    report = post(loopback)
    assert report.posted == 7
    assert not report.complete
    assert [row.message for row in report.missing] == ["accepted, but not listed afterwards"]
    assert post(loopback) == FeedbackReport(posted=1, present=7)


def test_a_server_that_takes_rows_in_slowly_is_given_time(loopback: Loopback) -> None:
    waits: list[float] = []
    loopback.inject("GET", "/feedback", status=200, body=[], skip=1, times=2)
    assert post(loopback, sleep=waits.append) == FeedbackReport(posted=8)
    assert waits == [0.5, 1.0]


@pytest.mark.parametrize(
    ("asked", "waited"),
    [("17", 17.0), ("0.25", 0.5), ("100000", 60.0), ("Fri, 01 Jan 2100 00:00:00 GMT", 60.0), ("soon", 0.5)],
)
def test_the_wait_is_the_one_that_the_server_asks_for_within_bounds(
    loopback: Loopback, asked: str, waited: float
) -> None:
    waits: list[float] = []
    loopback.inject("POST", "/feedback", status=429, headers={"Retry-After": asked})
    assert post(loopback, sleep=waits.append).posted == 8
    assert waits == [waited]


def test_a_server_that_refuses_for_good_is_given_up(loopback: Loopback) -> None:
    waits: list[float] = []
    loopback.inject("POST", "/feedback", status=503, times=10**6)
    report = post(loopback, sleep=waits.append)
    assert (report.posted, len(report.failed)) == (0, 8)
    assert len(waits) == 4
    assert all("503" in row.message for row in report.failed)


def test_refused_credentials_end_it_at_once_and_show_no_key(
    loopback: Loopback, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    loopback.inject("POST", "/feedback", status=403, body={"detail": f"{API_KEY} may not"}, times=99)
    with pytest.raises(LangSmithRequestFailed, match="LANGSMITH_API_KEY") as caught:
        post(loopback)
    assert loopback.count("POST", "/feedback") <= 8
    ours = [record.getMessage() for record in caplog.records if record.name.startswith("turngrade")]
    assert API_KEY not in f"{caught.value} {caught.value!r} {ours} {capsys.readouterr()}"


def test_a_failure_tells_what_was_done_before(loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feedback, "RUNS_A_BATCH", 10)
    loopback.inject(
        "GET", "/feedback", skip=5, times=99, status=503
    )  # two batches, and the third one's posts
    with pytest.raises(LangSmithRequestFailed) as caught:
        post(loopback, 50)
    told = "GET /feedback: status 503: injected; before that, 40 rows were posted and seen on the server"
    assert str(caught.value) == told
    loopback.faults.clear()
    assert post(loopback) == FeedbackReport(posted=40, present=60)
    assert_exactly_once(loopback, 50)


def test_a_correction_that_is_accepted_and_then_lost_is_missing(loopback: Loopback) -> None:
    post(loopback)
    loopback.store.feedback[3]["score"] = not loopback.store.feedback[3]["score"]
    loopback.inject("PATCH", "/feedback", status=200, body={})
    report = post(loopback)
    assert (report.present, report.updated) == (7, 0)
    assert [row.message for row in report.missing] == ["corrected, but listed as before"]
    assert post(loopback) == FeedbackReport(present=7, updated=1)


def test_an_unknown_project_is_told(loopback: Loopback) -> None:
    with pytest.raises(LangSmithRequestFailed, match="no project named 'nowhere'"):
        post_feedback([], SPEC, "nowhere")


@pytest.mark.slow
@pytest.mark.parametrize("extend", [False, True])
def test_thousands_of_rows_through_every_fault(loopback: Loopback, extend: bool) -> None:
    """Every fault many times over: each of 5000 rows is there once, on a server that would keep doubles."""
    loopback.store.on_repeated_id = "append"
    dice = random.Random(1)
    for _ in range(150):
        fault = dice.choice(list(FAULTS.values()))
        path = dice.choice(["/feedback", "/runs/multipart"]) if extend else "/feedback"
        loopback.inject(
            "POST", path, skip=dice.randrange(30 if extend else 4000), times=dice.choice([1, 1, 3]), **fault
        )
    for _ in range(20):
        loopback.inject("GET", "/feedback", skip=dice.randrange(100), status=dice.choice([429, 500, 503]))
    assert post(loopback, 2500, extend_trace_retention=extend) == FeedbackReport(posted=5000)
    assert_exactly_once(loopback, 2500)
    assert post(loopback) == FeedbackReport(present=5000)
