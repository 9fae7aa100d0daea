"""``grade langsmith:PROJECT``: filters, threads, and feedback, against a server on the loopback interface."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from tests.cli.support import Command
from tests.langsmith.conftest import clean_langsmith as clean_langsmith
from tests.langsmith.conftest import loopback as loopback
from tests.langsmith.loopback import API_KEY, Loopback
from tests.langsmith.project_runs import FIRST, root_id, trace

from turngrade.adapters.langsmith import transport

Write = Callable[..., Path]

SPEC = {
    "graders": [
        {"type": "transcript-matches", "name": "first", "config": {"pattern": "first [0-2]"}},
        {"type": "transcript-not-matches", "name": "secret-free", "config": {"pattern": r"hunter\d"}},
    ]
}
GRADE = ("grade", "spec.json", "langsmith:shop")


@pytest.fixture(autouse=True)
def shop(loopback: Loopback, write: Write, monkeypatch: pytest.MonkeyPatch) -> Loopback:
    """A project of five traces, of which the first three pass."""
    for number in range(5):
        tags = ("vip",) if number % 2 else ()
        runs = trace(number, f"first {number}", "last", name=f"agent-{number // 2}", tags=tags)
        loopback.store.add_trace("shop", runs)
    write("spec.json", SPEC)
    quick = partial(transport.Retries, attempts=2, first_wait=0.01)
    monkeypatch.setattr(transport, "Retries", quick)
    return loopback


def stored(server: Loopback) -> dict[tuple[str, str], bool]:
    rows = {(row["run_id"], row["key"]): row["score"] for row in server.store.feedback}
    assert len(rows) == len(server.store.feedback)
    return rows


EVERY = {(root_id(n), key): key != "first" or n < 3 for n in range(5) for key in ("first", "secret-free")}


def moment(minutes: int) -> str:
    start: datetime = FIRST + timedelta(minutes=minutes)
    return start.isoformat()


@pytest.mark.parametrize(
    ("options", "numbers"),
    [
        (["--since", moment(2)], [4, 3, 2]),
        (["--until", moment(2)], [1, 0]),
        (["--since", moment(1), "--until", moment(4), "--limit", "2"], [3, 2]),
        (["--root-name", "agent-1"], [3, 2]),
        (["--tag", "vip"], [3, 1]),
        (["--since", "2026-01-01"], [4, 3, 2, 1, 0]),
        (["--since", "90m"], []),
    ],
)
def test_filters(turngrade: Command, options: list[str], numbers: list[int]) -> None:
    result = turngrade(*GRADE, *options, "-o", "-")
    assert [row["id"] for row in result.rows] == [root_id(number) for number in numbers]


def test_feedback_is_what_the_verdicts_say(shop: Loopback, turngrade: Command) -> None:
    result = turngrade(*GRADE, "--write-back", "-o", "-")
    assert result.code == 1
    verdicts = {(row["id"], v["name"]): v["passed"] for row in result.rows for v in row["verdicts"]}
    assert stored(shop) == verdicts == EVERY
    told = "langsmith:shop: 10 rows of feedback posted and seen on the server, 0 there before"
    assert told in result.err.splitlines()
    comments = {row["comment"] for row in shop.store.feedback if row["key"] == "first"}
    assert any("«first 2»" in comment for comment in comments)


def test_a_second_call_adds_nothing_and_corrects(shop: Loopback, turngrade: Command) -> None:
    turngrade(*GRADE, "--write-back", "--limit", "3")
    assert len(shop.store.feedback) == 6
    shop.store.feedback[0]["score"] = not shop.store.feedback[0]["score"]
    result = turngrade(*GRADE, "--write-back")
    told = "4 rows of feedback posted and seen on the server, 5 there before, 1 corrected"
    assert told in result.err
    assert stored(shop) == EVERY


def test_only_some_graders(shop: Loopback, turngrade: Command) -> None:
    turngrade(*GRADE, "--write-back", "--only", "first")
    assert {key for _, key in stored(shop)} == {"first"}


def test_a_dry_run_prints_the_rows_and_sends_nothing(shop: Loopback, turngrade: Command) -> None:
    turngrade(*GRADE, "--write-back", "--limit", "2")
    posts = shop.count("POST", "/feedback")
    result = turngrade(*GRADE, "--write-back", "--dry-run")
    rows = [json.loads(line) for line in result.out.splitlines()]
    assert {(row["run_id"], row["key"]): row["score"] for row in rows} == {
        place: score for place, score in EVERY.items() if place[0] not in (root_id(4), root_id(3))
    }
    assert "would send 6 rows of feedback, 4 there before; nothing was sent" in result.err
    assert shop.count("POST", "/feedback") == posts
    assert API_KEY not in result.out + result.err


def test_rows_that_the_server_refuses_are_named(shop: Loopback, turngrade: Command) -> None:
    shop.inject("POST", "/feedback", status=422, body={"detail": f"no room for {API_KEY}"}, times=1)
    result = turngrade(*GRADE, "--write-back", "--fail-on", "never")
    assert result.code == 3
    assert "9 rows of feedback posted and seen on the server, 0 there before, 1 MISSING" in result.err
    [line] = [line for line in result.err.splitlines() if "not there: " in line]
    assert "422" in line
    assert API_KEY not in result.out + result.err
    run, key = next(place for place in EVERY if place not in stored(shop))
    assert f"run {run}, {key}" in line
    assert turngrade(*GRADE, "--write-back", "--fail-on", "never").code == 0
    assert stored(shop) == EVERY


def test_rows_that_are_not_listed_afterwards_are_missing(
    shop: Loopback, turngrade: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    add = shop.store.add_feedback
    monkeypatch.setattr(shop.store, "add_feedback", lambda row: row["run_id"] == root_id(2) or add(row))
    result = turngrade(*GRADE, "--write-back", "--fail-on", "never")
    assert result.code == 3
    lines = [line for line in result.err.splitlines() if "not there: " in line]
    assert [line.split(", ")[1] for line in lines] == [
        "first: accepted",
        "secret-free: accepted",
    ]
    assert all(root_id(2) in line for line in lines)


def test_credentials_that_are_refused(shop: Loopback, turngrade: Command) -> None:
    shop.inject("POST", "/feedback", status=401, times=1000)
    result = turngrade(*GRADE, "--write-back", "-o", "grades.jsonl")
    assert result.code == 3
    assert "langsmith:shop: not written back: " in result.err
    assert "LANGSMITH_API_KEY" in result.err
    assert API_KEY not in result.out + result.err
    assert len(Path("grades.jsonl").read_text().splitlines()) == 5


def test_a_project_that_is_not_there(turngrade: Command) -> None:
    result = turngrade("grade", "spec.json", "langsmith:nowhere", "langsmith:shop", "--write-back", "-o", "-")
    assert result.code == 3
    assert "langsmith:nowhere: not written back: " in result.err
    assert "10 rows of feedback posted" in result.err
    assert len(result.rows) == 6


def test_redacted_feedback_holds_no_secret(shop: Loopback, turngrade: Command) -> None:
    shop.store.add_trace("shop", trace(9, "the word is hunter2"))
    turngrade(*GRADE, "--write-back", "--redact", "--limit", "1")
    assert stored(shop)[root_id(9), "secret-free"] is False
    assert "hunter2" not in json.dumps(shop.store.feedback)
    assert "[secret-free: 7 characters]" in json.dumps(shop.store.feedback, ensure_ascii=False)


def test_retention_is_extended_only_when_asked(shop: Loopback, turngrade: Command) -> None:
    turngrade(*GRADE, "--write-back", "--limit", "1")
    before = list(shop.store.feedback)
    turngrade(*GRADE, "--write-back", "--extend-trace-retention")
    after = [row for row in shop.store.feedback if row not in before]
    assert stored(shop) == EVERY
    assert shop.count("POST", "/runs/multipart") == 1
    assert {row.get("extend_trace_retention") for row in before} == {False}
    assert {row.get("extend_trace_retention") for row in after} <= {True, None}


def test_threads(shop: Loopback, turngrade: Command) -> None:
    for number in (10, 11, 12):
        runs = trace(number, "hello" if number == 10 else "first 1")
        runs[0]["extra"] = {"metadata": {"thread_id": "t-1" if number < 12 else "t-2"}}
        shop.store.add_trace("shop", runs)
    result = turngrade(*GRADE, "--since", moment(10), "--by", "thread", "-o", "-")
    assert {row["id"]: row["passed"] for row in result.rows} == {"t-1": True, "t-2": True}
    hit = next(row for row in result.rows if row["id"] == "t-1")["verdicts"][0]["hits"][0]
    assert hit["message_index"] == 1
    limited = turngrade(*GRADE, "--since", moment(10), "--by", "thread", "--limit", "1", "-o", "-")
    assert len(limited.rows) == 1
