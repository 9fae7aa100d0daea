"""The table of specs and conversations would notice a fault: its graders pass here and fail there."""

from __future__ import annotations

from collections import defaultdict

from tests.parity.comparing import expected_grades
from tests.parity.specs import INVALID, SPECS

from turngrade.core.configs import GRADER_TYPES
from turngrade.core.verdict import REASONS

ALWAYS_ERRORS = {*INVALID, "wrong-flag", "prefix"}


def statuses() -> dict[str, set[str]]:
    """The statuses that each grader of the large spec has among the conversations."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for grade in expected_grades("every grader").values():
        for name, verdict in grade["verdicts"].items():
            found[name].add(verdict["status"])
    return dict(found)


def test_every_grader_passes_somewhere_and_fails_somewhere() -> None:
    dull = {
        name: found
        for name, found in statuses().items()
        if found != {"pass", "fail"} and name.split(": ")[1] not in ALWAYS_ERRORS
    }
    assert dull == {}


def test_only_invalid_graders_are_errors() -> None:
    errors = {name for name, found in statuses().items() if found == {"error"}}
    assert {name.split(": ")[1] for name in errors} == ALWAYS_ERRORS


def test_every_grader_type_is_in_the_table() -> None:
    assert {grader["type"] for grader in SPECS["every grader"]["graders"]} == set(GRADER_TYPES)


def test_every_reason_of_a_graded_text_is_in_the_table() -> None:
    found = {
        verdict["reason"]
        for name in SPECS
        for grade in expected_grades(name).values()
        for verdict in grade["verdicts"].values()
    }
    rare = {"timeout", "memory", "pattern_too_large", "incomplete", "no_text"}
    assert found - {None} == set(REASONS) - rare
