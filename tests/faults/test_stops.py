"""Calls that are killed, and disks, folders and pipes that take no more.

``python -m tests.faults.stops`` kills hundreds of times.
"""

from __future__ import annotations

import ctypes
import os
import random
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.faults.originals import CHATS, DATA, SPEC
from tests.faults.stops import KINDS, SIGNALS, Stage, Tally, chats, scenarios, shop, state_of

COMMAND = [sys.executable, "-m", "turngrade.adapters.cli"]
OLD = "what an earlier call wrote"


@pytest.mark.parametrize(("name", "kills"), [("all at once", 3), ("--in-place log.eval", 1)])
def test_a_killed_call_damages_nothing_and_a_rerun_makes_it_good(
    tmp_path: Path, name: str, kills: int
) -> None:
    scenario = next(scenario for scenario in scenarios() if scenario.name == name)
    tally = Tally()
    with shop() as server:
        stage = Stage(scenario, tmp_path / "stage", server)
        for number in range(kills):
            stage.kill(SIGNALS[-1 - number], random.Random(number), tally)
    assert tally.faults == []
    assert tally.kills == kills


def test_the_kills_are_all_of_every_kind_and_more_than_200() -> None:
    every = list(scenarios())
    assert {name for scenario in every for name in scenario.changes} > set(KINDS)
    assert sum(max(1, round(210 * scenario.share / 100)) for scenario in every) >= 200


# --- full disks and folders that may not be written to


def _small_files_only() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))


def _no_powers_of_root() -> None:
    """Make root obey the modes of files, as others must."""
    drop_from_bounding_set, override, read_search = 24, 1, 2
    for power in (override, read_search):
        ctypes.CDLL(None).prctl(drop_from_bounding_set, power, 0, 0, 0)


def _grade(
    folder: Path, *args: str, before: Callable[[], None] | None = None, **env: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, "grade", "spec.yaml", *args],
        cwd=folder,
        env={**os.environ, **env},
        preexec_fn=before,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=120,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "spec.yaml").write_text(SPEC)
    chats(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", KINDS)
def test_a_full_disk_is_told_and_leaves_what_was_there(folder: Path, name: str) -> None:
    (folder / name).write_text(OLD)
    done = _grade(folder, "logs", "-q", "-o", name, before=_small_files_only)
    assert done.returncode == 3
    assert f"{name}: cannot be written: File too large" in done.stderr
    assert "Traceback" not in done.stderr
    assert (folder / name).read_text() == OLD
    assert sorted(os.listdir(folder)) == sorted(["logs", name, "spec.yaml"])


def test_a_full_folder_for_temporary_files_is_told(folder: Path) -> None:
    with (folder / "logs" / "chats-0.jsonl").open("rb") as stdin:
        done = subprocess.run(
            [*COMMAND, "grade", "spec.yaml", "-", "-q"],
            cwd=folder,
            preexec_fn=_small_files_only,
            capture_output=True,
            text=True,
            stdin=stdin,
            timeout=120,
        )
    assert done.returncode == 3
    assert "File too large" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("option", ["--write-back", "--in-place"])
def test_a_disk_that_is_full_for_a_log_leaves_the_log(folder: Path, option: str) -> None:
    shutil.copy(DATA / "inspect" / "epochs.eval", folder / "log.eval")
    before = state_of(folder)
    done = _grade(folder, "log.eval", "-q", *{"--write-back", option}, before=_small_files_only)
    assert done.returncode == 3
    assert "log.eval: not written back:" in done.stderr
    assert "Traceback" not in done.stderr
    assert state_of(folder) == before


@pytest.mark.skipif(sys.platform != "linux", reason="root gives up its powers by prctl")
def test_a_read_only_folder_is_bad_usage_for_an_output_and_an_error_for_a_log(folder: Path) -> None:
    closed = folder / "closed"
    closed.mkdir()
    shutil.copy(DATA / "inspect" / "epochs.eval", closed / "log.eval")
    closed.chmod(0o555)
    before = state_of(folder)
    output = _grade(folder, "logs", "-o", "closed/out.jsonl", before=_no_powers_of_root)
    log = _grade(folder, "closed/log.eval", "-q", "--write-back", before=_no_powers_of_root)
    closed.chmod(0o755)
    assert (output.returncode, log.returncode) == (4, 3)
    assert "closed/out.jsonl: cannot be written: Permission denied" in output.stderr
    assert "closed/log.eval: not written back:" in log.stderr
    assert "Permission denied" in log.stderr
    assert "Traceback" not in output.stderr + log.stderr
    assert state_of(folder) == before


@pytest.mark.skipif(sys.platform != "linux", reason="root gives up its powers by prctl")
def test_what_may_not_be_read_is_told_and_the_rest_is_graded(folder: Path) -> None:
    secret = folder / "logs" / "secret.jsonl"
    secret.write_bytes(CHATS.data)
    secret.chmod(0)
    (folder / "logs" / "closed").mkdir(mode=0)
    done = _grade(folder, "logs", "-q", "-o", "out.jsonl", before=_no_powers_of_root)
    (folder / "logs" / "closed").chmod(0o755)
    assert done.returncode == 3
    assert "logs/secret.jsonl: cannot be read: Permission denied" in done.stderr
    assert "logs/closed: cannot be read: Permission denied" in done.stderr
    assert len((folder / "out.jsonl").read_bytes().splitlines()) == 2 + 4 + 6 * 15 * 4


# --- pipes that nobody reads any more


@pytest.mark.parametrize(
    "call",
    [
        "grade spec.yaml logs --show all",
        "grade spec.yaml logs -o -",
        "explain spec.yaml few.jsonl --id ada",
        "lint spec.yaml --format sarif",
        "schema",
    ],
)
def test_a_reader_that_has_enough_is_no_error(folder: Path, call: str) -> None:
    (folder / "few.jsonl").write_bytes(CHATS.data)
    whole = subprocess.run([*COMMAND, *call.split()], cwd=folder, capture_output=True, timeout=120)
    assert whole.stdout.count(b"\n") > 1
    line = f"'{sys.executable}' -m turngrade.adapters.cli {call} | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", line], cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == whole.returncode
    assert done.stdout.encode() == whole.stdout.split(b"\n")[0] + b"\n"
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr
