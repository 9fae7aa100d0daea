"""All places where a grader hits a text."""

from __future__ import annotations

from typing import Any

import pytest

from turngrade.core import Grader, load_spec, occurrences


def grader(type: str, **config: Any) -> Grader:
    return load_spec({"graders": [{"type": type, "config": config}], "limits": {"timeout": 0.2}}).graders[0]


@pytest.mark.parametrize(
    ("one", "text", "places"),
    [
        (grader("output-matches", pattern="a+"), "aa b a", [(0, 2), (5, 6)]),
        (grader("output-not-matches", pattern="a+"), "aa b a", [(0, 2), (5, 6)]),
        (grader("output-matches", pattern="a", unless="ab"), "ab a", [(3, 4)]),
        (grader("contains", value=["b", "A"]), "aba", [(0, 1), (1, 2), (2, 3)]),
        (grader("output-contains", substring="aba"), "ababa", [(0, 3)]),
        (grader("output-matches", pattern="("), "(", []),
        (grader("output-matches", pattern="a"), "", []),
    ],
)
def test_every_place_comes_in_order(one: Grader, text: str, places: list[tuple[int, int]]) -> None:
    found = occurrences(one, text)
    assert [(match.start, match.end) for match in found.matches] == places
    assert found.complete


def test_a_search_that_does_not_end_keeps_what_it_found() -> None:
    slow = grader("output-matches", pattern=r"now |(?<=now )(?:(.+)\1)+x$")  # no engine here can answer
    found = occurrences(slow, "now " + "a" * 200 + "bx")
    assert [match.text for match in found.matches] == ["now "]
    assert not found.complete
