"""The evaluator inside real experiments: offline, uploaded, existing, sync and async."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from langsmith import Client, aevaluate, evaluate
from langsmith.schemas import Run
from tests.langsmith.agent import BROKEN, EXPECTED, SPEC, agent, async_agent, dataset, examples, scores_of
from tests.langsmith.loopback import Loopback

from turngrade.adapters.langsmith import SpecWarning, evaluator, transcript_from_run
from turngrade.core import load_spec

pytestmark = pytest.mark.filterwarnings("ignore:'upload_runs' parameter is in beta")


def offline(spec: Any, **options: Any) -> list[Any]:
    return list(
        evaluate(
            agent,
            data=examples(),
            evaluators=[evaluator(spec)],
            upload_results=False,
            client=Client(),
            **options,
        )
    )


def test_every_grader_scores_every_example_without_a_server() -> None:
    rows = offline(SPEC)
    assert scores_of(rows) == EXPECTED
    results = [result for row in rows for result in row["evaluation_results"]["results"]]
    assert all(type(result.score) is bool and result.value is None for result in results)
    assert all(result.source_run_id is None for result in results)


def test_concurrency_and_repetitions_give_the_same_scores() -> None:
    rows = offline(SPEC, max_concurrency=4, num_repetitions=3)
    assert len(rows) == 9
    assert scores_of(rows) == EXPECTED


async def test_an_async_experiment_grades_off_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    judge = evaluator(SPEC)
    threads: list[threading.Thread] = []
    grade = judge.evaluate_run

    def noted(*args: Any, **kwargs: Any) -> Any:
        threads.append(threading.current_thread())
        with pytest.raises(RuntimeError):
            asyncio.get_running_loop()
        return grade(*args, **kwargs)

    monkeypatch.setattr(judge, "evaluate_run", noted)
    results = await aevaluate(
        async_agent, data=examples(), evaluators=[judge], upload_results=False, client=Client()
    )
    assert scores_of([row async for row in results]) == EXPECTED
    assert threading.main_thread() not in threads


def test_a_broken_pattern_is_an_error_result_and_the_others_score() -> None:
    with pytest.warns(SpecWarning, match="broken|unclosed"):
        judge = evaluator([*SPEC, BROKEN])
    rows = list(evaluate(agent, data=examples(), evaluators=[judge], upload_results=False, client=Client()))
    assert scores_of(rows) == {answer: {**scores, "broken": None} for answer, scores in EXPECTED.items()}
    for row in rows:
        broken = _results(row)[-1]
        assert broken.extra["error"] is True
        assert "Invalid regex pattern: (unclosed" in broken.comment


def test_a_failing_target_still_gets_every_key() -> None:
    def failing(inputs: dict[str, Any]) -> dict[str, Any]:
        raise ConnectionError("the model is down")

    rows = list(
        evaluate(
            failing,
            data=examples(),
            evaluators=[evaluator(SPEC)],
            upload_results=False,
            client=Client(),
        )
    )
    assert len(rows) == 3
    for row in rows:
        scores = {result.key: result.score for result in row["evaluation_results"]["results"]}
        assert scores == {"greets": False, "no-promise": False, "closes": False}


def test_what_is_stored_is_what_the_core_says(loopback: Loopback) -> None:
    client = Client()
    spec = load_spec(
        {"graders": SPEC, "scoring": {"weights": {"greets": 0.75, "closes": 0.25}, "threshold": 0.5}}
    )
    results = list(evaluate(agent, data=dataset(client), evaluators=[evaluator(spec)], client=client))
    client.flush()
    stored = {(row["run_id"], row["key"]): row for row in loopback.store.feedback}
    assert len(stored) == len(loopback.store.feedback) == 3 * 4
    for row in results:
        grade = spec.grade(transcript_from_run(row["run"]))
        for verdict in grade.verdicts:
            feedback = stored[str(row["run"].id), verdict.name]
            assert feedback["score"] is verdict.passed
            assert feedback["comment"].startswith(str(verdict))
            assert feedback["extra"]["matched"] == verdict.matched
            assert feedback["feedback_source"]["metadata"]["spec_digest"] == spec.digest
            assert feedback["feedback_source"]["type"] == "model"
        assert stored[str(row["run"].id), "aggregate"]["score"] == pytest.approx(grade.score)


def test_an_error_is_stored_as_an_error_and_not_as_a_low_score(loopback: Loopback) -> None:
    client = Client()
    with pytest.warns(SpecWarning):
        judge = evaluator([BROKEN])
    evaluate(agent, data=dataset(client), evaluators=[judge], client=client)
    client.flush()
    assert [(row["key"], row.get("score"), row["error"]) for row in loopback.store.feedback] == [
        ("broken", None, True)
    ] * 3


def test_the_experiment_knows_the_keys_beforehand(loopback: Loopback) -> None:
    client = Client()
    evaluate(agent, data=dataset(client), evaluators=[evaluator(SPEC)], client=client)
    announced = [session.get("evaluator_keys") for session in loopback.store.sessions.values()]
    assert ["greets", "no-promise", "closes"] in announced


@pytest.mark.filterwarnings("ignore:list_runs:DeprecationWarning", "ignore:read_run:DeprecationWarning")
@pytest.mark.filterwarnings("ignore::langsmith.utils.LangSmithWarning")
def test_an_existing_experiment_with_its_child_runs(loopback: Loopback) -> None:
    client = Client()
    name = evaluate(agent, data=dataset(client), evaluators=[], client=client).experiment_name
    client.flush()
    again = evaluate(name, evaluators=[evaluator(SPEC)], client=client, load_nested=True)
    rows = list(again)
    assert all(isinstance(row["run"], Run) and row["run"].child_runs for row in rows)
    assert scores_of(rows) == EXPECTED
    assert "incomplete" not in str(rows)


@pytest.mark.filterwarnings("ignore:list_runs:DeprecationWarning", "ignore:read_run:DeprecationWarning")
@pytest.mark.filterwarnings("ignore::langsmith.utils.LangSmithWarning")
def test_an_existing_experiment_without_child_runs_says_what_is_missing(loopback: Loopback) -> None:
    client = Client()
    name = evaluate(agent, data=dataset(client), evaluators=[], client=client).experiment_name
    client.flush()
    lenient = [
        r for row in evaluate(name, evaluators=[evaluator(SPEC)], client=client) for r in _results(row)
    ]
    assert all("incomplete" in result.comment for result in lenient)
    strict = {"strict": True, "graders": SPEC}
    for row in evaluate(name, evaluators=[evaluator(strict)], client=client):
        assert [(r.score, r.extra["error"], r.extra["reason"]) for r in _results(row)] == [
            (None, True, "incomplete")
        ] * 3


def _results(row: Any) -> list[Any]:
    return list(row["evaluation_results"]["results"])
