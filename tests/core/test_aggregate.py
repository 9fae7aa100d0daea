"""How verdicts add up."""

from __future__ import annotations

from typing import Any

import pytest

from turngrade.core import Transcript, Unreadable, load_spec

TRANSCRIPT = Transcript.from_texts(["a"])
PASS = {"name": "yes", "type": "transcript-matches", "config": {"pattern": "a"}}
FAIL = {"name": "no", "type": "output-matches", "config": {"pattern": "b"}}
ERROR = {"name": "broken", "type": "output-matches", "config": {"pattern": "("}}


@pytest.mark.parametrize(
    ("graders", "scoring", "score", "passed"),
    [
        ([PASS], {}, 1.0, True),
        ([PASS, FAIL], {}, 0.5, False),
        ([PASS, FAIL], {"threshold": 0.5}, 0.5, True),
        ([PASS, FAIL], {"threshold": 0.51}, 0.5, False),
        ([PASS, ERROR], {"threshold": 0.5}, 0.5, True),
        ([PASS, FAIL, ERROR], {}, 1 / 3, False),
        ([PASS, FAIL], {"weights": {"yes": 3, "no": 1}}, 0.75, False),
        ([PASS, FAIL], {"weights": {"yes": 1}}, 1.0, False),
        ([PASS, FAIL], {"weights": {"yes": 1}, "threshold": 1}, 1.0, True),
        ([PASS, FAIL, ERROR], {"weights": {"output-matches": 1, "yes": 2}}, 0.5, False),
        ([PASS, FAIL, ERROR], {"weights": {"output-matches": 1, "no": 0, "yes": 1}}, 0.5, False),
        ([PASS, FAIL], {"threshold": 0}, 0.5, True),
    ],
)
def test_aggregates(graders: list[Any], scoring: dict[str, Any], score: float, passed: bool) -> None:
    grade = load_spec({"graders": graders, "scoring": scoring}).grade(TRANSCRIPT)
    assert grade.score == pytest.approx(score)
    assert grade.passed is passed


def test_a_threshold_is_met_in_spite_of_rounding() -> None:
    scoring = {"weights": {"yes": 0.3, "no": 0.1}, "threshold": 0.75}  # 0.3 / 0.4 is a little less in floats
    grade = load_spec({"graders": [PASS, FAIL], "scoring": scoring}).grade(TRANSCRIPT)
    assert grade.score < 0.75
    assert grade.passed


def test_status_of_a_grade() -> None:
    assert load_spec([PASS]).grade(TRANSCRIPT).status == "pass"
    assert load_spec([FAIL]).grade(TRANSCRIPT).status == "fail"
    assert load_spec([PASS, ERROR]).grade(TRANSCRIPT).status == "error"


def test_what_cannot_be_read_becomes_an_error_row() -> None:
    grade = load_spec([PASS]).grade(Unreadable("log.eval", "not a zip archive", id="a", epoch=2))
    assert (grade.status, grade.passed, grade.score, grade.verdicts) == ("error", False, 0.0, ())
    assert grade.to_dict()["error"] == "not a zip archive"
    assert (grade.source, grade.id, grade.epoch) == ("log.eval", "a", 2)


def test_a_verdict_is_found_by_name() -> None:
    grade = load_spec([PASS, FAIL]).grade(TRANSCRIPT)
    assert grade["no"].status == "fail"
    with pytest.raises(KeyError):
        grade["other"]
