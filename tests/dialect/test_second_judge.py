"""Corvus, an ECMAScript engine of another make, as a judge that needs no Node."""

from __future__ import annotations

import pytest
from corvus_regex_ecma262 import Regex
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from tests.dialect.engine import Engine
from tests.dialect.strategies import flags, patterns, structures, texts

from turngrade.core.dialect import InvalidPattern, parse
from turngrade.core.dialect.cost import cost
from turngrade.core.dialect.halves import matches_between_halves

Span = tuple[int, int] | None


def corvus_says(pattern: str, letters: str, text: str) -> tuple[Span, ...] | None:
    """The spans of the first match and of its groups, in UTF-16 units; None if there is none."""
    judge = Regex(pattern, letters, timeout=1.0)
    found = judge.search(text)
    if found is None:
        return None
    spans = (found.span(group) for group in range(judge.groups + 1))
    return tuple(None if span[0] < 0 else Engine.units(text, span) for span in spans)


def check(pattern: str, letters: str, text: str) -> None:
    """The two agree about the first match and its groups."""
    assume(cost(parse(pattern, letters)) < 1_000)
    engine = Engine(pattern, letters)
    assume(not (engine.tree.unicode and matches_between_halves(engine.tree.root)))
    try:
        matches, spans = engine.matches(text, timeout=0.1), engine.spans(text, timeout=0.1)
    except (TimeoutError, MemoryError):
        assume(False)
    expected = corvus_says(pattern, letters, text)
    assert matches == ([] if expected is None else [expected])
    assert spans == [match[0] for match in matches]


@settings(max_examples=120, deadline=None)
@given(patterns, flags, texts)
@example("(?:|a)*", "", "aa")
@example("(_.?)*\\1", "s", "___x_")
def test_patterns_of_all_kinds(pattern: str, letters: str, text: str) -> None:
    assume(Regex.is_valid(pattern, letters))
    assume(letters in ("u", "iu", "v", "iv") or text.isascii() or "😀" not in text)
    check(pattern, letters, text)


@settings(max_examples=120, deadline=None)
@given(structures(), st.text("ab", max_size=9))
def test_groups_references_and_loops(pattern: str, text: str) -> None:
    check(pattern, "", text)


@settings(max_examples=120, deadline=None)
@given(st.text(st.sampled_from("ab(?:)[]{}<>=!|*+?^$\\-1,kniPud&"), max_size=12), flags)
def test_what_is_valid(pattern: str, letters: str) -> None:
    try:
        parse(pattern, letters)
    except InvalidPattern:
        assert not Regex.is_valid(pattern, letters)
    else:
        assert Regex.is_valid(pattern, letters)


@pytest.mark.parametrize("letters", ["i", "iu", "iv"])
def test_every_letter_ignores_case_as_the_judge_does(letters: str) -> None:
    text = "".join(chr(code) for code in range(0x80, 0x2D30) if not 0xD800 <= code < 0xE000)
    for pattern in ("[^a-zß-öσ-ω]+", "[Ѐ-Я]+", "\\W+", "[kſÅΩµ]+", "[\\u0370-\\u03ff]+", "[^\\w]+"):
        engine = Engine(pattern, letters)
        ours = engine.spans(text, most=5_000)
        assert ours == [match.span() for match in Regex(pattern, letters).finditer(text)]
