"""What is said of a SPEC argument that is no spec."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.support import GOOD, SPEC, Command

from turngrade.adapters.cli.extras import missing

Write = Callable[..., Path]


@pytest.mark.parametrize("verb", ["grade", "explain", "lint"])
def test_a_source_in_the_place_of_the_spec_is_recognized(turngrade: Command, write: Write, verb: str) -> None:
    write("spec.yaml", SPEC)
    write("chats.jsonl", [GOOD, GOOD])
    result = turngrade(verb, "chats.jsonl", *([] if verb == "lint" else ["spec.yaml"]))
    assert result.code == 4
    assert "hint: it looks like transcripts; the spec comes first" in result.out + result.err


def test_a_misspelt_name_is_answered_with_the_nearest_file(turngrade: Command, write: Write) -> None:
    write("evals/spec.yaml", SPEC)
    write("chats.jsonl", [GOOD])
    assert "hint: did you mean evals/spec.yaml?" in turngrade("grade", "evals/spec.yml", "chats.jsonl").err
    assert "hint: did you mean evals/spec.yaml?" in turngrade("lint", "evals/spec.yml").out
    assert "hint" not in turngrade("grade", "nowhere/spec.yml", "chats.jsonl").err


def test_a_faulty_spec_is_no_source(turngrade: Command, write: Write) -> None:
    write("spec.json", {"graders": [{"type": "contain", "config": {"value": "a"}}]})
    write("chats.jsonl", [GOOD])
    assert "hint" not in turngrade("grade", "spec.json", "chats.jsonl").err


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ImportError("No module named 'pyarrow'", name="pyarrow"), "pip install 'turngrade[parquet]'"),
        (ImportError("No module named 'x.y'", name="x.y"), "pip install 'turngrade[all]'"),
        (ImportError("it needs pyarrow: pip install 'turngrade[parquet]'"), "turngrade[parquet]'"),
    ],
)
def test_what_is_missing_is_told_once(error: ImportError, told: str) -> None:
    assert missing(error).endswith(told)
    assert missing(error).count("pip install") == 1
