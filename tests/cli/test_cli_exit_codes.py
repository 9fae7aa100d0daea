from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.support import BAD, GOOD, Command, said

Write = Callable[..., Path]


def spec_of(*graders: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"graders": list(graders), **more}


def matches(pattern: str, **more: Any) -> dict[str, Any]:
    return {"type": "transcript-matches", "config": {"pattern": pattern}, **more}


CASES: dict[str, tuple[Any, Any, int]] = {
    "all passed": (spec_of(matches("Order")), [GOOD], 0),
    "one of two failed": (spec_of(matches("Order")), [GOOD, BAD], 1),
    "a failed verdict under the threshold": (
        spec_of(matches("Order"), matches("nowhere"), scoring={"threshold": 0.5}),
        [GOOD],
        0,
    ),
    "an invalid pattern": (spec_of(matches("(")), [GOOD], 3),
    "an error and a failure": (spec_of(matches("("), matches("nowhere")), [GOOD], 3),
    "a message that cannot be read": (spec_of(matches("Order")), [GOOD, {"id": "x"}], 3),
    "no transcript": (spec_of(matches("Order")), [], 5),
    "no grader applies": (
        {"stimuli": [{"name": "other", "graders": [matches("Order")]}]},
        [GOOD],
        5,
    ),
    "an unknown key": (spec_of(matches("Order"), grader=[]), [GOOD], 4),
    "a strict spec with an invalid pattern": (spec_of(matches("("), strict=True), [GOOD], 4),
    "two graders of one name": (spec_of(matches("a", name="x"), matches("b", name="x")), [GOOD], 4),
}


@pytest.mark.parametrize(("spec", "chats", "code"), CASES.values(), ids=CASES.keys())
def test_grade(turngrade: Command, write: Write, spec: Any, chats: Any, code: int) -> None:
    write("spec.json", spec)
    write("chats.jsonl", chats)
    assert turngrade("grade", "spec.json", "chats.jsonl").code == code


@pytest.mark.parametrize(
    "args",
    [
        ["grade"],
        ["grade", "spec.yaml"],
        ["grade", "nowhere.yaml", "chats.jsonl"],
        ["grade", "spec.yaml", "chats.jsonl", "--unknown"],
        ["grade", "spec.yaml", "chats.jsonl", "--show", "some"],
        ["grade", "spec.yaml", "chats.jsonl", "-o"],
        ["grade", "spec.yaml", "chats.jsonl", "--stimulus", "nothing"],
        ["graed", "spec.yaml", "chats.jsonl"],
        ["--unknown"],
        ["schema", "what"],
    ],
    ids=" ".join,
)
@pytest.mark.usefixtures("spec", "chats")
def test_bad_usage_is_4_and_says_why_on_stderr(turngrade: Command, args: list[str]) -> None:
    result = turngrade(*args)
    assert (result.code, result.out) == (4, "")
    assert result.err


@pytest.mark.usefixtures("spec", "chats")
def test_a_machine_without_room_is_3_and_a_line(turngrade: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "nowhere/summary.md")
    result = turngrade("grade", "spec.yaml", "chats.jsonl", "-q")
    assert (result.code, result.out) == (3, "")
    assert result.err == "stopped: [Errno 2] No such file or directory: 'nowhere/summary.md'\n"


def test_a_mistyped_verb_is_answered_with_the_nearest(turngrade: Command) -> None:
    assert "No such command 'graed'. Did you mean 'grade'?" in turngrade("graed").err
    assert "The verbs are " in turngrade("xyz").err


def test_problems_of_a_spec_are_told_all_at_once_with_their_places(turngrade: Command, write: Write) -> None:
    write(
        "spec.yaml",
        "graders:\n- type: output-matches\n  config:\n    patern: x\n- type: output-match\nscorin: {}\n",
    )
    write("chats.jsonl", [GOOD])
    result = turngrade("grade", "spec.yaml", "chats.jsonl")
    assert result.code == 4
    for place in ("spec.yaml:4:5: error: graders[0].config", "spec.yaml:5", "spec.yaml:6:1: error: scorin"):
        assert place in result.err
    assert "pattern" in result.err


class TestStimulus:
    @pytest.fixture(autouse=True)
    def eval_file(self, write: Write) -> None:
        stimuli = [{"name": name, "graders": [matches(name)]} for name in ("alpha", "beta")]
        write("eval.json", {"stimuli": stimuli, "environment": {"x": 1}})
        chats = [
            said("alpha", "alpha"),
            said("2", "beta", metadata={"stimulus": "beta"}),
            said("3", "alpha beta"),
        ]
        write("chats.jsonl", chats)

    def test_graders_apply_to_the_transcripts_of_their_name(self, turngrade: Command) -> None:
        result = turngrade("grade", "eval.json", "chats.jsonl", "-o", "-")
        assert [(row["id"], row["passed"]) for row in result.rows] == [("alpha", True), ("2", True)]
        assert result.code == 0
        assert "2 transcripts: 2 passed, 0 failed; no grader applies to 1 other" in result.err

    def test_one_stimulus_for_every_transcript(self, turngrade: Command) -> None:
        result = turngrade("grade", "eval.json", "chats.jsonl", "-o", "-", "--stimulus", "beta")
        assert [(row["id"], row["passed"]) for row in result.rows] == [
            ("alpha", False),
            ("2", True),
            ("3", True),
        ]

    def test_an_unknown_stimulus_names_the_known(self, turngrade: Command) -> None:
        result = turngrade("grade", "eval.json", "chats.jsonl", "--stimulus", "gamma")
        assert result.code == 4
        assert "no stimulus 'gamma' in the spec; it has: 'alpha', 'beta'" in result.err
