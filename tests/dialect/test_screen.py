"""Many patterns looked for at once: what is ruled out, and when nothing is."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random
from types import ModuleType

import pytest
from tests.benchmarks.messages import messages
from tests.benchmarks.patterns40 import PATTERNS
from tests.dialect.generators import PatternGenerator, TextGenerator, random_flags

from turngrade.core.dialect import (
    InvalidPattern,
    MatchError,
    Pattern,
    PatternTooLarge,
    Screen,
    Subject,
    compile_pattern,
    screen,
    screen_of,
)

LONG = "x" * screen._WORTH_IT


def ready(*patterns: Pattern) -> Screen:
    """A screen that has seen enough text to be made."""
    made = Screen(patterns)
    made.absent(LONG)
    return made


@pytest.fixture
def forgotten() -> Iterator[None]:
    """The module as if nothing had been imported yet, before and after."""
    for cached in (screen._re2, screen_of):
        cached.cache_clear()
    yield
    for cached in (screen._re2, screen_of):
        cached.cache_clear()


def test_patterns_that_do_not_match_are_ruled_out() -> None:
    here, gone, unknown = compile_pattern("here"), compile_pattern("gone"), compile_pattern("a*")
    made = ready(here, gone, unknown)
    assert made.absent("it is here") == {gone}
    assert made.absent("") == {here, gone}


def test_a_lookahead_is_looked_for_on_its_own() -> None:
    both = compile_pattern(r"(?=.*\bone\b)(?=.*\btwo\b)", "s")
    made = ready(both)
    assert made.absent("one") == made.absent("two") == {both}
    assert made.absent("two\none") == frozenset()


def test_a_subject_asks_once() -> None:
    class Counting:
        asked = 0

        def absent(self, units: str) -> frozenset[object]:
            self.asked += 1
            return frozenset({here})

    here, other, sieve = compile_pattern("here"), compile_pattern("other"), Counting()
    subject = Subject("here and there", sieve)
    assert not here.test(subject)
    assert here.search(subject) is None
    assert list(here.find_all(subject)) == []
    assert not other.test(subject)
    assert sieve.asked == 1


def test_a_screen_is_made_when_there_is_enough_text() -> None:
    gone = compile_pattern("gone")
    made = Screen([gone])
    assert made.absent("x" * (screen._WORTH_IT - 1)) == frozenset()
    assert made.absent("") == frozenset()
    assert made.absent("x") == {gone}


def test_large_texts_are_not_given_to_what_cannot_be_stopped() -> None:
    assert ready(compile_pattern("gone")).absent("x" * (screen._LARGEST_TEXT + 1)) == frozenset()


def test_a_slow_set_is_given_up() -> None:
    """Every character leads to a state of its own: RE2 at its slowest."""
    slow = [compile_pattern(f"a[ab]{{{count}}}c") for count in range(60, 68)]
    made = ready(*slow)
    rng = Random(1)
    text = "".join(rng.choice("ab") for _ in range(screen._LARGEST_TEXT))
    began = time.thread_time()
    for _ in range(50):
        made.absent(text)
    assert time.thread_time() - began < 5
    assert made.absent(text) == frozenset()


def test_a_set_that_lacks_memory_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen, "_size", lambda superset: 1)
    monkeypatch.setattr(screen, "_MEMORY", 1 << 13)
    found = set()
    for count in range(1, 60, 2):
        gone = compile_pattern(f"a[ab]{{{count}}}c")
        found.add(ready(gone).absent("ab" * 200) == {gone})
    assert found == {True, False}
    assert ready(compile_pattern("here[a-z]{40}")).absent("here" + "a" * 40) == frozenset()


def test_patterns_that_are_too_large_for_a_set_are_left_out() -> None:
    large, gone = compile_pattern("(?:[a-z]{30}x){30}|\\p{L}{90}", "u"), compile_pattern("gone")
    assert ready(large, gone).absent("nothing") == {gone}


def test_more_patterns_than_a_set_holds() -> None:
    many = [compile_pattern(f"word{number}") for number in range(300)]
    assert ready(*many).absent("word7 and word299") == {
        pattern for pattern in many if pattern.source not in ("word7", "word2", "word29", "word299")
    }


@pytest.mark.parametrize("package", [None, sys], ids=["none", "another one of that name"])
def test_without_re2_nothing_is_told(
    package: ModuleType | None, monkeypatch: pytest.MonkeyPatch, forgotten: None
) -> None:
    monkeypatch.setitem(sys.modules, "re2", package)
    assert ready(compile_pattern("gone")).absent("it is here") == frozenset()


def test_the_same_patterns_share_a_screen(forgotten: None) -> None:
    one, other = compile_pattern("one"), compile_pattern("other")
    assert screen_of((one, other)) is screen_of((one, other))
    assert screen_of((one,)) is not screen_of((one, other))
    assert screen_of(()) is None


def test_threads_share_a_screen() -> None:
    patterns = [compile_pattern(pattern, flags) for _, pattern, flags in PATTERNS]
    made, texts = Screen(patterns), messages(400_000)
    alone = ready(*patterns)
    expected = [alone.absent(Subject(text).units) for text in texts]

    def told(text: str) -> frozenset[object]:
        return made.absent(Subject(text).units)

    with ThreadPoolExecutor(4) as pool:
        for found in (pool.map(told, texts), pool.map(told, texts)):
            last = list(found)
    assert last == expected


def test_forty_patterns_find_the_same_with_a_screen_as_without() -> None:
    patterns = [compile_pattern(pattern, flags) for _, pattern, flags in PATTERNS]
    made, ruled_out = ready(*patterns), 0
    for text in messages(300_000):
        subject = Subject(text, made)
        for pattern in patterns:
            ruled_out += subject.lacks(pattern)
            assert pattern.search(subject) == pattern.search(text)
    assert ruled_out > 1_000


def test_random_patterns_find_the_same_with_a_screen_as_without() -> None:
    rng = Random(5)
    ruled_out = 0
    for _ in range(12):
        patterns = list(_some(rng, 15))
        made = ready(*patterns)
        texts = [TextGenerator(rng, pattern.tree).text() for pattern in patterns]
        for text in texts:
            subject = Subject(text, made)
            for pattern in patterns:
                try:
                    assert pattern.search(subject) == pattern.search(text), (pattern, text)
                except MatchError:
                    continue
                ruled_out += subject.lacks(pattern)
    assert ruled_out > 300


def _some(rng: Random, count: int) -> Iterator[Pattern]:
    while count:
        flags = random_flags(rng)
        try:
            yield compile_pattern(PatternGenerator(rng, flags, strict=True).pattern(), flags)
        except (InvalidPattern, PatternTooLarge):
            continue
        count -= 1
