"""One spec in many threads and processes: the same verdicts, and no lock that a fork leaves held."""

from __future__ import annotations

import copy
import multiprocessing
import os
import pickle
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from tests.faults.concurrency import PATTERNS, TRANSCRIPTS, growth_of_distinct_patterns, spec, verdicts_of

from turngrade.core import Spec, compile_pattern
from turngrade.core.dialect import runner
from turngrade.core.dialect.linear import Linear

EXPECTED = verdicts_of(spec())
PATIENCE = 30.0
"""Seconds after which a child process hangs."""

forking = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
quiet_forks = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")


def test_the_verdicts_are_of_all_kinds() -> None:
    kinds = {status for statuses in EXPECTED for status, *_ in statuses}
    assert kinds == {"pass", "fail", "error"}


def test_threads_share_a_spec() -> None:
    shared = spec()
    barrier = threading.Barrier(8)

    def work(_: int) -> bool:
        barrier.wait()
        return verdicts_of(shared) == EXPECTED

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))


@pytest.mark.parametrize(
    "copied",
    [copy.copy, copy.deepcopy, lambda original: pickle.loads(pickle.dumps(original))],
    ids=["copy", "deepcopy", "pickle"],
)
@pytest.mark.parametrize("used", [False, True], ids=["new", "used"])
def test_copies_say_the_same(copied: Callable[[Spec], Spec], used: bool) -> None:
    original = spec()
    if used:
        verdicts_of(original)
    assert verdicts_of(copied(original)) == EXPECTED
    assert copied(original).digest == original.digest


def test_a_copy_shares_the_compiled_patterns() -> None:
    pattern = compile_pattern(r"shared (?:a|b)+")
    assert pickle.loads(pickle.dumps(pattern)) is pattern


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
@quiet_forks
def test_processes_share_a_spec(method: str) -> None:
    used = spec()
    verdicts_of(used)
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(method)) as pool:
        results = [pool.submit(verdicts_of, used) for _ in range(4)]
        assert [result.result(PATIENCE) for result in results] == [EXPECTED] * 4


@contextmanager
def grading(shared: Spec, threads: int) -> Iterator[None]:
    """Other threads that compile and grade all the time."""
    done = threading.Event()

    def work(number: int) -> None:
        while not done.is_set():
            compile_pattern(rf"(?:x{number}|(y)\1)+z{threading.get_ident()}").test("y" * 50)
            verdicts_of(copy.deepcopy(shared))

    workers = [threading.Thread(target=work, args=(number,)) for number in range(threads)]
    for worker in workers:
        worker.start()
    try:
        yield
    finally:
        done.set()
        for worker in workers:
            worker.join()


@forking
@quiet_forks
def test_a_fork_while_others_grade_grades_too() -> None:
    shared = spec()
    with grading(shared, 3):
        for _ in range(6):
            assert in_fork(lambda: verdicts_of(shared) == EXPECTED)


@forking
@quiet_forks
def test_a_fork_does_not_wait_for_automata_that_nobody_makes_any_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow(tree: Any) -> Linear:
        if not begun.is_set():
            begun.set()
            go_on.wait(PATIENCE)
        return Linear(tree)

    monkeypatch.setattr(runner, "Linear", slow)
    one, other = (compile_pattern(rf"automata {number}")._runner for number in range(2))
    maker = threading.Thread(target=lambda: one.linear)
    maker.start()
    begun.wait(PATIENCE)
    assert in_fork(lambda: other.linear is not None)
    go_on.set()
    maker.join()


def in_fork(check: Callable[[], bool]) -> bool:
    """Whether something holds in a forked process, which must come back."""
    child = multiprocessing.get_context("fork").Process(target=lambda: os._exit(0 if check() else 1))
    child.start()
    child.join(PATIENCE)
    hangs = child.is_alive()
    if hangs:
        child.kill()
        child.join()
    assert not hangs, "the forked process hangs"
    return child.exitcode == 0


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="reads the peak of memory there")
@pytest.mark.parametrize("count", [1_200, pytest.param(100_000, marks=pytest.mark.slow)])
def test_memory_does_not_grow_with_the_number_of_patterns(count: int) -> None:
    """Twice as many patterns as the cache keeps, or two hundred times: the same bound."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert pool.submit(growth_of_distinct_patterns, count).result() < 100


def test_there_is_more_than_one_transcript_and_pattern() -> None:
    assert len(PATTERNS) > 10
    assert len(TRANSCRIPTS) > 5
