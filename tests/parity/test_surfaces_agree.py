"""One conversation, one verdict: from Inspect's scorers, LangSmith's evaluator and the command line."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import pytest
from inspect_ai import score
from inspect_ai.log import EvalLog
from inspect_ai.scorer import Score, Scorer
from langsmith import Client, evaluate
from langsmith.schemas import Example
from tests.parity import on_inspect, on_langsmith
from tests.parity.comparing import Row, comparable, comparable_grade, expected_grades
from tests.parity.conftest import Recordings
from tests.parity.conversations import CONVERSATIONS
from tests.parity.specs import SPECS

from turngrade.adapters import inspect, langsmith

spec_names = pytest.mark.parametrize("spec_name", SPECS)
shorter_spec_names = pytest.mark.parametrize("spec_name", [n for n in SPECS if n != "every grader"])
"""Without the longest: the frameworks' own time for hundreds of scores is long."""


def native_scorer(grader: Row) -> Scorer:
    """The Inspect scorer that is this grader."""
    config = dict(grader["config"])
    if "value" in config and grader["type"] != "contains":
        config["substring"] = config.pop("value")
    scorer: Scorer = getattr(inspect, grader["type"].replace("-", "_"))(**config)
    return scorer


def scores_of(log: EvalLog) -> dict[str, list[Score]]:
    """The scores of each sample, in the order of the scorers."""
    assert log.status == "success"
    return {str(sample.id): list((sample.scores or {}).values()) for sample in log.samples or []}


def test_inspect_scorers_agree(recordings: Recordings) -> None:
    graders = SPECS["every option"]["graders"]
    log = score(recordings.inspect_log, [native_scorer(g) for g in graders], display="none")
    expected = expected_grades("every option")
    for name, scores in scores_of(log).items():
        for grader, scored in zip(graders, scores, strict=True):
            verdict = expected[name]["verdicts"][grader["name"]]
            assert scored.metadata is not None
            found = comparable(scored.metadata["verdict"])
            assert found == {**verdict, "name": found["name"]}
            assert scored.value == ("C" if verdict["passed"] else "I")
            assert verdict["evidence"] in (scored.explanation or "")


@shorter_spec_names
def test_graders_scorer_agrees_on_a_log(recordings: Recordings, spec_name: str) -> None:
    scorer = inspect.graders(graders=SPECS[spec_name])
    check_graders(score(recordings.inspect_log, scorer, display="none"), spec_name)


def test_graders_scorer_agrees_during_the_eval(tmp_path: Path) -> None:
    log = on_inspect.run(tmp_path, [inspect.graders(graders=SPECS["every option"])])
    check_graders(log, "every option")


def check_graders(log: EvalLog, spec_name: str) -> None:
    expected = expected_grades(spec_name)
    for name, [scored] in scores_of(log).items():
        assert scored.metadata is not None
        assert comparable_grade(scored.metadata["grade"]) == expected[name]
        assert isinstance(scored.value, dict)
        values = {key: value for key, value in scored.value.items() if key != "aggregate"}
        assert values == {k: int(v["passed"]) for k, v in expected[name]["verdicts"].items()}
        assert math.isclose(float(str(scored.value["aggregate"])), expected[name]["score"])


@shorter_spec_names
@pytest.mark.filterwarnings("ignore:'upload_runs' parameter is in beta")
@pytest.mark.filterwarnings("ignore::turngrade.adapters.langsmith.SpecWarning")
def test_langsmith_evaluator_agrees(spec_name: str) -> None:
    def target(inputs: dict[str, Any]) -> dict[str, Any]:
        return on_langsmith.agent(on_langsmith.messages_in(CONVERSATIONS[inputs["name"]]))

    results = evaluate(
        target,
        data=[
            Example(id=uuid5(NAMESPACE_URL, name), inputs={"name": name}, created_at=datetime.now(UTC))
            for name in CONVERSATIONS
        ],
        evaluators=[langsmith.evaluator(SPECS[spec_name])],
        upload_results=False,
        client=Client(api_key="offline", info={}, auto_batch_tracing=False),
    )
    expected = expected_grades(spec_name)
    graded = set()
    for row in results:
        name = (row["example"].inputs or {})["name"]
        found = {r.key: r for r in row["evaluation_results"]["results"] if r.key != "aggregate"}
        assert found.keys() == expected[name]["verdicts"].keys()
        for key, result in found.items():
            assert_same_feedback(result, expected[name]["verdicts"][key])
        graded.add(name)
    assert graded == CONVERSATIONS.keys()


def assert_same_feedback(result: Any, verdict: Row) -> None:
    assert result.score == (None if verdict["status"] == "error" else verdict["passed"])
    assert verdict["evidence"] in result.comment
    for key in ("type", "status", "reason", "matched"):
        assert result.extra[key] == verdict[key]
    places = [(hit["message_index"], hit["field"], hit["start"], hit["end"]) for hit in verdict["hits"]]
    assert [(h["message_index"], h["field"], h["start"], h["end"]) for h in result.extra["hits"]] == places


@spec_names
def test_command_line_agrees(recordings: Recordings, spec_name: str, tmp_path: Path) -> None:
    """One call grades the files of all kinds; each row of its JSONL is the grade of its conversation."""
    spec, out = tmp_path / "spec.json", tmp_path / "out.jsonl"
    spec.write_text(json.dumps(SPECS[spec_name]), "utf-8")
    sources: list[Path] = [
        recordings.inspect_eval,
        recordings.inspect_json,
        recordings.langsmith_agent,
        recordings.langsmith_graph,
        recordings.plain,
    ]
    command = [
        sys.executable,
        "-m",
        "turngrade.adapters.cli",
        "grade",
        *map(str, (spec, *sources, "-o", out)),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (1, 3), done.stderr
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    names = conversation_names(recordings)
    grades: dict[str, dict[str, Row]] = {}
    for row in rows:
        name = names.get(row["id"], row["id"])
        grades.setdefault(Path(row["source"]).name, {})[name] = comparable_grade(row)
    expected = expected_grades(spec_name)
    assert grades.keys() == {source.name for source in sources}
    for source, found in grades.items():
        told_apart = {c.name for c in CONVERSATIONS.values() if source != "plain.jsonl" or not c.history}
        assert found == {name: expected[name] for name in told_apart}


def conversation_names(recordings: Recordings) -> dict[str, str]:
    """The conversation of each LangSmith trace by its id."""
    runs = [
        json.loads(line)
        for path in (recordings.langsmith_agent, recordings.langsmith_graph)
        for line in path.read_text("utf-8").splitlines()
    ]
    roots = [run for run in runs if not run.get("parent_run_id")]
    return {run["id"]: run["extra"]["metadata"]["conversation"] for run in roots}
