"""An uploaded experiment, and what the command line says of the same runs read back from the server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from langsmith import Client, evaluate
from tests.langsmith.agent import SPEC, agent, dataset
from tests.langsmith.loopback import API_KEY, Loopback

from turngrade.adapters.langsmith import evaluator


def run_cli(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "turngrade.adapters.cli", *arguments]
    return subprocess.run(
        command, cwd=cwd, capture_output=True, encoding="utf-8", check=False, env=os.environ.copy()
    )


@pytest.mark.parametrize("v2", [False, True])
def test_stored_feedback_is_what_the_command_line_says(loopback: Loopback, tmp_path: Path, v2: bool) -> None:
    loopback.info["instance_flags"]["sdb_query_enabled"] = v2
    (tmp_path / "spec.json").write_text(json.dumps({"graders": SPEC}))
    client = Client()
    judge = evaluator(tmp_path / "spec.json")
    experiment = evaluate(agent, data=dataset(client), evaluators=[judge], client=client).experiment_name
    client.flush()
    stored = {(row["run_id"], row["key"]): row for row in loopback.store.feedback}

    done = run_cli("grade", "spec.json", f"langsmith:{experiment}", "-o", "out.jsonl", cwd=tmp_path)

    assert done.returncode == 1, done.stderr  # some transcript failed
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    verdicts: dict[tuple[str, str], dict[str, Any]] = {
        (row["id"], verdict["name"]): verdict for row in rows for verdict in row["verdicts"]
    }
    assert verdicts.keys() == stored.keys()
    for place, verdict in verdicts.items():
        feedback = stored[place]
        assert feedback["score"] is verdict["passed"]
        assert feedback["comment"].split("\n")[0][2:] == verdict["evidence"]
        assert feedback["extra"] == {
            key: verdict[key] for key in ("type", "status", "reason", "matched", "hits")
        }
    assert API_KEY not in done.stdout + done.stderr + (tmp_path / "out.jsonl").read_text()
