"""The files of the CI page are YAML, and every call of turngrade in them works as a step of a build."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.docs.snippets import snippets_of

ROOT = Path(__file__).parents[2]
TURNGRADE = Path(sys.executable).with_name("turngrade")
SPEC = "evals/turngrade.yaml"

Files = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def files() -> Files:
    """The files of the page, by their first key."""
    page = snippets_of(ROOT / "docs" / "ci.md")
    loaded = [yaml.safe_load(snippet.text) for snippet in page if snippet.language == "yaml"]
    return {next(iter(file)): file for file in loaded}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository with a spec, and the logs that an agent has left."""
    subprocess.run([TURNGRADE, "init", "evals"], cwd=tmp_path, check=True, capture_output=True)
    (tmp_path / "logs").mkdir()
    shutil.copy(tmp_path / "evals" / "sample.jsonl", tmp_path / "logs")
    return tmp_path


def call(command: str, folder: Path, **env: str) -> str:
    """What a step prints; it must end well."""
    words = [str(TURNGRADE), *shlex.split(command)[1:]]
    done = subprocess.run(
        words, cwd=folder, env={**os.environ, **env}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def calls(steps: list[Any]) -> list[str]:
    commands = [step.get("run", "") if isinstance(step, dict) else step for step in steps]
    return [command for command in commands if command.startswith("turngrade ")]


def test_the_workflow_of_github_actions(files: Files, folder: Path) -> None:
    job = files["name"]["jobs"]["grade"]
    summary = folder / "summary.md"
    commands = calls(job["steps"])
    for command in commands:
        call(command, folder, GITHUB_ACTIONS="true", GITHUB_STEP_SUMMARY=str(summary))
    assert [command.split()[1] for command in commands] == ["lint", "test", "grade"]
    assert "no-refund-promise" in summary.read_text("utf-8")
    [upload] = [step["with"] for step in job["steps"] if "upload-artifact" in step.get("uses", "")]
    assert all((folder / name).is_file() for name in upload["path"].split())


def test_the_job_of_gitlab(files: Files, folder: Path) -> None:
    job = files["grade"]["grade"]
    commands = calls(job["script"])
    for command in commands:
        call(command, folder)
    assert len(commands) == 3
    assert (folder / job["artifacts"]["reports"]["junit"]).is_file()


def test_the_hooks_of_pre_commit(files: Files, folder: Path) -> None:
    [repo] = files["repos"]["repos"]
    for hook in repo["hooks"]:
        assert re.search(hook["files"], SPEC)
        call(f"{hook['entry']} {SPEC}", folder)


def test_sarif_for_code_scanning(folder: Path) -> None:
    page = (ROOT / "docs" / "ci.md").read_text("utf-8")
    [command] = re.findall(r"`(turngrade lint --format sarif [^>`]*) > ", page)
    assert '"version": "2.1.0"' in call(command, folder)
