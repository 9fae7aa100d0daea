"""Vally eval files."""

from __future__ import annotations

from typing import Any

import pytest

from turngrade.core import InvalidSpec, Transcript, load_spec

CONTAINS: dict[str, Any] = {"type": "output-contains", "config": {"substring": "a"}}
EVAL: dict[str, Any] = {
    "name": "eval",
    "type": "capability",
    "environment": {"commands": ["ls"]},
    "scoring": {"weights": {"output-contains": 1.0}, "timeout": "5m"},
    "graders": [CONTAINS, {"type": "completed"}],
    "stimuli": [
        {
            "name": "first",
            "prompt": "say a",
            "graders": [
                {"type": "file-matches", "name": "f", "config": {"path": "*", "pattern": "x"}},
                {"type": "output-matches", "config": {"pattern": "b"}, "turn": 0},
                CONTAINS,
            ],
        },
        {"name": "second", "prompt": "say b", "rubric": ["nice"]},
    ],
}


def names(spec: Any, **transcript: Any) -> list[str]:
    grade = spec.grade(Transcript((), "a", **transcript))
    return [verdict.name for verdict in grade.verdicts]


def test_graders_apply_by_id_or_metadata() -> None:
    spec = load_spec(EVAL)
    assert spec.grader_names == ("output-contains", "output-contains-2")
    assert names(spec, id="first") == ["output-contains", "output-contains-2"]
    assert names(spec, id="x", metadata={"stimulus": "first"}) == ["output-contains", "output-contains-2"]
    assert names(spec, id="second") == ["output-contains"]
    assert names(spec, id="other") == ["output-contains"]
    assert names(spec, metadata={"stimulus": ["first"]}) == ["output-contains"]


def test_one_stimulus_can_be_applied_to_all() -> None:
    spec = load_spec(EVAL).with_stimulus("first")
    assert names(spec, id="other") == ["output-contains", "output-contains-2"]
    assert spec.digest != load_spec(EVAL).digest
    with pytest.raises(KeyError, match="'first', 'second'"):
        spec.with_stimulus("third")


def test_what_is_skipped_is_told() -> None:
    assert tuple(map(str, load_spec(EVAL).warnings)) == (
        "graders[1]: skipped, turngrade has no grader of type 'completed'",
        "stimuli[0].graders[0]: skipped, turngrade has no grader of type 'file-matches' (grader 'f')",
        "stimuli[0].graders[1]: skipped, turngrade grades whole transcripts, not turn 0 of a output-matches",
    )


def test_faults_keep_their_paths() -> None:
    bad = {
        "stimuli": [
            {"name": "s", "graders": [{"type": "completed"}, {"type": "contains", "config": {"v": 1}}]}
        ]
    }
    with pytest.raises(InvalidSpec) as caught:
        load_spec(bad)
    assert {problem.path for problem in caught.value.problems} == {
        "stimuli[0].graders[1].config.v",
        "stimuli[0].graders[1].config.value",
    }


@pytest.mark.parametrize(
    ("bad", "path"),
    [
        ({"stimuli": 5}, "stimuli"),
        ({"stimuli": [5]}, "stimuli[0]"),
        ({"stimuli": [{"name": "s", "graders": 5}]}, "stimuli[0].graders"),
        ({"stimuli": [{"prompt": "x"}]}, "stimuli[0].name"),
        ({"stimuli": [{"name": "s"}, {"name": "s"}]}, "stimuli[1].name"),
        ({"stimuli": [], "graders": {"a": 1}}, "graders"),
    ],
)
def test_malformed_evals(bad: Any, path: str) -> None:
    with pytest.raises(InvalidSpec) as caught:
        load_spec(bad)
    assert [problem.path for problem in caught.value.problems] == [path]


def test_a_file_without_usable_graders_is_told() -> None:
    [warning] = load_spec({"stimuli": []}).warnings
    assert str(warning) == "the file has no grader that turngrade can apply"


def test_a_transcript_without_graders_does_not_pass() -> None:
    spec = load_spec({"stimuli": [{"name": "s", "graders": [CONTAINS]}]})
    grade = spec.grade(Transcript((), "a", id="other"))
    assert (grade.passed, grade.verdicts) == (False, ())
    assert spec.grade(Transcript((), "a", id="s")).passed


def test_a_stimulus_whose_graders_weigh_nothing_is_named() -> None:
    stimuli = [{"name": "a", "graders": [CONTAINS]}, {"name": "b", "graders": [{"type": "completed"}]}]
    top = [{"type": "output-matches", "config": {"pattern": "a"}}]
    weights = {CONTAINS["type"]: 1.0}
    with pytest.raises(InvalidSpec, match="apply to the stimulus 'b' sum to zero"):
        load_spec({"graders": top, "stimuli": stimuli, "scoring": {"weights": weights}})
