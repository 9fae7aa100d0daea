"""Doubled words, which are looked for before a pattern is searched for."""

from __future__ import annotations

import time

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from turngrade.core.dialect import Subject, compile_pattern, parse
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
TEXTS = st.text(st.sampled_from("aabA B_ ,-\n\t\x01\x0bs"), max_size=24)


def absent(pattern: str, flags: str, text: str) -> bool:
    return doubled(parse(pattern, flags)).absent(Subject(text))


@pytest.mark.parametrize(("pattern", "flags"), PATTERNS)
@given(text=TEXTS)
def test_what_is_absent_is_not_found(pattern: str, flags: str, text: str) -> None:
    """``regex`` judges: on texts like these it takes the patterns as JavaScript does."""
    judge = regex.compile(
        pattern.replace("(?<", "(?P<").replace(r"\k<w>", "(?P=w)"),
        regex.ASCII | sum({"i": regex.I, "s": regex.S, "m": regex.M}.get(flag, 0) for flag in flags),
    )
    found = judge.search(text) is not None
    assert not (found and absent(pattern, flags, text))
    assert compile_pattern(pattern, flags).test(text) is found


@pytest.mark.parametrize(
    ("pattern", "flags", "without", "within"),
    [
        (r"\b(\w+)\s+\1\b", "", "this is a list, list and the other", "it is is"),
        (r"\b(\w+)\s+\1\b", "", "The the", "the the"),
        (r"\b(\w+)\s+\1\b", "i", "other the", "The the"),
        (r"\b(\w+)\s+\1\b", "", "no-no", "no \n no"),
        (r"\b(\w+)-\1\b", "", "no no", "a no-no"),
        (r"\b(\w+)\s+\1\b", "", "", "a a"),
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
    assert not absent(pattern, "", "na\u00efve")  # beyond ASCII
    assert not absent(pattern, "", "a " + "b" * 200_000)
    assert not absent(pattern, "", " ".join(f"w{n},w{n}" for n in range(100)))


def test_a_look_takes_no_time_whatever_the_text() -> None:
    found = doubled(parse(r"\b(\w+)\s+\1\b"))
    for text in ("a,a " * 25_000, "aa " * 33_000, " ".join(f"{n},{n}" for n in range(9_000)), " " * 100_000):
        subject = Subject(text)
        began = time.process_time()
        found.absent(subject)
        assert time.process_time() - began < 0.1
