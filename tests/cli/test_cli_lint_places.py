"""Where findings stand, in which order, and what is said of specs in JSON."""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.support import Command

Write = Callable[..., Path]

VALLY = """\
name: demo
stimuli:
- name: one
  prompt: hi
  graders:
  - type: llm-judge
    config: {prompt: x}
  - type: output-matches
    name: greedy
    config:
      pattern: 'don''t'
scoring:
  weights:
    greedy: 0.25
    gredy: 0.25
    "odd: key": 0.25
"""


def places(out: str) -> list[tuple[int, int]]:
    return [
        (int(line), int(column)) for line, column in re.findall(r"^[^ ]+?:(\d+):(\d+): ", out, re.MULTILINE)
    ]


def test_warnings_of_the_spec_have_their_place(turngrade: Command, write: Write) -> None:
    write("eval.yaml", VALLY)
    out = turngrade("lint", "eval.yaml").out
    assert "eval.yaml:6:5: warning: stimuli[0].graders[0]: skipped, turngrade has no grader" in out
    assert "eval.yaml:13:3: warning: scoring.weights: the weights sum to 0.75" in out
    assert "eval.yaml:15:5: warning: scoring.weights.gredy: names no grader; did you mean 'greedy'?" in out
    assert "eval.yaml:16:5: warning: scoring.weights.odd: key: names no grader" in out


def test_findings_are_in_the_order_of_the_file(turngrade: Command, write: Write) -> None:
    write("eval.yaml", VALLY)
    found = places(turngrade("lint", "eval.yaml").out)
    assert len(found) >= 5
    assert found == sorted(found)
    write("bad.yaml", "scorin: {}\ngraders:\n- type: output-matches\n  config: {patern: x}\nname: [1]\n")
    faults = places(turngrade("lint", "bad.yaml").out)
    assert len(faults) >= 3
    assert faults == sorted(faults)


def test_annotations_have_the_place_too(turngrade: Command, write: Write) -> None:
    write("eval.yaml", VALLY)
    rows = json.loads(turngrade("lint", "eval.yaml", "--format", "json").out)
    [weight] = [row for row in rows if row["path"] == "scoring.weights.gredy"]
    assert (weight["line"], weight["column"], weight["level"]) == (15, 5, "warning")
    assert weight["message"].startswith("names no grader")


@pytest.mark.parametrize(
    ("pattern", "message", "hint"),
    [
        ("\bword\b", r"which JSON makes of \b", "hint: double the backslash"),
        (
            r"\\d+",
            r"\\d is a backslash and the letter d",
            r"hint: write \\d; in JSON a backslash is doubled once",
        ),
    ],
)
def test_a_spec_in_json_is_not_told_of_yaml(
    turngrade: Command, write: Write, pattern: str, message: str, hint: str
) -> None:
    grader = {"type": "output-matches", "name": "a", "config": {"pattern": pattern}}
    write("spec.json", {"graders": [grader]})
    out = turngrade("lint", "spec.json").out
    assert message in out
    assert hint in out
    assert "YAML" not in out


def test_a_spec_from_a_pipe(turngrade: Command) -> None:
    os.mkfifo("pipe.yaml")
    writer = threading.Thread(target=lambda: Path("pipe.yaml").write_text(VALLY))
    writer.start()
    out = turngrade("lint", "pipe.yaml").out
    writer.join()
    assert "pipe.yaml:15:5: warning: scoring.weights.gredy: names no grader" in out
