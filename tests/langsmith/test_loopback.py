"""The loopback server against the real client: what the other tests rely on."""

from __future__ import annotations

import time
import uuid
from datetime import UTC, datetime
from typing import Any

import pytest
import requests
from langsmith import Client, evaluate, traceable
from langsmith.utils import LangSmithConflictError, LangSmithError
from tests.langsmith.loopback import Loopback

RUN_ID = "01a22e6c-1be5-7500-a4fe-9d73370d7cdf"
RUN = {
    "id": RUN_ID,
    "trace_id": RUN_ID,
    "name": "agent",
    "run_type": "chain",
    "start_time": "2025-11-30T21:46:06.693303",
    "dotted_order": f"20251130T214606693303Z{RUN_ID}",
    "inputs": {"q": "hi"},
    "outputs": {"answer": "hello"},
    "tags": ["prod"],
}


def make_dataset(client: Client, count: int = 3) -> str:
    dataset = client.create_dataset(f"data-{uuid.uuid4()}")
    client.create_examples(
        dataset_id=dataset.id, examples=[{"inputs": {"q": f"question {n}"}} for n in range(count)]
    )
    return dataset.name


@traceable
def answer(inputs: dict[str, Any]) -> dict[str, Any]:
    return {"answer": f"you asked: {inputs['q']}"}


def test_an_experiment_arrives_whole(loopback: Loopback) -> None:
    client = Client()

    def asked(outputs: dict[str, Any]) -> dict[str, Any]:
        return {"key": "asked", "score": "asked" in outputs["answer"]}

    evaluate(answer, data=make_dataset(client), evaluators=[asked], client=client)
    client.flush()
    roots = [run for run in loopback.store.runs.values() if run.get("reference_example_id")]
    assert sorted(run["outputs"]["answer"] for run in roots) == [f"you asked: question {n}" for n in range(3)]
    assert [row["score"] for row in loopback.store.feedback if row["key"] == "asked"] == [True] * 3
    assert any(r.headers.get("content-encoding") == "zstd" for r in loopback.requests)


def test_runs_come_in_batches_where_multipart_is_off(loopback: Loopback) -> None:
    loopback.info["batch_ingest_config"]["use_multipart_endpoint"] = False
    client = Client()
    answer({"q": "hi"}, langsmith_extra={"client": client, "project_name": "plain"})
    client.flush()
    assert [run["name"] for run in loopback.store.runs.values()] == ["answer"]
    assert loopback.count("POST", "/runs/batch") >= 1


@pytest.mark.filterwarnings("ignore:list_runs:DeprecationWarning", "ignore:read_run:DeprecationWarning")
@pytest.mark.filterwarnings("ignore::langsmith.utils.LangSmithWarning")
def test_v1_pages_select_and_filter(loopback: Loopback) -> None:
    for number in range(103):
        id = str(uuid.UUID(int=number))
        start = f"2025-11-30T21:{number // 60:02}:{number % 60:02}"
        loopback.store.add_trace(
            "p", [{**RUN, "id": id, "trace_id": id, "start_time": start, "dotted_order": f"xZ{id}"}]
        )
    client = Client()
    assert [run.id.int for run in client.list_runs(project_name="p")] == list(range(102, -1, -1))
    late = client.list_runs(project_name="p", filter='gte(start_time, "2025-11-30T21:01:40")')
    assert [run.id.int for run in late] == [102, 101, 100]
    assert not list(
        client.list_runs(project_name="p", trace_filter='and(eq(name, "agent"), has(tags, "dev"))')
    )
    assert len(list(client.list_runs(project_name="p", filter='has(tags, "prod")', limit=5))) == 5
    refused = requests.post(f"{loopback.url}/runs/query", json={"limit": 101}, timeout=5)
    assert refused.status_code == 400


def test_v2_gives_only_what_is_selected_and_only_the_last_day(loopback: Loopback) -> None:
    loopback.info["instance_flags"]["sdb_query_enabled"] = True
    fresh = {**RUN, "start_time": datetime.now(UTC).isoformat(), "id": str(uuid.uuid4())}
    loopback.store.add_trace("p", [RUN, {**fresh, "trace_id": fresh["id"]}])
    project = loopback.store.project("p")["id"]

    def ids_of(**body: Any) -> list[dict[str, Any]]:
        answer = requests.post(
            f"{loopback.url}/api/v2/runs/query", json={"project_ids": [project], **body}, timeout=5
        )
        items: list[dict[str, Any]] = answer.json()["items"]
        return items

    assert ids_of() == [{"id": fresh["id"]}]
    everything = ids_of(min_start_time="2020-01-01T00:00:00Z", selects=["ID", "RUN_TYPE", "PROJECT_ID"])
    assert everything[1] == {"id": RUN_ID, "run_type": "CHAIN", "project_id": project}


def test_faults_strike_as_often_as_they_are_told(loopback: Loopback) -> None:
    loopback.inject("POST", "/feedback", status=429, headers={"Retry-After": "7"}, skip=1)

    def post() -> requests.Response:
        return requests.post(f"{loopback.url}/feedback", json={"id": str(uuid.uuid4())}, timeout=5)

    answers = [post(), post(), post()]
    assert [(a.status_code, a.headers.get("Retry-After")) for a in answers] == [
        (200, None),
        (429, "7"),
        (200, None),
    ]
    assert len(loopback.store.feedback) == 2


@pytest.mark.parametrize(("drop", "stored"), [("before", 0), ("after", 1)])
def test_a_dropped_connection_loses_the_request_or_only_the_answer(
    loopback: Loopback, drop: str, stored: int
) -> None:
    loopback.inject("POST", "/feedback", drop=drop)
    with pytest.raises(requests.ConnectionError):
        requests.post(f"{loopback.url}/feedback", json={"id": "1"}, timeout=5)
    assert len(loopback.store.feedback) == stored


def test_a_slow_answer_comes_late(loopback: Loopback) -> None:
    loopback.inject("GET", "/info", delay=0.2)
    start = time.monotonic()
    requests.get(f"{loopback.url}/info", timeout=5)
    assert time.monotonic() - start >= 0.2


def test_a_repeated_feedback_id_conflicts_by_default(loopback: Loopback) -> None:
    client = Client()
    row: dict[str, Any] = {
        "run_id": RUN_ID,
        "key": "k",
        "feedback_id": uuid.uuid4(),
        "session_id": uuid.uuid4(),
    }
    client.create_feedback(score=True, **row)
    with pytest.raises(LangSmithConflictError):
        client.create_feedback(score=False, **row)
    loopback.store.on_repeated_id = "upsert"
    client.create_feedback(score=False, **row)
    assert [row["score"] for row in loopback.store.feedback] == [False]
    assert [f.score for f in client.list_feedback(run_ids=[RUN_ID])] == [False]


def test_what_is_not_there_says_so(loopback: Loopback) -> None:
    with pytest.raises(LangSmithError, match="not implemented"):
        Client().request_with_retries("GET", "/tenants")
