"""``turngrade test``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.support import Command

Write = Callable[..., Path]


def grader(name: str, pattern: str, match: list[str], no_match: list[str], **config: Any) -> dict[str, Any]:
    examples = {"match": match, "no_match": no_match}
    return {
        "type": "output-matches",
        "name": name,
        "config": {"pattern": pattern, "examples": examples, **config},
    }


@pytest.fixture
def two(write: Write) -> None:
    write("good.json", {"graders": [grader("id", r"\d{3}", ["123", "a 999"], ["12"])]})
    wrong = grader("word", r"\bcat\b", ["cat", "concatenate"], ["dog", "a cat!"])
    write("wrong.json", {"graders": [wrong, {"type": "contains", "config": {"value": "x"}}]})


@pytest.mark.usefixtures("two")
class TestExamples:
    def test_all_that_pass(self, turngrade: Command) -> None:
        result = turngrade("test", "good.json")
        assert (result.code, result.out) == (0, "good.json ...\n")
        assert result.err.startswith("3 passed, 0 failed in ")

    def test_those_that_fail_are_shown_with_their_text(self, turngrade: Command) -> None:
        result = turngrade("test", "good.json", "wrong.json")
        assert result.code == 1
        assert result.out == (
            "good.json ...\n"
            "wrong.json .F.F\n"
            "\n"
            "wrong.json::word::match[1] FAILED\n"
            "    must match, and does not\n"
            "    text: concatenate\n"
            "\n"
            "wrong.json::word::no_match[1] FAILED\n"
            "    must not match, and does\n"
            "    text: a »cat«!\n"
        )
        assert "5 passed, 2 failed in " in result.err
        assert "; 1 grader without examples" in result.err

    def test_verbose_has_a_line_for_each(self, turngrade: Command) -> None:
        assert turngrade("test", "good.json", "-v").out.splitlines() == [
            "good.json::id::match[0] PASSED",
            "good.json::id::match[1] PASSED",
            "good.json::id::no_match[0] PASSED",
        ]

    def test_k_chooses(self, turngrade: Command) -> None:
        assert turngrade("test", "good.json", "wrong.json", "-k", "WORD::match[0]").out == "wrong.json .\n"
        assert turngrade("test", "good.json", "wrong.json", "-k", "good").out == "good.json ...\n"
        assert turngrade("test", "good.json", "-k", "nothing").code == 5


def test_negate_and_unless(turngrade: Command, write: Write) -> None:
    negated = {"type": "transcript-not-matches", "config": grader("", "a", ["a"], ["b"])["config"]}
    guarded = grader("guarded", "cat", ["a cat"], ["no cat", "dog"], unless="no cat")
    write("spec.json", {"graders": [negated, guarded]})
    assert turngrade("test", "spec.json").code == 0


def test_a_pattern_at_fault_is_an_error(turngrade: Command, write: Write) -> None:
    write("spec.json", {"graders": [grader("bad", "(a", ["a"], []), grader("ok", "a", ["b"], [])]})
    result = turngrade("test", "spec.json")
    assert result.code == 3
    assert "spec.json EF" in result.out
    assert "Invalid regex pattern: (a. Error: " in result.out
    assert "^" in result.out


def test_the_real_limits_hold(turngrade: Command, write: Write) -> None:
    slow = grader("slow", r"(.+)(.+)(.+)\3\2\1$", ["".join(map(str, range(2000))) + "ab"], [])
    write("spec.json", {"graders": [slow], "limits": {"timeout": 0.3, "max_text_length": 9000}})
    result = turngrade("test", "spec.json")
    assert result.code == 3
    assert "Timed out after 0.3 s" in result.out
    write(
        "long.json", {"graders": [grader("long", "a", ["a" * 6001], [])], "limits": {"max_text_length": 6000}}
    )
    assert "Message too long: 6001 of 6000 characters" in turngrade("test", "long.json").out


def test_a_spec_that_does_not_load_is_bad_usage(turngrade: Command, write: Write) -> None:
    write("spec.json", {"graders": [{"type": "nothing"}]})
    assert turngrade("test", "spec.json").code == 4


def test_hostile_text_is_shown_safely(turngrade: Command, write: Write) -> None:
    write("spec.json", {"graders": [grader("g\x1b", "x", ["\x1b[2J" + "a" * 1000], [])]})
    out = turngrade("test", "spec.json", "-v").out
    assert "\x1b" not in out
    assert "text: \\x1b[2Jaaa" in out
    assert "a…\n" in out


def test_a_pattern_at_fault_is_told_without_examples_too(turngrade: Command, write: Write) -> None:
    good = grader("id", r"\d{3}", ["123"], [])
    write("spec.json", {"graders": [good, {"type": "output-matches", "config": {"pattern": "(?P<a>b)"}}]})
    result = turngrade("test", "spec.json")
    assert (result.code, result.out) == (3, "spec.json .\n")
    assert "invalid pattern: graders[1].config.pattern: Invalid regular expression" in result.err
