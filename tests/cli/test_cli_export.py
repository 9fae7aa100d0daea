"""``turngrade export langsmith``: the files, run by a bare Python, against ``turngrade grade``."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.support import Command
from tests.langsmith.project_runs import trace

from turngrade.adapters.cli.exporting import file_names

Write = Callable[..., Path]

GRADERS: list[dict[str, Any]] = [
    {"type": "transcript-matches", "name": "greets", "config": {"pattern": r"(?i)^hello\b"}},
    {"type": "output-not-contains", "name": "calm", "config": {"substring": "!"}},
]
NOT_EXACT = {"type": "output-matches", "name": "behind", "config": {"pattern": "(?<=a+)b"}}
TEXTS = ("Hello there", "Fine.", "hello!")


@pytest.fixture(autouse=True)
def spec_file(write: Write) -> None:
    write("spec.json", {"graders": GRADERS})


def performed(path: Path, run: dict[str, Any]) -> dict[str, Any]:
    """What an evaluator says in a Python that finds no package."""
    code = (
        "import json, runpy, sys\n"
        "perform_eval = runpy.run_path(sys.argv[1])['perform_eval']\n"
        "print(json.dumps(perform_eval(json.load(sys.stdin))))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, path],
        input=json.dumps(run).encode(),
        capture_output=True,
        check=True,
    )
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def test_the_files_say_what_grade_says(turngrade: Command, write: Write, tmp_path: Path) -> None:
    result = turngrade("export", "langsmith", "spec.json", "-o", "out/evaluators")
    assert (result.code, result.out) == (0, "")
    assert result.err.splitlines() == ["greets: out/evaluators/greets.py", "calm: out/evaluators/calm.py"]
    traces = [trace(number, text) for number, text in enumerate(TEXTS)]
    write("runs.json", json.dumps([run for runs in traces for run in runs]))
    rows = {
        row["id"]: row["verdicts"] for row in turngrade("grade", "spec.json", "runs.json", "-o", "-").rows
    }
    for root, *calls in traces:
        for verdict in rows[root["id"]]:
            said = performed(tmp_path / f"out/evaluators/{verdict['name']}.py", root | {"child_runs": calls})
            assert (said["key"], said["score"]) == (verdict["name"], verdict["passed"])
            assert verdict["evidence"] in said["comment"]


def test_one_grader_goes_to_stdout(turngrade: Command) -> None:
    result = turngrade("export", "langsmith", "spec.json", "--only", "ca*")
    assert (result.code, result.err) == (0, "")
    turngrade("export", "langsmith", "spec.json", "-o", ".")
    assert Path("calm.py").read_text() == result.out


def test_several_graders_need_a_folder(turngrade: Command) -> None:
    result = turngrade("export", "langsmith", "spec.json")
    assert (result.code, result.out) == (4, "")
    assert "the spec has 2 graders" in result.err


def test_what_cannot_be_exact_is_refused_by_name_and_nothing_is_written(
    turngrade: Command, write: Write
) -> None:
    write("spec.json", {"graders": [*GRADERS, NOT_EXACT]})
    result = turngrade("export", "langsmith", "spec.json", "-o", "out")
    assert result.code == 4
    assert "  behind: " in result.err
    assert "  greets: " not in result.err
    assert not Path("out").exists()
    assert turngrade("export", "langsmith", "spec.json", "-o", "out", "--only", "greets").code == 0
    assert [path.name for path in Path("out").iterdir()] == ["greets.py"]


def test_a_folder_that_cannot_be_written_leaves_all_as_it_was(turngrade: Command, write: Write) -> None:
    write("out/greets.py", "old")
    (Path("out") / "calm.py").mkdir()
    result = turngrade("export", "langsmith", "spec.json", "-o", "out")
    assert result.code == 3
    assert "out/calm.py: cannot be written" in result.err
    assert Path("out/greets.py").read_text() == "old"
    assert {path.name for path in Path("out").iterdir()} == {"greets.py", "calm.py"}
    assert turngrade("export", "langsmith", "spec.json", "-o", "spec.json").code == 3


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["langsmit", "spec.json"], "'langsmith'"),
        (["langsmith", "nowhere.yaml"], "nowhere.yaml"),
        (["langsmith", "spec.json", "--only", "greet"], "did you mean 'greets'?"),
    ],
)
def test_bad_usage(turngrade: Command, args: list[str], told: str) -> None:
    result = turngrade("export", *args, "-o", "out")
    assert result.code == 4
    assert told in result.err


def test_no_name_leads_out_of_the_folder_or_to_another_file() -> None:
    names = file_names(["../up", "a/b", "a b", "A-B", "é", "…", "con.txt", "ok_1"])
    assert names == [
        "up.py",
        "a-b.py",
        "a-b-2.py",
        "A-B-3.py",
        "grader.py",
        "grader-2.py",
        "con-txt.py",
        "ok_1.py",
    ]
