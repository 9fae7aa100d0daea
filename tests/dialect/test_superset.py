"""What RE2 is asked: patterns that match at least where the dialect's do."""

from __future__ import annotations

from random import Random

import pytest
import re2
from hypothesis import assume, example, given, settings
from tests.benchmarks.patterns40 import PATTERNS
from tests.dialect.generators import PatternGenerator, TextGenerator, random_flags, structure
from tests.dialect.strategies import flags, patterns, structures, texts

from turngrade.core.dialect import Deadline, InvalidPattern, MatchError, compile_pattern, parse
from turngrade.core.dialect.cost import cost
from turngrade.core.dialect.superset import encoded, supersets
from turngrade.core.dialect.utf16 import split_astral

OPTIONS = re2.Options()
OPTIONS.log_errors = False


def rules_out(pattern: str, letters: str, text: str) -> bool:
    """Whether something that every match contains is missing in the text."""
    data = encoded(split_astral(text))
    return any(re2.search(told, data, OPTIONS) is None for told in supersets(parse(pattern, letters)))


def check(pattern: str, letters: str, text: str) -> bool:
    """A text that matches is not ruled out; returns whether it matches."""
    try:
        found = compile_pattern(pattern, letters).test(text, deadline=Deadline(0.1))
    except MatchError:
        return False
    assert not (found and rules_out(pattern, letters, text)), (pattern, letters, text)
    return found


@pytest.mark.parametrize(
    ("pattern", "letters", "text"),
    [
        ("needle", "", "hay"),
        ("needle", "i", "HAY"),
        (r"^\d+\.\s", "m", "a 1. b"),
        (r"^# ", "m", "a# b\n"),
        ("x$", "m", "xa\n"),
        ("x$", "", "x\n"),
        (r"\bfoo\b", "", "food"),
        (r"\Bfoo", "", "a foo"),
        ("😀", "", "\ud83d"),
        ("^.$", "", "😀"),
        ("😀", "u", "😁\ufffd"[1:]),
        ("[^a]b", "", "ab"),
        ("(?=.*both).*words", "s", "only words"),
        ("(?<=both).*words", "s", "only words"),
        ("a(?!b)", "", "b"),
        (r"(\d)\1", "", "1a"),
        ("é", "i", "e"),
        ("k", "i", "\u212a"),
        ("[]", "", "a"),
        ("a{101}", "", "a" * 99),
    ],
)
def test_a_text_that_lacks_something_is_ruled_out(pattern: str, letters: str, text: str) -> None:
    assert not compile_pattern(pattern, letters).test(text)
    assert rules_out(pattern, letters, text)


@pytest.mark.parametrize(
    ("pattern", "letters", "text"),
    [
        ("^b", "m", "a\u2028b"),
        ("^b", "m", "a\rb"),
        ("a$", "m", "a\u2029b"),
        ("x^b|^c", "m", "a\nc"),
        ("a\n^b$\nc", "m", "a\nb\nc"),
        ("(?=^b)b", "m", "a\nb"),
        ("(?<=a$)[^]", "m", "a\n"),
        ("^.{2}$", "", "😀"),
        ("^.$", "u", "😀"),
        (r"\ude00", "", "😀"),
        ("[^a]", "u", "\ud83d"),
        (r"\B.", "iu", "ſa"),
        (r"k\b", "iu", "\u212a"),
        ("k", "iu", "\u212a"),
        (r"(é)\1", "i", "éÉ"),
        (r"(?:(a)|b)\1c", "", "bc"),
        ("a{1001}", "", "a" * 1001),
        ("(?:a{30}){30}", "", "a" * 900),
        (r"\p{L}\p{Lu}", "u", "a𝒳"),
        ("b", "y", "b"),
    ],
)
def test_what_re2_cannot_say_is_left_out(pattern: str, letters: str, text: str) -> None:
    assert compile_pattern(pattern, letters).test(text)
    assert not rules_out(pattern, letters, text)


@pytest.mark.parametrize("pattern", ["", "a*", "^$", r"\b", "(?!a)", "(?=a*)", "a|"])
def test_nothing_is_told_of_what_may_match_nothing(pattern: str) -> None:
    assert supersets(parse(pattern)) == ()


@settings(max_examples=150, deadline=None)
@given(patterns, flags, texts)
@example("(?<=\\1(a))b", "", "ab")
def test_a_match_is_never_ruled_out(pattern: str, letters: str, text: str) -> None:
    try:
        tree = parse(pattern, letters)
    except InvalidPattern:
        assume(False)
    assume(cost(tree) < 1_000)
    check(pattern, letters, text)


@settings(max_examples=100, deadline=None)
@given(structures(), texts)
def test_nor_is_one_of_groups_and_references(pattern: str, text: str) -> None:
    assume(cost(parse(pattern)) < 1_000)
    check(pattern, "", text)


@pytest.mark.parametrize("seed", [1, pytest.param(range(2, 60), marks=pytest.mark.slow)])
def test_nor_is_one_of_the_whole_grammar(seed: int | range) -> None:
    matches = 0
    for one in seed if isinstance(seed, range) else (seed,):
        rng = Random(one)
        for _ in range(150):
            letters = random_flags(rng)
            pattern = (
                PatternGenerator(rng, letters, strict=True).pattern()
                if rng.random() < 0.7
                else structure(rng)
            )
            try:
                tree = parse(pattern, letters)
            except InvalidPattern:
                continue
            if cost(tree) < 1_000:
                texts = TextGenerator(rng, tree)
                matches += sum(check(pattern, letters, texts.text()) for _ in range(4))
    assert matches > 100


def test_re2_takes_what_is_told_of_real_patterns() -> None:
    told = [superset for _, pattern, letters in PATTERNS for superset in supersets(parse(pattern, letters))]
    assert len(told) > 35
    for superset in told:
        re2.compile(superset, OPTIONS)
