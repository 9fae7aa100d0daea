"""Doubled words, which are looked for before a pattern is searched for."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.dialect.engine import Engine

from turngrade.core.dialect import Subject, parse
from turngrade.core.dialect.doubled import doubled

PATTERNS = [
    (r"\b(\w+)\s+\1\b", ""),
    (r"\b(\w+)\s+\1\b", "i"),
    (r"\b(\w+)\s+\1\b", "iu"),
    (r"\b([a-z]+) \1\b", ""),
    (r"\b(?<w>\w{1,2})-\k<w>\b", ""),
    (r"\b(\w)[,\s]\1\b", "i"),
    (r"a?\b(\w+)\s+\1\b(?=.)", "s"),
    (r"\b([ab])\s{2,}\1\b", "m"),
]
TEXTS = st.text(st.sampled_from("aabA B_ ,-\n\t\x01\x0bs\u00e9\u2003\u017f\u212a\U0001f600k"), max_size=24)


def absent(pattern: str, flags: str, text: str) -> bool:
    return doubled(parse(pattern, flags)).absent(Subject(text))


@pytest.mark.parametrize(("pattern", "flags"), PATTERNS)
@given(text=TEXTS)
def test_what_is_absent_is_not_found(pattern: str, flags: str, text: str) -> None:
    """The engine judges, which is held against V8 elsewhere, without this look and all others."""
    if absent(pattern, flags, text):
        assert Engine(pattern, flags).spans(text) == []


@pytest.mark.parametrize(
    ("pattern", "flags", "without", "within"),
    [
        (r"\b(\w+)\s+\1\b", "", "this is a list, list and the other", "it is is"),
        (r"\b(\w+)\s+\1\b", "", "The the", "the the"),
        (r"\b(\w+)\s+\1\b", "i", "other the", "The the"),
        (r"\b(\w+)\s+\1\b", "", "no-no", "no \n no"),
        (r"\b(\w+)-\1\b", "", "no no", "a no-no"),
        (r"\b(\w+)\s+\1\b", "", "", "a a"),
        (r"\b(\w+)\s+\1\b", "", "na\u00efve na\u00efve", "so\u2003so"),
        (r"\b(\w+)\s+\1\b", "i", "\u00e9 The other the", "\u00e9 The the"),
    ],
)
def test_words_are_compared(pattern: str, flags: str, without: str, within: str) -> None:
    assert absent(pattern, flags, without)
    assert not absent(pattern, flags, within)


@pytest.mark.parametrize(
    ("pattern", "found_in"),
    [
        (r"(\w+)\s+\1\b", "this is"),
        (r"\b(\w+)\s+\1", "a an"),
        (r"\b(\w+)\s*\1\b", "aa"),
        (r"\b(\w*)\s+\1\b", "a "),
        (r"\b(\w+)\w+\1\b", "aba"),
        (r"\b([\w.]+)\s+\1\b", "a. a.b"),
        (r"\b(\w+)(?: and)? \1\b", "a and a"),
        (r"(?:\b(\w+)\s+\1\b)?", "a"),
        (r"\b(\w+)\s+\1\b|x", "x"),
        (r"(x)\b(\w+)\s+\1\b", "x"),
        (r"\B(\w+)\s+\1\B", "xa ab"),
        (r"\b(\w)+\s+\1\b", "ba a"),
    ],
)
def test_other_patterns_say_nothing(pattern: str, found_in: str) -> None:
    assert not absent(pattern, "", found_in)
    assert not absent(pattern, "", "")


def test_other_texts_say_nothing() -> None:
    pattern = r"\b(\w+)\s+\1\b"
    assert not absent(pattern, "iu", "na\u00efve")  # \u017f and \u212a are letters of words there
    assert not absent(pattern, "", "a " + "b" * 200_000)
    assert not absent(pattern, "", " ".join(f"w{n},w{n}" for n in range(100)))


def test_a_look_takes_no_time_whatever_the_text() -> None:
    found = doubled(parse(r"\b(\w+)\s+\1\b"))
    for text in ("a,a " * 25_000, "aa " * 33_000, " ".join(f"{n},{n}" for n in range(9_000)), " " * 100_000):
        subject = Subject(text)
        began = time.process_time()
        found.absent(subject)
        assert time.process_time() - began < 0.1
