"""Patterns between threads, processes and event loops; the cache."""

from __future__ import annotations

import asyncio
import multiprocessing
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest
import regex
from tests.dialect.catastrophes import BURNING

from turngrade.core.dialect import (
    Deadline,
    InvalidPattern,
    MatchTimeout,
    PatternTooLarge,
    Subject,
    compile_pattern,
    pattern,
)

NOISE = 1.0
"""What a busy machine may add."""


def test_the_same_pattern_is_compiled_once() -> None:
    assert compile_pattern("same", "i") is compile_pattern("same", "i")
    assert compile_pattern("same", "i") is not compile_pattern("same", "")


def test_the_cache_is_bounded() -> None:
    first = compile_pattern("bounded 0")
    for number in range(pattern.CACHE_SIZE + 1):
        compile_pattern(f"bounded {number + 1}")
    assert compile_pattern("bounded 0") is not first


def test_the_engine_keeps_no_note_of_every_pattern() -> None:
    for number in range(2 * pattern.CACHE_SIZE + 2):
        compile_pattern(f"noted {number}")
    engine = sys.modules[regex.compile.__module__]  # another one in older releases
    assert len(engine._locale_sensitive) <= pattern.CACHE_SIZE + 10


def test_the_length_is_counted_in_utf16_units() -> None:
    assert compile_pattern("😀" * 5, max_length=10)
    with pytest.raises(PatternTooLarge) as caught:
        compile_pattern("😀" * 5, max_length=9)
    assert caught.value.reason == "Pattern too long: 10 of 9 characters"


@pytest.mark.parametrize(("source", "flags"), [("(", ""), ("a", "x"), ("\\", ""), ("(?<a>.)(?<a>.)", "")])
def test_what_javascript_refuses_is_refused_each_time(source: str, flags: str) -> None:
    for _ in range(2):
        with pytest.raises(InvalidPattern):
            compile_pattern(source, flags)


def test_nesting_is_judged_alike_however_deep_the_caller_is() -> None:
    """Compiling recurses; how far must not depend on who calls."""

    def outcome(source: str) -> str:
        pattern._compiled.cache_clear()
        try:
            return str(compile_pattern(source).search("b" * 99 + "a"))
        except PatternTooLarge as error:
            return str(error)

    def deeply(levels: int, source: str) -> str:
        return outcome(source) if levels == 0 else deeply(levels - 1, source)

    room = sys.getrecursionlimit() - 250
    for nesting in range(1, 60, 7):
        for opening in ("(", "(?:", "(?=b*"):
            source = opening * nesting + "a" + ")" * nesting
            assert outcome(source) == deeply(room, source)


def test_threads_share_a_pattern() -> None:
    shared = compile_pattern(r"(?:(\w+)\s?)+!|\d{3}")
    texts = ["so it goes " * 300 + end for end in ("!", "?", "123")]
    expected = [shared.search(text) for text in texts]

    def search_all(_: int) -> bool:
        return [shared.search(Subject(text)) for text in texts] == expected

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(search_all, range(16)))


def test_threads_that_compile_at_once_get_working_patterns() -> None:
    barrier = threading.Barrier(8)

    def work(number: int) -> bool:
        barrier.wait()
        return all(compile_pattern(f"at once {n}").test(f"at once {n}") for n in range(40))

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))


def _find(source: pattern.Pattern) -> str | None:
    match = source.search("xx ab")
    return None if match is None else match.text


def test_patterns_travel_to_other_processes() -> None:
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert pool.submit(_find, compile_pattern("A[bc]", "i")).result() == "ab"


async def test_an_event_loop_goes_on_while_a_search_burns() -> None:
    burning, text = compile_pattern(BURNING.pattern), BURNING.text(BURNING.size)

    def burn() -> None:
        with pytest.raises(MatchTimeout):
            burning.test(text, deadline=Deadline.after(1.0))

    search = asyncio.create_task(asyncio.to_thread(burn))
    gaps, last = [0.0], time.monotonic()
    while not search.done():
        await asyncio.sleep(0.005)
        now = time.monotonic()
        gaps.append(now - last)
        last = now
    await search
    assert len(gaps) > 30
    assert sorted(gaps)[len(gaps) * 9 // 10] < 0.1


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r"(?:(?:a|b)+)+c", "ab" * 400_000 + "d"),
        (r"(?:(?:😀|b)+)+c", "😀b" * 300_000),
        (r"(?=(?:(?:é|b)+)+c)x", "éb" * 300_000 + "x"),
    ],
)
async def test_an_event_loop_goes_on_while_the_linear_engine_reads(source: str, text: str) -> None:
    slow = compile_pattern(source)
    search = asyncio.create_task(asyncio.to_thread(slow.test, text))
    gaps, last = [0.0], time.monotonic()
    while not search.done():
        await asyncio.sleep(0.001)
        now = time.monotonic()
        gaps.append(now - last)
        last = now
    assert await search is False
    assert sorted(gaps)[len(gaps) * 9 // 10] < 0.1
    assert max(gaps) < 0.3 + NOISE
