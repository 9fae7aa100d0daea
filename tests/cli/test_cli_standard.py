"""Standard streams that are closed, full, or no longer read, as the shell makes them."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.support import BAD, GOOD

COMMAND = f"{shlex.quote(sys.executable)} -m turngrade.adapters.cli"

SPEC = """
graders:
- type: contains
  name: greets
  config:
    value: Thanks
    examples: {match: [Thanks]}
"""

VERBS = {
    "grade": "grade s.yaml good.jsonl",
    "grade as rows": "grade s.yaml good.jsonl -o -",
    "diff": "diff s.yaml s.yaml good.jsonl bad.jsonl",
    "explain": "explain s.yaml good.jsonl",
    "schema": "schema",
    "test": "test s.yaml",
}


@pytest.fixture
def shell(tmp_path: Path, environment: dict[str, str]) -> Shell:
    """A shell in a folder with a spec, a conversation that passes and one that fails."""
    (tmp_path / "s.yaml").write_text(SPEC)
    (tmp_path / "t.yaml").write_text(SPEC.replace("Thanks", "nothing of the kind"))
    (tmp_path / "good.jsonl").write_text(json.dumps(GOOD))
    (tmp_path / "bad.jsonl").write_text(json.dumps(BAD))
    return Shell(tmp_path, environment)


class Shell:
    """Runs ``turngrade`` with redirections."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder = folder
        self.environment = environment

    def __call__(self, call: str, redirections: str) -> tuple[int, str, str]:
        """The exit code, and what reached stdout and stderr."""
        script = f"set -o pipefail; {COMMAND} {call} {redirections}"
        done = subprocess.run(
            ["bash", "-c", script], cwd=self.folder, env=self.environment, capture_output=True, text=True
        )
        return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("call", VERBS.values(), ids=VERBS.keys())
def test_a_full_stdout_is_3_and_one_line_on_stderr(shell: Shell, call: str) -> None:
    if call.startswith("diff"):
        call = call.replace("s.yaml s.yaml", "s.yaml t.yaml")  # prints the flips
    code, _, err = shell(call, ">/dev/full")
    assert code == 3
    assert err.splitlines()[-1] == "stdout: cannot be written: No space left on device"
    assert err.count("stdout") == 1
    assert "Traceback" not in err
    assert "Exception" not in err


def test_a_closed_stdout_is_3_and_the_files_are_written(shell: Shell) -> None:
    code, _, err = shell("grade s.yaml bad.jsonl -o rows.jsonl", ">&-")
    assert code == 3
    assert err.splitlines()[-1] == "stdout: cannot be written: it is closed"
    assert "1 transcript: 0 passed, 1 failed" in err
    assert len((shell.folder / "rows.jsonl").read_text().splitlines()) == 1
    assert (shell.folder / "good.jsonl").read_text() == json.dumps(GOOD)


def test_a_closed_stdout_that_nothing_goes_to_is_no_fault(shell: Shell) -> None:
    assert shell("grade s.yaml bad.jsonl -q -o rows.jsonl", ">&-") == (1, "", "")
    assert shell("grade s.yaml bad.jsonl --nothing", ">&-")[0] == 4


@pytest.mark.parametrize("redirection", ["2>/dev/full", "<&- 2>&-"])
def test_a_stderr_that_takes_nothing_changes_nothing(shell: Shell, redirection: str) -> None:
    for source, expected in (("bad", 1), ("no", 3)):
        code, out, err = shell(f"grade s.yaml {source}.jsonl -o -", redirection)
        assert (code, err) == (expected, "")
        assert json.loads(out)["source"] == f"{source}.jsonl"
    assert shell("grade no.yaml good.jsonl", redirection) == (4, "", "")


def test_a_reader_of_both_streams_that_has_gone_leaves_the_code(shell: Shell) -> None:
    for source, expected in (("good", 0), ("no", 3)):
        assert shell(f"grade s.yaml {source}.jsonl", "2>&1 | true")[0] == expected


def test_a_closed_stdin_is_a_source_that_cannot_be_read(shell: Shell) -> None:
    code, out, err = shell("grade s.yaml - good.jsonl -o -", "<&-")
    assert code == 3
    assert [row.get("error") for row in map(json.loads, out.splitlines())] == [
        "cannot be read: standard input is closed",
        None,
    ]
    assert "Traceback" not in err


@pytest.mark.parametrize("moment", ["before", "behind"])
def test_an_interrupt_around_the_work_is_2(moment: str) -> None:
    code = (
        "import os, signal, sys\n"
        "from turngrade.adapters.cli import app, standard\n"
        "run = app.run\n"
        "def interrupted(args):\n"
        f"    code = 0 if {moment == 'before'} else run(args)\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    return code\n"
        "app.run = interrupted\n"
        "sys.exit(standard.run(['schema']))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (2, "")
