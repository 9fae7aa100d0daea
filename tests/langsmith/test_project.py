"""Reading a project from the server: both query APIs, pages, filters, children, and faults."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from tests.langsmith.loopback import API_KEY, Loopback
from tests.langsmith.project_runs import FIRST, root_id, trace

from turngrade.adapters.langsmith import read_project
from turngrade.adapters.langsmith.transport import Retries, Server
from turngrade.core import Transcript, Unreadable


@pytest.fixture(params=["v1", "v2"])
def server(request: pytest.FixtureRequest, loopback: Loopback) -> Loopback:
    """A server that answers only one of the two query APIs."""
    flags = loopback.info["instance_flags"]
    flags["ch_query_enabled"], flags["sdb_query_enabled"] = request.param == "v1", request.param == "v2"
    return loopback


def fill(server: Loopback, *traces: list[Any]) -> None:
    runs = [run for runs in traces for run in runs]
    random.Random(0).shuffle(runs)
    server.store.add_trace("shop", runs)


def texts(found: Iterator[Transcript | Unreadable]) -> dict[str | None, list[str]]:
    transcripts = list(found)
    assert all(isinstance(t, Transcript) for t in transcripts), transcripts
    return {t.id: [message.text for message in t.messages] for t in transcripts if isinstance(t, Transcript)}


def impatient(waits: list[float], attempts: int = 4) -> Server:
    """A server connection that notes its waits instead of waiting."""
    return Server(retries=Retries(attempts=attempts), sleep=waits.append)


def test_traces_come_whole_and_newest_first(server: Loopback) -> None:
    fill(server, *(trace(number, f"first {number}", f"last {number}") for number in range(5)))
    found = texts(read_project("shop"))
    assert list(found.items()) == [(root_id(n), [f"first {n}", f"last {n}"]) for n in (4, 3, 2, 1, 0)]


def test_source_output_and_id_are_those_of_the_root(server: Loopback) -> None:
    fill(server, trace(1, "hello", "bye"))
    (transcript,) = read_project("shop")
    assert isinstance(transcript, Transcript)
    assert (transcript.source, transcript.output, transcript.id) == ("langsmith:shop", "bye", root_id(1))
    assert transcript.incomplete is None


def test_many_pages_of_interleaved_traces(server: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("turngrade.adapters.langsmith.queries.V2_PAGE", 100)
    traces = [
        trace(number, *(f"{number}-{n}" for n in range(150))) for number in range(4)
    ]  # each lasts 150 s
    fill(server, *traces)
    found = texts(read_project("shop"))
    assert found == {root_id(n): [f"{n}-{k}" for k in range(150)] for n in range(4)}
    assert server.count("POST", ".*/runs/query") == 7  # 604 runs, 100 a page: no query a trace


def test_grading_starts_before_the_last_page_is_read(server: Loopback) -> None:
    fill(server, *(trace(number, *["text"] * 9) for number in range(300)))
    found = read_project("shop")
    assert isinstance(next(found), Transcript)
    assert server.count("POST", ".*/runs/query") <= 2


def test_clocks_that_disagree_lose_no_child(server: Loopback) -> None:
    fill(server, trace(0, "older"), trace(1, "early", "bird", skew=40.0), trace(2, "later"))
    expected = {root_id(2): ["later"], root_id(1): ["early", "bird"], root_id(0): ["older"]}
    assert texts(read_project("shop")) == expected


@pytest.mark.parametrize(
    ("conditions", "numbers"),
    [
        ({"since": FIRST + timedelta(minutes=3)}, [4, 3]),
        ({"until": FIRST + timedelta(minutes=2)}, [1, 0]),
        ({"since": (FIRST + timedelta(minutes=1)).replace(tzinfo=None), "limit": 2}, [4, 3]),
        ({"root_name": 'the "odd" one'}, [3]),
        ({"tag": "prod"}, [2, 0]),
        ({"tag": "prod", "until": FIRST + timedelta(minutes=1)}, [0]),
        ({"limit": 1}, [4]),
        ({"limit": 0}, []),
        ({"tag": "nobody's"}, []),
    ],
    ids=str,
)
def test_filters_are_on_the_root(server: Loopback, conditions: dict[str, Any], numbers: list[int]) -> None:
    names = {3: 'the "odd" one'}
    tags: dict[int, tuple[str, ...]] = {0: ("prod",), 2: ("dev", "prod")}
    fill(server, *(trace(n, "hi", name=names.get(n, "agent"), tags=tags.get(n, ())) for n in range(5)))
    found = texts(read_project("shop", **conditions))
    assert list(found) == [root_id(number) for number in numbers]
    assert all(said == ["hi"] for said in found.values())


def test_a_server_that_ignores_filters_does_not_widen_them(
    server: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.langsmith.loopback_store._matches", lambda run, expression: True)
    fill(server, trace(1, "hi", tags=("prod",)), trace(2, "ho"))
    assert list(texts(read_project("shop", tag="prod"))) == [root_id(1)]


def test_a_trace_without_root_is_unreadable_and_the_others_are_read(server: Loopback) -> None:
    fill(server, trace(1, "hi", "ho")[1:], trace(2, "fine"))
    fine, lost = read_project("shop")
    assert isinstance(fine, Transcript)
    assert isinstance(lost, Unreadable)
    assert (lost.id, lost.source) == (root_id(1), "langsmith:shop")
    assert "no root run" in lost.message


def test_a_run_that_goes_on_is_incomplete(server: Loopback) -> None:
    runs = trace(1, "so far")
    runs[0] |= {"end_time": None, "outputs": None}
    fill(server, runs)
    (transcript,) = read_project("shop")
    assert isinstance(transcript, Transcript)
    assert transcript.incomplete == "The run has not ended yet."
    assert [message.text for message in transcript.messages] == ["so far"]


def test_a_project_is_found_by_its_id_too(server: Loopback) -> None:
    fill(server, trace(1, "hi"))
    assert len(list(read_project(server.store.project("shop")["id"]))) == 1


def test_an_unknown_project_is_unreadable(server: Loopback) -> None:
    (lost,) = read_project("shoop")
    assert isinstance(lost, Unreadable)
    assert "no project named 'shoop'" in lost.message


def test_v1_is_asked_where_v2_turns_out_not_to_be_there(loopback: Loopback) -> None:
    loopback.info["instance_flags"]["sdb_query_enabled"] = True
    loopback.inject("POST", "/api/v2/runs/query", status=501, times=9)
    fill(loopback, trace(1, "hi"))
    assert texts(read_project("shop")) == {root_id(1): ["hi"]}


@pytest.mark.parametrize(
    "fault",
    [
        {"status": 500},
        {"status": 503},
        {"status": 429, "headers": {"Retry-After": "3"}},
        {"drop": "before"},
        {"drop": "after"},
    ],
    ids=str,
)
def test_transient_faults_are_waited_out(server: Loopback, fault: dict[str, Any]) -> None:
    fill(server, *(trace(number, "hi") for number in range(3)))
    server.inject("POST", "runs/query", times=2, **fault)
    waits: list[float] = []
    assert len(texts(read_project("shop", server=impatient(waits)))) == 3
    assert waits == ([3.0, 3.0] if "headers" in fault else [0.5, 1.0])


def test_the_wait_that_a_server_asks_for_is_bounded(server: Loopback) -> None:
    fill(server, trace(1, "hi"))
    server.inject("POST", "runs/query", status=429, headers={"Retry-After": "86400"})
    waits: list[float] = []
    assert len(texts(read_project("shop", server=impatient(waits)))) == 1
    assert waits == [60.0]


def test_a_server_that_stays_down_ends_the_reading_with_what_came_before(server: Loopback) -> None:
    fill(server, *(trace(number, *["hi"] * 9) for number in range(120)))
    server.inject("POST", "runs/query", status=503, skip=1, times=99)
    *read, lost = read_project("shop", server=impatient([]))
    assert read
    assert all(isinstance(transcript, Transcript) for transcript in read)
    assert isinstance(lost, Unreadable)
    assert "503" in lost.message


def test_a_refused_key_is_told_without_the_key(server: Loopback) -> None:
    server.inject("GET", "/sessions", status=401, body={"detail": f"invalid key {API_KEY}"})
    (lost,) = read_project("shop")
    assert isinstance(lost, Unreadable)
    assert "LANGSMITH_API_KEY" in lost.message
    assert API_KEY not in lost.message


def test_an_address_that_is_none_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGSMITH_ENDPOINT", "smith.example.com")
    (lost,) = read_project("shop")
    assert isinstance(lost, Unreadable)
    assert lost.message == "LANGSMITH_ENDPOINT: must start with https:// or http://, not 'smith.example.com'"


def test_no_server_at_all_is_told_without_the_key() -> None:
    (lost,) = read_project("shop", server=impatient([], attempts=2))
    assert isinstance(lost, Unreadable)
    assert "connection failed" in lost.message
    assert API_KEY[:5] not in lost.message
