"""The recorded runs in ``tests/data/langsmith``, and what must come out of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[1] / "data" / "langsmith"
EXPORTS = DATA / "exports"

Run = dict[str, Any]


@cache
def expected() -> dict[str, Any]:
    """What is expected of each file, by its name."""
    found: dict[str, Any] = json.loads((DATA / "expected.json").read_text())
    return found


def runs_in(name: str) -> list[Run]:
    """The runs in a file."""
    runs: list[Run] = json.loads((DATA / name).read_text())["runs"]
    return runs


def traces_in(name: str) -> list[list[Run]]:
    """The runs of each trace in a file, in the order in which the traces began."""
    groups: dict[str, list[Run]] = {}
    for run in runs_in(name):
        groups.setdefault(run["trace_id"], []).append(run)
    return list(groups.values())


def all_traces() -> Iterator[tuple[str, list[Run]]]:
    """Every recorded trace with its id, ``file:number``."""
    for name in expected():
        for number, runs in enumerate(traces_in(name)):
            yield f"{name.removesuffix('.json')}:{number}", runs


def nested(runs: list[Run]) -> Run:
    """The runs of a trace as one tree."""
    copies = {run["id"]: {**run, "child_runs": []} for run in runs}
    root: Run = {}
    for run in copies.values():
        parents = run.get("parent_run_ids") or []
        if parents:
            copies[parents[-1]]["child_runs"].append(run)
        else:
            root = run
    return root
