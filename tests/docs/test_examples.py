"""The examples run, and the logs beside them hold what the script says."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from turngrade.adapters import inspect, langsmith
from turngrade.core import Transcript, Unreadable, load_spec

EXAMPLES = Path(__file__).parents[2] / "examples"
SPECS = sorted(EXAMPLES.glob("*.yaml"))
READERS: dict[str, Callable[[Path], Iterator[Transcript | Unreadable]]] = {
    "inspect.eval": inspect.read_transcripts,
    "langsmith-sdk.jsonl": langsmith.read_transcripts,
    "langgraph.jsonl": langsmith.read_transcripts,
}
VERDICTS = {
    "no-refund-promise": {"refund-promised"},
    "no-pii": {"card-repeated"},
    "order-id": {"refused"},
    "no-refusal": {"refused"},
}
"""The conversations that each spec fails."""


def run(script: str, folder: Path) -> str:
    """What an example prints; it finds and leaves its files in a folder."""
    command = [sys.executable, str(EXAMPLES / script)]
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=folder).stdout


def transcripts(file: Path) -> dict[str, Transcript]:
    """The transcripts of a log by the name of the conversation."""
    found = {}
    for transcript in READERS[file.name](file):
        assert isinstance(transcript, Transcript), transcript
        found[str(transcript.metadata.get("conversation", transcript.id))] = transcript
    return found


def said(file: Path) -> dict[str, list[str]]:
    return {name: [message.text for message in t.messages] for name, t in transcripts(file).items()}


@pytest.fixture(scope="module")
def new_logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("logs")
    command = [sys.executable, str(EXAMPLES / "make_logs.py"), str(folder)]
    subprocess.run(command, check=True, capture_output=True)
    return folder


@pytest.mark.parametrize("name", READERS)
def test_logs_are_what_the_frameworks_write(name: str, new_logs: Path) -> None:
    assert said(EXAMPLES / "logs" / name) == said(new_logs / name)


def test_all_logs_hold_the_same_conversations() -> None:
    first, *others = (said(EXAMPLES / "logs" / name) for name in READERS)
    assert len(first) == 4
    assert all(other == first for other in others)


@pytest.mark.parametrize("spec_file", SPECS, ids=lambda path: path.stem)
@pytest.mark.parametrize("name", READERS)
def test_specs_find_what_is_there(spec_file: Path, name: str) -> None:
    spec = load_spec(spec_file)
    grades = {key: spec.grade(t) for key, t in transcripts(EXAMPLES / "logs" / name).items()}
    assert {key for key, grade in grades.items() if not grade.passed} == VERDICTS[spec_file.stem]
    assert not [grade for grade in grades.values() if grade.status == "error"]


def test_specs_pass_their_own_examples() -> None:
    command = [sys.executable, "-m", "turngrade.adapters.cli", "test", *map(str, SPECS)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not [spec for spec in SPECS if spec.name not in done.stdout]


def test_inspect_task(tmp_path: Path) -> None:
    lines = [line.split() for line in run("inspect_task.py", tmp_path).splitlines()]
    assert lines == [["no-refund-promise", "0.75"], ["no-guarantee", "1.00"], ["aggregate", "0.88"]]


def test_langsmith_experiment(tmp_path: Path) -> None:
    lines = run("langsmith_eval.py", tmp_path).splitlines()
    assert len([line for line in lines if "no-refund-promise: True" in line]) == 3
    assert len([line for line in lines if "no-refund-promise: False" in line]) == 1
