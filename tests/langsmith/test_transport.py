"""Pace, waits and errors of the requests to LangSmith."""

from __future__ import annotations

import pickle
import time

import pytest
from tests.langsmith.loopback import Loopback

from turngrade.adapters.langsmith import LangSmithRequestFailed, Retries
from turngrade.adapters.langsmith.transport import Budget, Pace, Server


def test_requests_beyond_the_limit_wait_for_their_window() -> None:
    waits: list[float] = []
    pace = Pace(3, window=10.0)
    for _ in range(7):
        pace.wait(waits.append)
    assert [round(wait) for wait in waits] == [10, 10, 10, 20]


def test_a_window_that_is_over_does_not_count() -> None:
    waits: list[float] = []
    pace = Pace(2, window=0.05)
    pace.wait(waits.append)
    pace.wait(waits.append)
    time.sleep(0.06)
    pace.wait(waits.append)
    assert waits == []


def test_queries_for_runs_keep_to_fifteen_in_ten_seconds(loopback: Loopback) -> None:
    waits: list[float] = []
    server = Server(sleep=waits.append)
    for _ in range(16):
        server.read("GET", "/info", budget=Budget.QUERY_RUNS)
    assert len(waits) == 1
    assert 5 < waits[0] <= 10


@pytest.mark.parametrize(
    ("attempt", "asked", "waited"),
    [(0, None, 0.5), (1, None, 1.0), (3, 1.0, 4.0), (3, 7.0, 7.0), (30, None, 60.0)],
)
def test_waits_double_up_to_a_bound(attempt: int, asked: float | None, waited: float) -> None:
    assert Retries().wait(attempt, asked) == waited


def test_the_last_try_is_not_waited_after(loopback: Loopback) -> None:
    waits: list[float] = []
    loopback.inject("GET", "/info", status=500, times=9)
    with pytest.raises(LangSmithRequestFailed, match=r"GET /info: status 500: injected"):
        Server(retries=Retries(attempts=3), sleep=waits.append).read("GET", "/info")
    assert waits == [0.5, 1.0]
    assert loopback.count("GET", "/info") == 3


def test_what_is_refused_is_not_tried_again(loopback: Loopback) -> None:
    loopback.inject("GET", "/info", status=400, body={"detail": [{"msg": "odd"}]}, times=9)
    with pytest.raises(LangSmithRequestFailed, match=r'status 400: \[\{"msg": "odd"\}\]'):
        Server().read("GET", "/info")
    assert loopback.count("GET", "/info") == 1


def test_the_error_travels_between_processes() -> None:
    error = LangSmithRequestFailed("GET /x", 503, "busy")
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.status, copy.what, copy.detail) == (str(error), 503, "GET /x", "busy")
