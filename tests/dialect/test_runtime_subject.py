"""Texts prepared for matching: units, code points, and the way back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turngrade.core.dialect import Subject, utf16_length

CHARACTERS = st.sampled_from("aé€\ud83d\ude00😀𝒳\U0010ffff\udc00\ud800\n")
TEXTS = st.text(CHARACTERS, max_size=12)


def utf16(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")


@given(TEXTS)
def test_units_are_those_of_utf16(text: str) -> None:
    units = Subject(text).units
    assert utf16(units) == utf16(text)
    assert all(ord(unit) <= 0xFFFF for unit in units)
    assert utf16_length(text) == len(units)


@given(TEXTS)
def test_code_points_are_those_that_javascript_sees(text: str) -> None:
    assert Subject(text).code_points == utf16(text).decode("utf-16-le", "surrogatepass")


@given(TEXTS, st.data())
def test_a_span_of_units_is_the_least_span_of_whole_characters_around_it(
    text: str, data: st.DataObject
) -> None:
    subject = Subject(text)
    starts = [utf16_length(text[:at]) for at in range(len(text) + 1)]
    begin = data.draw(st.integers(0, starts[-1]))
    end = data.draw(st.integers(begin, starts[-1]))
    first, last = subject.span(begin, end, unicode=False)
    assert first == max(at for at, unit in enumerate(starts) if unit <= begin)
    assert last == min(at for at, unit in enumerate(starts) if unit >= end)


@given(TEXTS, st.data())
def test_a_span_of_code_points_covers_the_same_units(text: str, data: st.DataObject) -> None:
    subject = Subject(text)
    begin = data.draw(st.integers(0, len(subject.code_points)))
    end = data.draw(st.integers(begin, len(subject.code_points)))
    first, last = subject.span(begin, end, unicode=True)
    assert utf16(text[first:last]) == utf16(subject.code_points[begin:end])
    assert utf16_length(text[:first]) == utf16_length(subject.code_points[:begin])


@pytest.mark.parametrize(
    ("span", "expected"),
    [
        ((0, 1), (0, 1)),
        ((1, 2), (1, 2)),
        ((2, 3), (1, 2)),
        ((1, 3), (1, 2)),
        ((2, 2), (1, 2)),
        ((3, 3), (2, 2)),
    ],
)
def test_half_an_emoji_is_reported_as_the_emoji(span: tuple[int, int], expected: tuple[int, int]) -> None:
    assert Subject("a😀b").span(*span, unicode=False) == expected


def test_a_text_without_astral_characters_is_not_copied() -> None:
    text = "plain €"
    subject = Subject(text)
    assert subject.units is text
    assert subject.code_points is text


def test_half_a_million_emoji_are_split_in_time_and_space() -> None:
    subject = Subject("😀" * 500_000)
    assert len(subject.units) == 1_000_000
    assert subject.span(999_999, 1_000_000, unicode=False) == (499_999, 500_000)
