"""The evaluator in the manner of openevals, and inside the pytest plugin."""

from __future__ import annotations

import copy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langsmith import Client, evaluate
from tests.langsmith.agent import BROKEN, CONVERSATIONS, EXPECTED, SPEC, examples
from tests.langsmith.loopback import Loopback

from turngrade.adapters.langsmith import SpecWarning, output_evaluator
from turngrade.core import InvalidSpec


def scores(outputs: Any, spec: Any = SPEC, **keywords: Any) -> dict[str, Any]:
    return {result["key"]: result["score"] for result in output_evaluator(spec)(outputs=outputs, **keywords)}


def assistant(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


ALL_PASS = {"greets": True, "no-promise": True, "closes": True}


@pytest.mark.parametrize(
    "outputs",
    [
        "hello and bye",
        assistant("hello and bye"),
        AIMessage("hello and bye"),
        [user("hi"), assistant("hello"), assistant("bye")],
        (HumanMessage("hi"), AIMessage("hello"), AIMessage("bye")),
        {"messages": [user("hi"), assistant("hello"), assistant("bye")]},
        {"messages": [HumanMessage("hi"), AIMessage("hello"), AIMessage("bye")]},
        {"answer": "hello and bye"},
        {"output": "hello and bye"},
    ],
    ids=lambda outputs: str(outputs)[:40],
)
def test_outputs_of_every_form_are_graded(outputs: Any) -> None:
    assert scores(outputs) == ALL_PASS


@pytest.mark.parametrize("outputs", [None, "", {}, [], 7], ids=repr)
def test_nothing_said_passes_nothing(outputs: Any) -> None:
    assert not any(scores(outputs).values())


def test_history_in_the_inputs_is_not_graded() -> None:
    history = [user("hi"), assistant("hello, you get a refund"), user("thanks")]
    told = scores([*history, assistant("bye")], inputs={"messages": history})
    assert told == {"greets": False, "no-promise": True, "closes": True}
    assert scores([*history, assistant("bye")], inputs=history) == told


def test_it_takes_the_keywords_of_openevals_and_changes_nothing() -> None:
    outputs = {
        "messages": [
            user("hi"),
            {"role": "assistant", "content": None, "tool_calls": []},
            assistant("hello bye"),
        ]
    }
    before = copy.deepcopy(outputs)
    assert (
        scores(outputs, inputs="x", reference_outputs={"answer": "y"}, attachments={}, context="z")
        == ALL_PASS
    )
    assert outputs == before


def test_results_have_the_keys_that_openevals_gives() -> None:
    (result,) = output_evaluator(SPEC[:1])(outputs="hello")
    assert set(result) == {"key", "score", "comment", "metadata", "extra"}
    assert result["comment"] == "✔ transcript matches pattern /^hello\\b/\nmessage 0: «hello»"
    assert set(result["metadata"]) == {"turngrade_version", "spec_digest"}


def test_results_share_nothing_that_can_be_changed() -> None:
    graders = [{**SPEC[0], "name": name} for name in ("one", "two")]
    judge = output_evaluator(graders)
    one, two = judge(outputs="hello")
    one["metadata"].clear()
    assert two["metadata"]
    assert all(result["metadata"] for result in judge(outputs="hello"))


def test_faults_of_the_spec_are_told_when_it_is_made() -> None:
    with pytest.raises(InvalidSpec):
        output_evaluator([{"type": "nonsense"}])
    with pytest.warns(SpecWarning) as caught:
        judge = output_evaluator([BROKEN])
    assert caught[0].filename == __file__
    (result,) = judge(outputs="x")
    assert (result["score"], result["extra"]["error"]) == (None, True)


@pytest.mark.filterwarnings("ignore:'upload_runs' parameter is in beta")
def test_langsmith_takes_it_as_an_evaluator() -> None:
    def target(inputs: dict[str, Any]) -> dict[str, Any]:
        return {"messages": [assistant(line) for line in inputs["lines"]]}

    judge = output_evaluator(SPEC)
    client = Client()
    rows = evaluate(target, data=examples(), evaluators=[judge], upload_results=False, client=client)  # type: ignore[list-item]
    told = [{r.key: r.score for r in row["evaluation_results"]["results"]} for row in rows]
    assert told == [EXPECTED[lines[-1]] for lines in CONVERSATIONS]


PLUGIN_TEST = """
import pytest
from langsmith import testing as t, traceable
from turngrade.adapters.langsmith import output_evaluator

judge = output_evaluator({spec!r})


@pytest.mark.langsmith
def test_in_a_marked_test():
    t.log_inputs({{"q": "hi"}})
    t.log_outputs({{"answer": "hello and bye"}})
    assert all(result["score"] for result in judge(outputs="hello and bye"))
    with t.trace_feedback():
        judge(outputs="hello and bye")


def test_in_a_plain_test():
    assert not judge(outputs="what")[0]["score"]


@traceable
def test_in_a_traced_test():
    assert not judge(outputs="what")[0]["score"]
"""


@pytest.mark.parametrize("tracking", [True, False])
def test_inside_the_pytest_plugin_results_become_feedback(
    loopback: Loopback, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tracking: bool
) -> None:
    monkeypatch.setenv("LANGSMITH_TEST_TRACKING", str(tracking).lower())
    monkeypatch.setenv("LANGSMITH_TEST_SUITE", "suite")
    (tmp_path / "test_agent.py").write_text(PLUGIN_TEST.format(spec=SPEC))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    logged = [(row["key"], row["score"]) for row in loopback.store.feedback if row["key"] != "pass"]
    assert sorted(logged) == sorted(2 * [*ALL_PASS.items()] if tracking else [])
    if tracking:
        greets = next(row for row in loopback.store.feedback if row["key"] == "greets")
        assert greets["comment"].startswith("✔ transcript matches")
        assert "spec_digest" in greets["feedback_source"]["metadata"]
