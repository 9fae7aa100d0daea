"""Some of the catastrophic patterns, and random ones out of bytes; the scripts beside try many more."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.faults.patterns import Outcome, table, try_out
from tests.faults.patterns_corpus import NATURAL, Evil, corpus
from tests.faults.patterns_oracle import bytes_of, case_of, examine_alone

CORPUS = corpus()
BUDGET = 0.6
"""Seconds for a search; shorter than in the script, for the suite's sake."""


def test_the_corpus_is_large_and_of_all_kinds() -> None:
    assert len({(evil.pattern, evil.flags) for evil in CORPUS}) == len(CORPUS) > 450
    assert len({evil.family for evil in CORPUS}) == 11
    assert all(len(evil.pattern) <= 1_000 for evil in CORPUS)


@pytest.mark.skipif(not hasattr(os, "fork") or not os.path.exists("/proc/self/status"), reason="needs Linux")
@pytest.mark.parametrize("evil", CORPUS[3::24], ids=lambda evil: f"{evil.pattern[:40]}/{evil.flags}")
def test_the_verdict_comes_in_time_and_in_little_memory(evil: Evil) -> None:
    for size in (NATURAL, 20_000):
        outcome = try_out(evil, size, BUDGET)
        assert not outcome.faults(BUDGET)


GOOD = Outcome("fail", grading=1.9, compiling=0.1, late_beat=0.1, megabytes=100)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"status": "hangs"}, "process hangs"),
        ({"grading": 2.3}, "verdict after 2.30 s"),
        ({"compiling": 0.3}, "compiled in 0.30 s"),
        ({"late_beat": 0.7}, "another thread waited 0.70 s"),
        ({"megabytes": 301}, "301 MB"),
    ],
)
def test_what_counts_as_a_fault(changes: dict[str, float | str], fault: str) -> None:
    assert GOOD.faults(2.0) == []
    bad = replace(GOOD, **changes)  # type: ignore[arg-type]
    assert bad.faults(2.0) == [fault]
    last = table([(CORPUS[0], GOOD), (CORPUS[0], bad)], 2.0).splitlines()[-1]
    assert last.split()[:3] == ["all", "1", "2"]
    assert last.split()[-1] == "1"


def test_waiting_for_a_cpu_is_no_fault() -> None:
    assert replace(GOOD, grading=2.9, share=0.2).faults(2.0) == []


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=60))
@example(bytes_of("[\\q{a", "v"))
@example(bytes_of("\\1[a[b]|(c)", "v", ("a",)))
@example(bytes_of("(?:\ud83d|(\\1))*", "", ("\ud83d\ude00",)))
def test_bytes_make_patterns_that_raise_nothing_but_invalid_pattern(data: bytes) -> None:
    assert examine_alone(case_of(data)) is None


def test_bytes_come_back_as_the_case_that_they_stand_for() -> None:
    case = case_of(bytes_of("(a)|\ud83d", "iu", ("😀", "")))
    assert (case.pattern, case.flags, case.texts[:2]) == ("(a)|\ud83d", "iu", ("😀", ""))
    assert len(case.texts) > 2
