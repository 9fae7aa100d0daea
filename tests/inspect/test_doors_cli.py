"""Every way to run a scorer from Inspect's command line, for real."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log
from tests.inspect.scoring import metrics, run, scores

from turngrade.adapters.inspect import graders

ANSWERS = ("You will get a refund.", "No, sorry.")

SPEC = r"""
graders:
  - type: transcript-not-matches
    name: no-refund
    config: {pattern: '\brefund\b'}
  - type: output-matches
    name: ends
    config: {pattern: '\.$'}
"""

TASK = r"""
from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageAssistant, ModelOutput
from inspect_ai.solver import solver
from turngrade.adapters.inspect import graders, transcript_matches

@solver
def echo():
    async def solve(state, generate):
        state.messages.append(ChatMessageAssistant(content=state.input_text))
        state.output = ModelOutput.from_content("mockllm/model", state.input_text)
        return state
    return solve

def task_with(scorer):
    answers = ["You will get a refund.", "No, sorry."]
    return Task(dataset=[Sample(input=text, target="-") for text in answers], solver=echo(), scorer=scorer)

@task
def good():
    return task_with([graders("spec.yaml"), transcript_matches(r"\brefund\b")])

@task
def no_file():
    return task_with(graders("none.yaml"))

@task
def strict():
    return task_with(transcript_matches("[z-a]", strict=True))

@task
def invalid():
    return task_with(transcript_matches("[z-a]"))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a spec, a task file and the log of a run that was not scored."""
    (tmp_path / "spec.yaml").write_text(SPEC)
    (tmp_path / "task.py").write_text(TASK)
    return tmp_path


@pytest.fixture
def log(folder: Path) -> Path:
    """The log of a run that was scored with another spec."""
    other = [{"type": "output-contains", "name": "sorry", "config": {"substring": "sorry"}}]
    return Path(run(ANSWERS, graders(other), folder / "logs").location)


def inspect(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "inspect_ai", *arguments, "--display", "plain"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def rescored(
    folder: Path, log: Path, scorer: str, argument: str, *options: str
) -> subprocess.CompletedProcess[str]:
    model = ("--model", "mockllm/model")
    return inspect(folder, "score", str(log), "--scorer", scorer, "-S", argument, *model, *options)


def test_inspect_eval_on_a_task_file(folder: Path) -> None:
    done = inspect(folder, "eval", "task.py@good", "--model", "mockllm/model", "--log-dir", "logs")
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = (folder / "logs").glob("*.eval")
    log = read_eval_log(str(path))
    assert metrics(log) == {"no-refund": 0.5, "ends": 1.0, "aggregate": 0.75, "transcript_matches": 0.5}


def test_inspect_score_appends_to_a_stored_log(folder: Path, log: Path) -> None:
    to = ("--action", "append", "--output-file", "out.eval")
    done = rescored(folder, log, "turngrade/transcript_matches", r"pattern=\brefund\b", *to)
    assert done.returncode == 0, done.stdout + done.stderr
    result = read_eval_log(str(folder / "out.eval"))
    assert [score.value for score in scores(result, "transcript_matches")] == ["C", "I"]
    assert metrics(result) == {"sorry": 0.5, "aggregate": 0.5, "transcript_matches": 0.5}


@pytest.mark.slow
@pytest.mark.parametrize("stream", [(), ("--stream",), ("--stream", "1")])
def test_inspect_score_overwrites_with_a_spec(folder: Path, log: Path, stream: tuple[str, ...]) -> None:
    to = ("--action", "overwrite", "--output-file", "out.eval", *stream)
    done = rescored(folder, log, "turngrade/graders", "graders=spec.yaml", *to)
    assert done.returncode == 0, done.stdout + done.stderr
    result = read_eval_log(str(folder / "out.eval"))
    assert metrics(result) == {"no-refund": 0.5, "ends": 1.0, "aggregate": 0.75}
    assert list(json.loads(scores(result, "graders")[0].model_dump_json())["value"]) == [
        "no-refund",
        "ends",
        "aggregate",
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("task", "code", "told"),
    [
        ("no_file", 1, "graders: there is no file none.yaml"),
        ("strict", 1, "transcript_matches: not a usable spec"),
        ("invalid", 0, "every sample will be an error"),
    ],
)
def test_faults_of_a_task_are_told_without_a_traceback(folder: Path, task: str, code: int, told: str) -> None:
    done = inspect(folder, "eval", f"task.py@{task}", "--model", "mockllm/model", "--log-dir", "logs")
    assert done.returncode == code
    printed = " ".join((done.stdout + done.stderr).split())
    assert "Traceback" not in printed
    words = told.split()
    assert all(word in printed for word in words), printed
    assert bool(list(folder.glob("logs/*.eval"))) == (code == 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scorer", "argument", "told"),
    [
        ("transcript_matches", "pattern=a{2,3}", "['a{2', '3}']"),
        ("output_matches", "pattern=[z-a]", "-S graders=FILE.yaml"),
        ("graders", "strict=false", "no spec is given"),
        ("graders", "graders=none.yaml", "there is no file none.yaml"),
        ("graders", "graders=task.py", "task.py: not a usable spec"),
    ],
)
def test_faults_of_arguments_are_told_without_a_traceback(
    folder: Path, log: Path, scorer: str, argument: str, told: str
) -> None:
    to = ("--action", "append", "--output-file", "out.eval")
    done = rescored(folder, log, f"turngrade/{scorer}", argument, *to)
    assert done.returncode == 1
    printed = " ".join((done.stdout + done.stderr).split())
    assert "Traceback" not in printed
    assert "couldn't be loaded" not in printed
    assert told in printed
    assert not (folder / "out.eval").exists()
