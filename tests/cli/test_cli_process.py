"""What only a process of its own shows: exit codes, pipes, signals, encodings, the time to start."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.support import GOOD, Result

from turngrade.adapters.cli.verbs import VERBS

Write = Callable[..., Path]
Process = Callable[..., Result]

COMMAND = [sys.executable, "-m", "turngrade.adapters.cli"]


@pytest.mark.usefixtures("spec", "chats")
def test_exit_codes_of_the_process(process: Process) -> None:
    assert process("grade", "spec.yaml", "chats.jsonl").code == 1
    assert process("grade", "spec.yaml", "nowhere.eval").code == 3
    assert process("grade", "nowhere.yaml", "chats.jsonl").code == 4
    assert process("--version").out.startswith("turngrade, version ")
    assert process().out == process("--help").out


@pytest.fixture
def many(write: Write) -> None:
    """More to print than a pipe holds."""
    write("many.jsonl", [{**GOOD, "id": f"chat-{n}"} for n in range(400)])


@pytest.mark.usefixtures("spec", "many")
@pytest.mark.parametrize("args", [["--show", "all"], ["-o", "-"]], ids=["table", "rows"])
def test_a_closed_pipe_ends_the_output_and_not_the_grading(
    tmp_path: Path, environment: dict[str, str], args: list[str]
) -> None:
    command = [*COMMAND, "grade", "spec.yaml", "many.jsonl", *args, "-o", "out.jsonl"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.readline()
        child.stdout.close()
        err = child.stderr.read().decode()
    assert child.returncode == 0
    assert "Traceback" not in err
    assert "BrokenPipe" not in err
    assert "400 transcripts: 400 passed" in err
    assert len((tmp_path / "out.jsonl").read_bytes().splitlines()) == 400


@pytest.mark.usefixtures("spec")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_is_2_and_leaves_nothing_behind(
    tmp_path: Path, environment: dict[str, str], number: signal.Signals
) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    spool = tmp_path / "spool"
    spool.mkdir()
    child = subprocess.Popen(
        [*COMMAND, "grade", "spec.yaml", "pipe.jsonl", "-o", "out.jsonl"],
        cwd=tmp_path,
        env={**environment, "TMPDIR": str(spool)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with (tmp_path / "pipe.jsonl").open("wb"):  # opens when the child has opened the other end
        time.sleep(0.2)
        child.send_signal(number)
        out, err = child.communicate(timeout=20)
    assert (child.returncode, out, err.decode().strip()) == (2, b"", "interrupted")
    assert sorted(os.listdir(tmp_path)) == ["pipe.jsonl", "spec.yaml", "spool"]
    assert os.listdir(spool) == []


@pytest.mark.usefixtures("spec", "chats")
@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_an_encoding_without_our_signs(process: Process, encoding: str) -> None:
    result = process("grade", "spec.yaml", "chats.jsonl", PYTHONIOENCODING=encoding)
    assert result.code == 1
    assert "+ pass" in result.out
    assert "x fail" in result.out
    assert ">>ORD-123456<<" in result.out
    assert "##########----------  1/2   50 %" in result.err


def test_stdin_is_read_from_a_pipe(tmp_path: Path, environment: dict[str, str], spec: Path) -> None:
    done = subprocess.run(
        [*COMMAND, "grade", str(spec), "-", "-o", "-"],
        input=json.dumps(GOOD).encode(),
        capture_output=True,
        env=environment,
    )
    assert (done.returncode, json.loads(done.stdout)["id"]) == (0, "good")


def test_help_starts_within_three_times_the_imports_of_the_core(environment: dict[str, str]) -> None:
    def seconds(*command: str) -> float:
        started = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True, env=environment)
        return time.perf_counter() - started

    bare = min(seconds(sys.executable, "-c", "import pydantic, regex") for _ in range(5))
    own = min(seconds(*COMMAND, "--help") for _ in range(5))
    assert own < 3 * bare


def test_verbs_and_options_are_completed(process: Process) -> None:
    def completed(words: str, at: int) -> set[str]:
        env = {"_TURNGRADE_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(at)}
        return {line.partition(",")[2] for line in process(**env).out.splitlines()}

    assert completed("turngrade ", 1) == set(VERBS)
    assert completed("turngrade grade --fail", 2) == {"--fail-on", "--fail-under"}
    assert completed("turngrade grade --show f", 3) == {"failed"}
    for verb in ("lint", "test", "grade", "explain", "diff", "export langsmith"):
        assert completed(f"turngrade {verb} ev", 1 + len(verb.split())) == {
            "ev"
        }  # the shell's own file names
    assert completed("turngrade grade spec.yaml chats.jsonl -o re", 5) == {"re"}
