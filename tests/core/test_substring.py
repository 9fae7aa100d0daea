"""Substrings as JavaScript's ``includes`` finds them, half characters among them."""

from __future__ import annotations

import pytest

from turngrade.core.dialect import Subject
from turngrade.core.substring import Substring


@pytest.mark.parametrize("needle", ["😀", "\ud83d" + "\ude00", "\ud83d", "\ude00 B"])
@pytest.mark.parametrize("text", ["a 😀 b", "a \ud83d" + "\ude00 b"])
def test_halves_are_found_and_widened_to_the_character(needle: str, text: str) -> None:
    found = Substring(needle).search(Subject(text))
    assert found is not None
    assert found.text == text[found.start : found.end]
    assert found.start == 2
    assert ("b" in found.text) is ("B" in needle)


def test_occurrences_do_not_overlap() -> None:
    spans = [(match.start, match.end) for match in Substring("aa").find_all(Subject("aaaaa İAA"))]
    assert spans == [(0, 2), (2, 4), (7, 9)]


def test_case_may_differ_or_not() -> None:
    assert Substring("STRASSE").search(Subject("strasse")) is not None
    assert Substring("strasse").search(Subject("straße")) is None
    assert Substring("A", case_sensitive=True).search(Subject("a")) is None
