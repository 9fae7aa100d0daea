"""What the evaluator makes of single runs."""

from __future__ import annotations

import copy
import json
import math
import pkgutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from langsmith import EvaluationResult, RunEvaluator
from tests.langsmith.agent import BROKEN, SPEC

import turngrade.adapters.langsmith as langsmith_adapter
from turngrade.adapters.langsmith import SpecWarning, evaluator
from turngrade.core import InvalidSpec, load_spec


def run_saying(*texts: str, **fields: Any) -> dict[str, Any]:
    """A root run whose model calls said these texts."""
    calls = [
        {
            "id": f"00000000-0000-0000-0000-{number:012}",
            "run_type": "llm",
            "name": "model",
            "parent_run_id": "root",
            "start_time": f"2026-01-01T00:00:{number:02}",
            "outputs": {"role": "assistant", "content": text},
        }
        for number, text in enumerate(texts, 1)
    ]
    root = {
        "id": "root",
        "run_type": "chain",
        "name": "agent",
        "outputs": {"output": texts[-1] if texts else None},
    }
    return {**root, "child_runs": calls, **fields}


def results(spec: Any, run: Any, **options: Any) -> list[EvaluationResult]:
    answer = evaluator(spec, **options).evaluate_run(run)
    assert isinstance(answer, dict)
    return answer["results"]


def one(spec: Any, run: Any) -> EvaluationResult:
    found = results([spec], run)
    assert len(found) == 1
    return found[0]


def test_it_is_a_run_evaluator_with_a_key_for_each_grader() -> None:
    judge = evaluator(SPEC)
    assert isinstance(judge, RunEvaluator)
    assert judge.feedback_keys == ["greets", "no-promise", "closes"]


def test_a_path_a_dict_a_list_and_a_spec_are_the_same(tmp_path: Path) -> None:
    path = tmp_path / "spec.json"
    path.write_text(json.dumps({"graders": SPEC}))
    run = run_saying("hello", "bye")
    dumps = [results(spec, run) for spec in (path, str(path), {"graders": SPEC}, SPEC, load_spec(SPEC))]
    assert all(dump == dumps[0] for dump in dumps)


def test_the_comment_has_mark_evidence_message_number_and_snippet() -> None:
    said = (
        "Let me see. "
        + "Please be patient with me. " * 3
        + "You get a full refund\nof 20 EUR today, and more."
    )
    grader = {"name": "g", "type": "transcript-not-matches", "config": {"pattern": "full refund\\s+of"}}
    result = one(grader, run_saying("hello", said, "bye"))
    mark, hit = str(result.comment).split("\n")
    assert mark == "✘ transcript matches pattern /full refund\\s+of/"
    assert hit.startswith("message 1: …")
    assert "«full refund of» 20 EUR today, and more." in hit
    assert not hit.endswith("…")


def test_the_comment_counts_matching_messages() -> None:
    grader = {"name": "g", "type": "transcript-matches", "config": {"pattern": "l+"}}
    assert str(one(grader, run_saying("hello", "no", "well")).comment) == (
        "✔ transcript matches pattern /l+/\nmessage 0, 1 more: he«ll»o"
    )


def test_the_comment_shows_the_hit_in_the_output() -> None:
    grader = {"name": "g", "type": "output-matches", "config": {"pattern": "b.e"}}
    assert str(one(grader, run_saying("hello", "good bye")).comment).split("\n")[1] == "output: good «bye»"


def test_the_comment_says_why_nothing_could_match() -> None:
    grader = {"name": "g", "type": "transcript-not-matches", "config": {"pattern": "x"}}
    result = one(grader, run_saying(outputs={}))
    assert result.score is False
    assert str(result.comment) == "✘ no assistant messages in transcript to check\nreason: no_messages"


def test_provenance_and_hits_travel_along() -> None:
    spec = load_spec({"name": "my spec", "graders": SPEC})
    greets = results(spec, run_saying("hello you", "bye"))[0]
    assert greets.evaluator_info["spec_digest"] == spec.digest
    assert greets.evaluator_info["spec_name"] == "my spec"
    assert greets.evaluator_info["turngrade_version"]
    assert greets.extra is not None
    assert greets.extra["status"] == "pass"
    assert greets.extra["hits"][0] | {"message_id": None} == {
        "message_index": 0,
        "message_id": None,
        "agent": None,
        "field": "text",
        "start": 0,
        "end": 5,
        "match": "hello",
        "groups": [],
    }
    json.dumps(greets.extra)


