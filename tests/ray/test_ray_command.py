"""``grade --engine ray`` as a process: killed and run again, and called with what cannot be."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("ray")
pytest.importorskip("ray.cluster_utils")  # without Ray, the folder of this test is found as "ray"

pytestmark = pytest.mark.slow

FILES = 60
ROWS = 400
SPEC = [{"type": "transcript-not-contains", "config": {"value": "refund 7"}}]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("spec.json").write_text(json.dumps({"graders": SPEC}))
    Path("chats").mkdir()
    for part in range(FILES):
        rows = ({"id": f"{part}-{n}", "messages": [{"role": "assistant", "content": f"refund {n}"}]}
                for n in range(ROWS))  # fmt: skip
        Path(f"chats/{part:02}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def start(*options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "turngrade.adapters.cli", "grade", "spec.json", "chats", "-q", *options]
    env = {**os.environ, "RAY_ADDRESS": "local"}  # no cluster that happens to run here
    return subprocess.Popen(command, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def grade(*options: str) -> tuple[int, str]:
    process = start(*options)
    _, err = process.communicate(timeout=300)
    return process.returncode, err


@pytest.mark.parametrize("signum", [signal.SIGKILL, signal.SIGTERM])
def test_a_call_that_is_killed_goes_on_where_it_was(signum: signal.Signals) -> None:
    assert grade("-o", "one.jsonl") == (1, "")
    process = start("--engine", "ray", "-o", "many.jsonl")
    shards = Path("many.jsonl.shards")
    while len(list(shards.glob("*.jsonl"))) < FILES // 4:
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signum)
    process.communicate(timeout=60)
    assert process.returncode == (2 if signum == signal.SIGTERM else -signal.SIGKILL)
    time.sleep(2)
    done = {path.name: path.stat().st_mtime_ns for path in shards.glob("*.jsonl")}
    assert len(done) < FILES, "killed too late to tell"
    assert not Path("many.jsonl").exists()
    assert grade("--engine", "ray", "-o", "many.jsonl") == (1, "")
    assert Path("many.jsonl").read_bytes() == Path("one.jsonl").read_bytes()
    again = {path.name: path.stat().st_mtime_ns for path in shards.glob("*.jsonl")}
    assert len(again) == FILES
    assert done.items() <= again.items()


@pytest.mark.parametrize("address", ["127.0.0.1:9", "ray://127.0.0.1:9", "127.0.0.1:port"])
def test_a_cluster_that_is_not_there_is_told_at_once(address: str) -> None:
    begun = time.monotonic()
    code, err = grade("--engine", "ray", "--address", address, "-o", "out.jsonl")
    assert code == 4
    assert f"--engine ray: no Ray cluster answers at {address}: " in err
    assert time.monotonic() - begun < 60
    assert not Path("out.jsonl").exists()


def test_shards_that_cannot_be_written_are_told() -> None:
    code, err = grade("--engine", "ray", "--shards", "spec.json/shards")
    assert code == 3
    assert err.startswith("--engine ray: ")
    assert "spec.json" in err
