"""Runs of sets that are looked for before a pattern is searched for."""

from __future__ import annotations

import time
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.dialect.engine import Engine
from tests.dialect.generators import PatternGenerator, TextGenerator
from tests.dialect.strategies import flags, patterns

from turngrade.core.dialect import InvalidPattern, Subject, parse
from turngrade.core.dialect.cost import cost
from turngrade.core.dialect.excerpt import excerpt


def test_repeats_of_repeats_cost_no_time() -> None:
    """Each takes its body up to 64 times, and twice: unbounded, these take seconds and gigabytes."""
    for pattern in (r"(?:\w{200}\W{200}){90}!", "(?:" * 12 + r"\d" + "x)+" * 12, r"(?:(?:\d{9}x){9}){9}" * 6):
        began = time.process_time()
        assert len(excerpt(parse(pattern)).run) <= 64
        assert time.process_time() - began < 0.3


def absent(pattern: str, letters: str, text: str) -> bool:
    return excerpt(parse(pattern, letters)).absent(Subject(text))


@pytest.mark.parametrize(
    ("pattern", "letters", "without", "within"),
    [
        (r"\d{3}-\d{4}", "", "123-456 7890", "x123-4567"),
        (r"\b[0-9a-f]{40}\b", "", "0f" * 19 + "0g", "0f" * 20),
        (r"[\w.]+@[\w.]+", "", "@ home", "a@b"),
        (r"(?:a|bc)\d{1,2}, \d{4}", "", "a1, 234", "1, 2345"),
        (r"v\d+\.(?=x)\d+$", "", "v1. 2", "v1.2"),
        (r"^\d+\.\s", "m", "1.a", "1.\t"),
        (r"[$€]\d", "", "$a", "$1"),
        (r"(?:\d{2}){2}[.]", "", "123.", "1234."),
    ],
)
def test_the_run_is_looked_for(pattern: str, letters: str, without: str, within: str) -> None:
    assert absent(pattern, letters, without)
    assert absent(pattern, letters, "")
    assert not absent(pattern, letters, within)


def test_what_is_beyond_ascii_cannot_be_in_a_text_without_it() -> None:
    assert absent(r"é\d", "", "e1")
    assert not absent(r"[$€]\d", "", "€1")


@pytest.mark.parametrize(
    "pattern", ["", ".*", r"\w+", "a|1", r"(\d{9}-)?", r"(\d)\1", "(?!\\d{9}-)a", "word"]
)
def test_other_patterns_say_nothing(pattern: str) -> None:
    assert not absent(pattern, "", "")


def test_large_texts_are_not_looked_at() -> None:
    assert not absent(r"\d{3}-\d{4}", "", "x" * 1_000_001)


@pytest.mark.parametrize("repeats", ["{2000}", "{2000,}", "{1,2000}"])
def test_counts_cost_nothing(repeats: str) -> None:
    assert absent(rf"-\d{repeats}", "", "- 1")
    assert not absent(rf"-\d{repeats}", "", "-" + "1" * 2_000)


@settings(max_examples=150, deadline=None)
@given(patterns, flags, st.text(st.sampled_from("abkKsS1_ -\n"), max_size=10))
def test_a_match_is_never_ruled_out(pattern: str, letters: str, text: str) -> None:
    try:
        tree = parse(pattern, letters)
    except InvalidPattern:
        assume(False)
    assume(cost(tree) < 1_000)
    if excerpt(tree).absent(Subject(text)):
        assert not Engine(pattern, letters).spans(text)


@pytest.mark.parametrize("count", [200, pytest.param(40_000, marks=pytest.mark.slow)])
def test_nor_is_one_of_the_whole_grammar(count: int) -> None:
    rng = Random(3)
    ruled_out = 0
    for _ in range(count):
        letters = rng.choice(["", "i", "m", "u", "v", "iu"])
        pattern = PatternGenerator(rng, letters, strict=True).pattern()
        try:
            engine = Engine(pattern, letters)
        except InvalidPattern:
            continue
        looked_for = excerpt(engine.tree)
        for _ in range(6):
            text = TextGenerator(rng, engine.tree).text().encode("ascii", "replace").decode()
            if looked_for.absent(Subject(text)):
                ruled_out += 1
                assert not engine.spans(text, timeout=1), (pattern, letters, text)
    assert ruled_out > count // 10
