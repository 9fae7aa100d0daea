"""Running the command in this process and in one of its own."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.support import BAD, GOOD, SPEC, Command, Result
from tests.s3_server import s3, s3_server

from turngrade.adapters.cli.app import run

__all__ = ["s3", "s3_server"]


@pytest.fixture
def turngrade(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Command:
    """Run ``turngrade`` in this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(name, raising=False)

    def call(*args: str | Path, stdin: bytes = b"", columns: int = 80) -> Result:
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        code = run([str(arg) for arg in args])
        return Result(code, *capsys.readouterr())

    return call


@pytest.fixture
def environment() -> dict[str, str]:
    """The environment of a process without a terminal's settings."""
    kept = {name: value for name, value in os.environ.items() if not name.endswith("_COLOR")}
    return {**kept, "COLUMNS": "80", "PYTHONWARNINGS": "error"}


@pytest.fixture
def process(tmp_path: Path, environment: dict[str, str]) -> Callable[..., Result]:
    """Run ``turngrade`` in a process of its own, in an empty folder."""

    def call(*args: str | Path, timeout: float | None = None, **env: str) -> Result:
        done = subprocess.run(
            [sys.executable, "-m", "turngrade.adapters.cli", *map(str, args)],
            cwd=tmp_path,
            env={**environment, **env},
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=timeout,
        )
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    return call


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write a file: rows as JSON Lines, a dict as JSON, text or bytes as they are."""

    def call(name: str, content: Any) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        elif isinstance(content, list):
            path.write_text("".join(json.dumps(row) + "\n" for row in content), encoding="utf-8")
        else:
            text = content if isinstance(content, str) else json.dumps(content, indent=2)
            path.write_text(text, encoding="utf-8")
        return path

    return call


@pytest.fixture
def spec(write: Callable[..., Path]) -> Path:
    """A spec of three graders."""
    return write("spec.yaml", SPEC)


@pytest.fixture
def chats(write: Callable[..., Path]) -> Path:
    """Two conversations: ``good`` passes the spec, ``bad`` fails its first two graders."""
    return write("chats.jsonl", [GOOD, BAD])
