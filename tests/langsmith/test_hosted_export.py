"""Exported code evaluators: run by a bare Python, they say of every recorded run what the evaluator says."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.langsmith.recorded import all_traces, nested

from turngrade.adapters.langsmith import NotExportable, evaluator, export_code
from turngrade.adapters.langsmith.hosted.bundle import bundle
from turngrade.core import load_spec

GRADERS: list[dict[str, Any]] = [
    {"name": "words", "type": "transcript-matches", "config": {"pattern": r"\b[a-z]{4,}\b"}},
    {"name": "no-final", "type": "transcript-not-matches", "config": {"pattern": "(?i)final|hello"}},
    {"name": "said", "type": "transcript-matches", "config": {"pattern": "^[^]", "scope": "conversation"}},
    {
        "name": "calls",
        "type": "transcript-matches",
        "config": {"pattern": "o", "scope": "model-calls", "min_matches": 2},
    },
    {"name": "few", "type": "transcript-matches", "config": {"pattern": "[aeiou]", "max_matches": 1}},
    {"name": "empty", "type": "transcript-matches", "config": {"pattern": "^$", "select": "first"}},
    {"name": "last", "type": "transcript-contains", "config": {"substring": "O", "select": "last"}},
    {
        "name": "unless",
        "type": "transcript-matches",
        "config": {"pattern": r"\w+", "unless": "(?i)hello|final"},
    },
    {"name": "answer", "type": "output-matches", "config": {"pattern": r"\d|^h"}},
    {"name": "no-question", "type": "output-not-matches", "config": {"pattern": r"\?$"}},
    {"name": "out", "type": "output-contains", "config": {"substring": "ELL"}},
    {"name": "no-out", "type": "output-not-contains", "config": {"substring": "x", "case_sensitive": True}},
    {"name": "signal", "type": "regex-match", "config": {"pattern": "HELLO|42"}},
    {"name": "all", "type": "contains", "config": {"value": ["e", "l"], "mode": "all"}},
]

DRIVER = """
import json, runpy, sys
runs = json.load(open(sys.argv[1]))
for path in sys.argv[2:]:
    perform_eval = runpy.run_path(path)["perform_eval"]
    print(json.dumps([perform_eval(run) for run in runs]))
bad = [name for name in sys.modules if name.split(".")[0] in ("turngrade", "regex", "pydantic", "langsmith")]
assert not bad, bad
"""


def hosted(code: dict[str, str], runs: list[Any], folder: Path) -> dict[str, list[dict[str, Any]]]:
    """Run exported evaluators on runs, in a Python without site-packages."""
    (folder / "driver.py").write_text(DRIVER)
    (folder / "runs.json").write_text(json.dumps(runs))
    paths = {name: folder / f"{number}.py" for number, name in enumerate(code)}
    for name, path in paths.items():
        path.write_text(code[name], encoding="utf-8")
    command = [sys.executable, "-I", "-S", "driver.py", "runs.json", *map(str, paths.values())]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return dict(zip(paths, map(json.loads, done.stdout.splitlines()), strict=True))


def expected(spec: Any, runs: list[Any]) -> dict[str, list[dict[str, Any]]]:
    """What the evaluator says of the runs."""
    judge = evaluator(spec, aggregate=False)
    by_name: dict[str, list[dict[str, Any]]] = {key: [] for key in judge.feedback_keys}
    for run in runs:
        for result in judge.evaluate_run(run)["results"]:  # type: ignore[index]
            by_name[result.key].append({"key": result.key, "score": result.score, "comment": result.comment})
    return by_name


@pytest.fixture(scope="module")
def recorded() -> list[Any]:
    """Every recorded trace, as a tree."""
    return [nested(runs) for _name, runs in all_traces()]


def test_every_recorded_run_gets_the_same_verdict_and_comment(recorded: list[Any], tmp_path: Path) -> None:
    assert len(recorded) > 100
    assert hosted(export_code(GRADERS), recorded, tmp_path) == expected(GRADERS, recorded)


def test_the_graders_of_the_comparison_pass_and_fail(recorded: list[Any]) -> None:
    for name, results in expected(GRADERS, recorded).items():
        assert {result["score"] for result in results} >= {True, False}, name


@pytest.mark.parametrize(
    "keys", [{"strict": True}, {"strip_thinking": True}, {"output_key": "answer"}, {"hits": "first"}]
)
def test_the_keys_of_the_spec_count(keys: dict[str, Any], recorded: list[Any], tmp_path: Path) -> None:
    roots = [{key: value for key, value in run.items() if key != "child_runs"} for run in recorded[:40]]
    thinking = {
        "id": "t",
        "run_type": "chain",
        "outputs": {"output": "<think>hello</think>42"},
        "child_runs": [],
    }
    spec = {"graders": [GRADERS[1], GRADERS[8]], **keys}
    runs = [*roots, *recorded[:40], thinking]
    assert hosted(export_code(spec), runs, tmp_path) == expected(spec, runs)


def test_limits_count(tmp_path: Path) -> None:
    run = {"id": "r", "run_type": "chain", "outputs": {"output": "h" * 100}, "child_runs": []}
    spec = {"graders": [GRADERS[8]], "limits": {"max_text_length": 99}}
    (answer,) = hosted(export_code(spec), [run], tmp_path)["answer"]
    assert answer["score"] is None
    assert answer["comment"].startswith("✘ Message too long: 100 of 99 characters")


def test_the_code_imports_only_the_standard_library() -> None:
    sources = [*bundle().values(), *export_code(GRADERS[:1]).values()]
    for source in sources:
        for node in ast.walk(ast.parse(source)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or "."] if isinstance(node, ast.ImportFrom) else []
            assert {name.split(".")[0] for name in names} <= {*sys.stdlib_module_names, "turngrade"}


def test_the_code_says_where_it_comes_from() -> None:
    code = export_code(GRADERS[:1])["words"]
    assert load_spec(GRADERS[:1]).digest in (ast.get_docstring(ast.parse(code)) or "")


def test_what_cannot_be_exact_is_refused_by_name_and_the_rest_can_be_chosen() -> None:
    spec = [
        GRADERS[0],
        {"name": "loop", "type": "output-matches", "config": {"pattern": "(a*)*b"}},
        {"name": "behind", "type": "output-matches", "config": {"pattern": "x", "unless": "(?<=a+)x"}},
        {"name": "broken", "type": "output-matches", "config": {"pattern": "("}},
    ]
    with pytest.raises(NotExportable) as caught:
        export_code(spec)
    assert [refusal.name for refusal in caught.value.refusals] == ["loop", "behind", "broken"]
    assert re.search(
        "loop: .*empty text.*\n.*behind: .*lookbehind.*\n.*broken: .*does not compile", str(caught.value)
    )
    assert list(export_code(spec, only=["words"])) == ["words"]
    with pytest.raises(KeyError, match="no grader named word in the spec"):
        export_code(spec, only=["word"])


def test_graders_of_a_stimulus_need_a_choice() -> None:
    spec = load_spec({"stimuli": [{"name": "s", "graders": [GRADERS[0]]}]})
    with pytest.raises(NotExportable, match="with_stimulus"):
        export_code(spec)
    assert list(export_code(spec.with_stimulus("s"))) == ["words"]
