"""What a pattern finds in a text, as JavaScript's ``matchAll`` and ``exec`` find it."""

from __future__ import annotations

import json
import pickle
from collections.abc import Sequence
from pathlib import Path

import pytest

from turngrade.core.dialect import Match, Pattern, Subject, compile_pattern

MATCH_ALL = Path(__file__).parents[1] / "data" / "dialect" / "match_all.jsonl"


def expected_match(
    text: str, spans: Sequence[tuple[int, int] | None]
) -> tuple[int, int, tuple[str | None, ...]]:
    """V8's match in code points, halves of characters widened."""
    subject = Subject(text)
    mapped = [None if span is None else subject.span(*span, unicode=False) for span in spans]
    assert mapped[0] is not None
    return *mapped[0], tuple(None if span is None else text[slice(*span)] for span in mapped[1:])


def test_find_all_is_match_all() -> None:
    rows = [json.loads(line) for line in MATCH_ALL.read_text(encoding="utf-8").split("\n") if line]
    assert len(rows) > 300
    for row in rows:
        pattern, text = compile_pattern(row["pattern"], row["flags"]), row["text"]
        ours = [(match.start, match.end, match.groups) for match in pattern.find_all(text)]
        assert ours == [expected_match(text, spans) for spans in row["found"]], row


def test_the_first_match_with_its_groups_and_names() -> None:
    match = compile_pattern(r"(?<year>\d{4})-(?<month>\d\d)(x)?").search("😀 on 2024-05")
    assert match == Match(5, 12, "2024-05", ("2024", "05", None), {"year": "2024", "month": "05"})


def test_of_several_groups_with_one_name_the_one_that_took_part_counts() -> None:
    pattern = compile_pattern(r"(?:(?<n>a)|(?<n>b))c")
    found = [match.names for match in pattern.find_all("ac bc")]
    assert found == [{"n": "a"}, {"n": "b"}]


def test_groups_that_hold_half_a_character_are_widened() -> None:
    match = compile_pattern(r"^(.)(.)").search("😀!")
    assert match == Match(0, 1, "😀", ("😀", "😀"), {})


@pytest.mark.parametrize(
    ("pattern", "flags", "spans"),
    [
        ("(?:)", "", [(0, 0), (1, 1), (1, 2), (2, 2)]),
        ("(?:)", "u", [(0, 0), (1, 1), (2, 2)]),
        (".*", "", [(0, 2), (2, 2)]),
        (".*", "s", [(0, 2), (2, 2)]),
        ("a|$", "", [(0, 1), (2, 2)]),
        ("a", "y", [(0, 1)]),
        ("[^]", "y", [(0, 1), (1, 2), (1, 2)]),
    ],
)
def test_all_matches(pattern: str, flags: str, spans: list[tuple[int, int]]) -> None:
    assert [(m.start, m.end) for m in compile_pattern(pattern, flags).find_all("a😀")] == spans


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        (r"(?:(?:a|b)+)+\d|x", "ab" * 40_000 + "x ab1 x", ["x", "ab1", "x"]),
        (r"(?:\w+\s?)+!|\?", "so it goes " * 5_000 + "? no!", ["?", "no!"]),
    ],
)
def test_all_matches_where_the_linear_engine_has_to_help(
    pattern: str, text: str, expected: list[str]
) -> None:
    found = [match.text for match in compile_pattern(pattern).find_all(text)]
    assert found[-len(expected) + 1 :] == expected[1:]
    assert found[0].endswith(expected[0])


def test_groups_of_a_long_match_are_told_by_the_linear_engine() -> None:
    text = "ab" * 200_000 + "c"
    match = compile_pattern(r"^((a)|(b)|(c))*$").search(text)
    assert match is not None
    assert (match.start, match.end, match.groups) == (0, len(text), ("c", None, None, "c"))


@pytest.mark.parametrize("text", ["İstanbul", "ſtreet", "Kelvin", "straße", "ΣΊΣΥΦΟΣ", "σίσυφος", "ISTANBUL"])
@pytest.mark.parametrize("flags", ["i", "iu", ""])
@pytest.mark.parametrize("pattern", ["istanbul", "street", "kelvin", "strasse", "σίσυφοσ", "σίσυφος", "ΣΊΣ"])
def test_looking_for_literals_first_changes_nothing(pattern: str, flags: str, text: str) -> None:
    """``(?:a|)`` makes every literal optional to the eye, so that there is nothing to look for first."""
    hidden = "".join(f"(?:{letter}|[])" for letter in pattern)
    assert compile_pattern(pattern, flags).test(text) == compile_pattern(f"(?:{hidden}|[])", flags).test(text)


def test_a_subject_serves_many_patterns() -> None:
    subject = Subject("Ünïcode 😀 text")
    assert compile_pattern("ÜNÏ", "i").test(subject)
    assert compile_pattern("^.{11}$", "su").test(subject) is False
    assert compile_pattern("😀", "u").search(subject) == compile_pattern("😀").search(subject)


def test_matches_and_patterns_can_be_pickled() -> None:
    pattern = compile_pattern(r"(?<n>a)", "i")
    copy = pickle.loads(pickle.dumps(pattern))
    assert isinstance(copy, Pattern)
    assert (copy.source, copy.flags) == (r"(?<n>a)", "i")
    match = copy.search("xA")
    assert pickle.loads(pickle.dumps(match)) == match == Match(1, 2, "A", ("A",), {"n": "A"})
