from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.support import GOOD, Command, said

from turngrade.adapters.cli.errors import MOST, Errors
from turngrade.core import Grade, Verdict

Write = Callable[..., Path]


@pytest.mark.usefixtures("spec", "chats")
class TestQuiet:
    def test_says_nothing_of_what_passes_or_fails(self, turngrade: Command) -> None:
        result = turngrade("grade", "spec.yaml", "chats.jsonl", "-q")
        assert (result.code, result.out, result.err) == (1, "", "")

    def test_tells_of_each_source_and_transcript_that_cannot_be_read(
        self, turngrade: Command, write: Write
    ) -> None:
        write("odd.jsonl", [GOOD, {"id": "odd", "messages": 7}])
        result = turngrade("grade", "spec.yaml", "gone.eval", "odd.jsonl", "-q")
        assert (result.code, result.out) == (3, "")
        assert result.err.splitlines() == [
            "gone.eval: no such file or folder",
            "odd.jsonl: odd: line 2: messages: expected a list of messages, not a number",
        ]

    def test_tells_of_a_verdict_that_is_an_error(self, turngrade: Command, write: Write) -> None:
        grader = {"type": "output-matches", "name": "a", "config": {"pattern": "x"}}
        write("small.json", {"limits": {"max_text_length": 10}, "graders": [grader]})
        write("long.jsonl", [said("long", "y" * 11), said("short", "x")])
        result = turngrade("grade", "small.json", "long.jsonl", "-q")
        assert (result.code, result.out) == (3, "")
        assert result.err.startswith("long.jsonl: long: a: ")
        assert len(result.err.splitlines()) == 1

    def test_tells_of_an_invalid_pattern_once(self, turngrade: Command, write: Write) -> None:
        write("bad.yaml", "graders:\n- {type: output-matches, name: a, config: {pattern: '('}}\n")
        result = turngrade("grade", "bad.yaml", "chats.jsonl", "-q")
        assert (result.code, result.out) == (3, "")
        assert result.err.count("bad.yaml") == 1
        assert "chats.jsonl" not in result.err


def test_of_many_errors_the_number_is_told() -> None:
    errors = Errors()
    for number in range(MOST + 2):
        errors.add(Grade("x\x1b.jsonl", f"{number}", 2, False, 0.0, (), error="cut"))
    lines = list(errors.lines())
    assert lines[0] == "x\\x1b.jsonl: 0 (epoch 2): cut"
    assert lines[MOST:] == ["… and 2 more errors"]


def test_what_passes_or_fails_is_no_error() -> None:
    errors = Errors()
    verdict = Verdict("a", "contains", "fail", "'x' not found in output")
    errors.add(Grade("x", "1", None, False, 0.0, (verdict,)))
    assert list(errors.lines()) == []
