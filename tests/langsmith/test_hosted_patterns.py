"""Patterns rewritten for ``re``: they find what the JavaScript patterns find, or are refused."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from tests.dialect.generators import PatternGenerator, TextGenerator, random_flags

from turngrade.adapters.langsmith.hosted.re_dialect import Pattern
from turngrade.adapters.langsmith.hosted.re_pattern import NotExact, re_pattern
from turngrade.core import compile_pattern
from turngrade.core.dialect import InvalidPattern, Subject, Tree, parse


def spans(pattern: Pattern, text: str) -> list[tuple[int, int]]:
    return [(match.start, match.end) for match in pattern.find_all(Subject(text))]


def rewritten(pattern: str, flags: str = "") -> Pattern:
    tree = parse(pattern, flags)
    return Pattern(re_pattern(tree), unicode=tree.unicode, sticky=tree.sticky)


@pytest.mark.parametrize(
    ("pattern", "flags", "text", "found"),
    [
        (r"\d+", "", "a1٣22", [(1, 2), (3, 5)]),
        (r"\w\b", "", "aé b", [(0, 1), (3, 4)]),
        (r"\s", "", "\ufeff\x1c\x85", [(0, 1)]),
        ("a$", "", "a\n", []),
        ("^b$", "m", "a\u2028b\ra", [(2, 3)]),
        (".+", "", "a\u2028b", [(0, 1), (2, 3)]),
        ("..", "", "😀", [(0, 1)]),
        ("^.$", "u", "😀", [(0, 1)]),
        ("[^x]{2}", "", "😀x", [(0, 1)]),
        ("k", "i", "Kk\u212a", [(0, 1), (1, 2)]),
        ("|b", "", "b", [(0, 0), (1, 1)]),
        ("b*", "", "abc", [(0, 0), (1, 2), (2, 2), (3, 3)]),
        ("(a|b)\\1", "", "abbaab", [(1, 3), (3, 5)]),
        ("(?<=a|bc)d", "", "ad bcd cd", [(1, 2), (5, 6)]),
        ("(?<!a|bc)d", "", "ad bcd cd", [(8, 9)]),
        ("(?:ab?){2}", "", "aab", [(0, 3)]),
        ("[]", "", "a", []),
        ("[^]", "", "\n", [(0, 1)]),
        (r"\A[[a]]", "", "A[]", [(0, 3)]),
        ("b", "y", "ab", []),
        ("b", "y", "bbab", [(0, 1), (1, 2)]),
    ],
)
def test_it_finds_what_javascript_finds(
    pattern: str, flags: str, text: str, found: list[tuple[int, int]]
) -> None:
    assert spans(rewritten(pattern, flags), text) == found


@pytest.mark.parametrize(
    ("pattern", "flags", "construct"),
    [
        ("(a*)*b", "", "repeat of something that can match the empty text"),
        ("(?:|a)+", "", "repeat of something that can match the empty text"),
        ("(?:(?=a))?", "", "repeat of something that can match the empty text"),
        ("(?<=a+)b", "", "lookbehind without a fixed length"),
        ("(?<=x(?:a|bc))d", "", "lookbehind without a fixed length"),
        (r"\1(a)", "", "backreference"),
        (r"(a)?\1", "", "backreference"),
        (r"(?:(a)|b)\1", "", "backreference"),
        (r"(?:(a)\1)+", "", "backreference"),
        (r"(a)\1", "i", "backreference"),
        (r"(?=(a))\1", "", "backreference"),
    ],
)
def test_what_re_cannot_do_is_refused_by_name(pattern: str, flags: str, construct: str) -> None:
    with pytest.raises(NotExact, match=construct):
        re_pattern(parse(pattern, flags))


def random_trees(rng: Random) -> Iterator[Tree]:
    """Patterns over the whole grammar that JavaScript accepts."""
    while True:
        flags = random_flags(rng)
        try:
            yield parse(PatternGenerator(rng, flags, strict=True).pattern(), flags)
        except InvalidPattern:
            continue


def check(seed: int, count: int) -> int:
    """Compare with the core's engine, which is held against V8 elsewhere; returns how many were accepted."""
    rng = Random(seed)
    accepted = 0
    for _, tree in zip(range(count), random_trees(rng), strict=False):
        try:
            pattern = rewritten(tree.pattern, tree.flags)
        except NotExact:
            continue
        accepted += 1
        core = compile_pattern(tree.pattern, tree.flags)
        texts = TextGenerator(rng, tree)
        for text in (texts.text() for _ in range(4)):
            expected = [(match.start, match.end) for match in core.find_all(text)]
            assert spans(pattern, text) == expected, (tree.pattern, tree.flags, text)
    return accepted


def test_random_patterns_find_what_the_core_finds() -> None:
    assert check(seed=1, count=400) > 250


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 5))
def test_many_random_patterns_find_what_the_core_finds(seed: int) -> None:
    assert check(seed, 5000) > 3000