def test_the_aggregate_is_there_when_the_spec_says_how_scores_add_up() -> None:
    run = run_saying("hello", "a refund", "bye")
    weighted = {
        "graders": SPEC,
        "scoring": {"weights": {"greets": 0.25, "no-promise": 0.75}, "threshold": 0.2},
    }
    assert evaluator(weighted).feedback_keys[-1] == "aggregate"
    aggregate = results(weighted, run)[-1]
    assert (aggregate.key, aggregate.score) == ("aggregate", 0.25)
    assert aggregate.comment == "✔ 2 of 3 graders passed"
    assert "aggregate" not in [result.key for result in results(SPEC, run)]
    assert results(SPEC, run, aggregate=True)[-1].score == pytest.approx(2 / 3)
    assert "aggregate" not in evaluator(weighted, aggregate=False).feedback_keys


def test_the_run_is_not_changed() -> None:
    run = run_saying("hello", "bye")
    before = copy.deepcopy(run)
    results(SPEC, run)
    assert run == before


@pytest.mark.parametrize("run", [None, 7, {}, {"id": None}, pytest.param(object(), id="object")], ids=repr)
def test_what_is_no_run_gives_error_results_for_every_key(run: Any) -> None:
    found = results(SPEC, run)
    assert [result.key for result in found] == ["greets", "no-promise", "closes"]
    assert all(result.score is None and result.extra and result.extra["error"] is True for result in found)


def test_a_run_whose_fields_raise_gives_error_results() -> None:
    class Hostile(dict[str, Any]):
        def get(self, *_args: Any) -> Any:
            raise MemoryError("no more")

    found = results(SPEC, Hostile())
    assert all("MemoryError: no more" in str(result.comment) for result in found)


def test_scores_are_never_nan() -> None:
    found = results({"graders": SPEC, "scoring": {"threshold": 0.5}}, {"id": "x", "child_runs": []})
    assert all(result.score is None or not math.isnan(float(result.score)) for result in found)


def test_text_that_no_database_stores_is_replaced() -> None:
    grader = {"name": "g", "type": "transcript-matches", "config": {"pattern": "a.*b"}}
    result = one(grader, run_saying("a\x00\ud800b"))
    assert result.score is True
    text = json.dumps([result.comment, result.extra], ensure_ascii=False)
    assert "a��b" in text
    text.encode()


def test_long_hits_are_cut() -> None:
    grader = {"name": "g", "type": "transcript-matches", "config": {"pattern": "(x+)"}}
    result = one(grader, run_saying("x" * 100_000))
    assert len(json.dumps([result.comment, result.extra])) < 3000


def test_an_invalid_spec_raises_at_once() -> None:
    with pytest.raises(InvalidSpec, match="graders"):
        evaluator([{"type": "transcript-matchs", "config": {"pattern": "x"}}])
    with pytest.raises(InvalidSpec):
        evaluator({"strict": True, "graders": [BROKEN]})


def test_an_invalid_pattern_warns_at_once() -> None:
    with pytest.warns(SpecWarning, match=r"graders\[0\]\.config\.pattern") as caught:
        evaluator([BROKEN])
    assert caught[0].filename == __file__


def test_importing_the_adapter_does_not_import_langsmith() -> None:
    code = (
        "import sys, turngrade.adapters.langsmith as t; t.evaluator; t.post_feedback; t.read_project\n"
        "sys.exit(any(name.split('.')[0] in ('langsmith', 'langchain_core') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_no_module_takes_the_place_of_what_the_package_exports() -> None:
    modules = {module.name for module in pkgutil.iter_modules(langsmith_adapter.__path__)}
    assert not modules & set(langsmith_adapter.__all__)
    assert all(getattr(langsmith_adapter, name) is not None for name in langsmith_adapter.__all__)
