"""Time budgets: shared by searches, started late, and kept while other threads burn."""

from __future__ import annotations

import multiprocessing
import pickle
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection
from types import SimpleNamespace

import pytest
from tests.dialect.catastrophes import BURNING

from turngrade.core.dialect import (
    Deadline,
    MatchError,
    MatchMemory,
    MatchTimeout,
    Pattern,
    budget,
    compile_pattern,
    slots,
)
from turngrade.core.dialect.budget import SLICE, bounded
from turngrade.core.dialect.nfa import Unsuitable

NOISE = 1.0


def burn(seconds: float) -> float:
    """Search in vain; returns the seconds that it took."""
    pattern, text = compile_pattern(BURNING.pattern), BURNING.text(BURNING.size)
    began = time.monotonic()
    with pytest.raises(MatchTimeout):
        pattern.test(text, deadline=Deadline.after(seconds))
    return time.monotonic() - began


@contextmanager
def busy_threads(count: int, work: Callable[[], object]) -> Iterator[None]:
    """Other threads that work all the time."""
    done = threading.Event()

    def run() -> None:
        while not done.is_set():
            work()

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        done.set()
        for thread in threads:
            thread.join()


def test_the_clock_starts_with_the_first_search() -> None:
    deadline = Deadline.after(0.2)
    time.sleep(0.3)
    assert deadline.remaining() == 0.2
    assert compile_pattern("a").test("a", deadline=deadline)
    time.sleep(0.25)
    assert deadline.remaining() < 0
    with pytest.raises(MatchTimeout):
        compile_pattern("[ab]").test("a", deadline=deadline)


def test_a_budget_is_shared_by_all_searches() -> None:
    deadline = Deadline.after(0.6)
    pattern, text = compile_pattern(BURNING.pattern), BURNING.text(BURNING.size)
    began = time.monotonic()
    for _ in range(3):
        with pytest.raises(MatchTimeout):
            pattern.test(text, deadline=deadline)
    assert time.monotonic() - began < 0.66 + NOISE


def test_threads_that_search_do_not_cut_the_budget_of_each_other() -> None:
    """The limit of ``regex`` would be over after a half or a third of the time."""
    with ThreadPoolExecutor(6) as pool:
        took = list(pool.map(burn, [0.8] * 6))
    assert min(took) > 0.75


def test_waiting_for_a_slot_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slots, "_slots", slots.Slots(1))
    quick = compile_pattern("a[bc]")
    with ThreadPoolExecutor(2) as pool:
        slow = pool.submit(burn, 0.8)
        time.sleep(0.2)
        deadline = Deadline.after(0.3)
        began = time.monotonic()
        assert quick.test("xab", deadline=deadline)
        assert time.monotonic() - began > 0.4
        slow.result()
    assert deadline.remaining() > 0.1


def test_a_search_between_two_waits_keeps_its_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slots, "_slots", slots.Slots(1))
    deadline = Deadline.after(0.3)
    pattern = compile_pattern("a[bc]")
    for _ in range(2):
        with ThreadPoolExecutor(1) as pool:
            slow = pool.submit(burn, 0.5)
            time.sleep(0.1)
            assert pattern.test("xab", deadline=deadline)
            slow.result()
        deadline.postpone(0.1)  # the pause of this test
    assert deadline.remaining() > 0.05


@pytest.mark.parametrize("work", [lambda: sum(range(1_000)), lambda: [str(n) for n in range(500)]])
def test_busy_python_threads_cause_no_false_timeout(work: Callable[[], object]) -> None:
    pattern = compile_pattern(r"(?:x+x+)+y")
    with busy_threads(3, work):
        assert pattern.test("x" * 3_000, deadline=Deadline.after(4)) is False


def test_busy_threads_do_not_stretch_the_budget() -> None:
    with busy_threads(3, lambda: sum(range(1_000))):
        assert burn(0.8) < 0.88 + NOISE


class _Search:
    """A search by ``regex``: counts ``rate`` seconds for each that passes, and stops ``lag`` too late."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, *, needs: float, rate: float = 1.0, lag: float = 0.0
    ) -> None:
        self.needs, self.rate, self.lag = needs, rate, lag
        self.limits: list[float] = []
        self.cpu = 0.0
        monkeypatch.setattr(budget, "time", SimpleNamespace(process_time=lambda: self.cpu))

    def __call__(self, limit: float) -> str:
        self.limits.append(limit)
        wall = min(self.needs, (limit + self.lag) / self.rate)
        time.sleep(wall)
        self.cpu += wall * self.rate
        if wall < self.needs:
            raise TimeoutError
        return "found"


def test_a_limit_that_comes_too_early_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    search = _Search(monkeypatch, needs=0.25, rate=3)
    assert bounded(search, None, Deadline.after(1.0)) == "found"
    assert search.limits[0] == SLICE
    assert len(search.limits) >= 2


def test_trying_again_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    search = _Search(monkeypatch, needs=9, rate=4)
    began = time.monotonic()
    with pytest.raises(MatchTimeout):
        bounded(search, None, Deadline.after(0.5))
    assert len(search.limits) <= 9
    assert 0.4 < time.monotonic() - began < 0.55 + NOISE


def test_a_starved_process_gives_itself_less_cpu_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second of CPU time takes four here: the limit has to be a quarter of what is left."""
    search = _Search(monkeypatch, needs=9, rate=1 / 4)
    began = time.monotonic()
    with pytest.raises(MatchTimeout):
        bounded(search, None, Deadline.after(1.0))
    assert search.limits[1] < 0.3
    assert time.monotonic() - began < 1.1 + NOISE


def test_a_limit_allows_for_what_the_engine_overruns(monkeypatch: pytest.MonkeyPatch) -> None:
    search = _Search(monkeypatch, needs=9, lag=0.4)
    began = time.monotonic()
    with pytest.raises(MatchTimeout):
        bounded(search, None, Deadline.after(1.2), lag=0.4)
    assert search.limits[1] < 0.45
    assert time.monotonic() - began < 1.3 + NOISE


def test_what_the_engine_overruns_is_learnt(monkeypatch: pytest.MonkeyPatch) -> None:
    search = _Search(monkeypatch, needs=9, rate=2, lag=0.4)
    with pytest.raises(MatchTimeout):
        bounded(search, None, Deadline.after(2.0))
    assert search.limits[2] < 1.1


def test_nothing_is_known_after_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has run undisturbed for a few milliseconds may be starved all the same."""
    search = _Search(monkeypatch, needs=9, rate=1 / 4)
    began = time.monotonic()
    with pytest.raises(MatchTimeout):
        bounded(search, None, Deadline.after(2.0), fallback_first=True)
    assert search.limits[0] == 0.25
    assert time.monotonic() - began < 2.2 + NOISE


def _late(limit: float) -> str:
    time.sleep(limit)
    raise TimeoutError


def _no_memory(limit: float) -> str:
    raise MemoryError


def _too_deep(limit: float) -> str:
    raise RecursionError


def _unsuitable(deadline: Deadline) -> str:
    raise Unsuitable


@pytest.mark.parametrize("attempt", [_late, _no_memory, _too_deep])
def test_the_linear_engine_answers_for_the_other(attempt: Callable[[float], str]) -> None:
    assert bounded(attempt, lambda part: "linear", Deadline.after(1)) == "linear"


@pytest.mark.parametrize("attempt", [_no_memory, _too_deep])
@pytest.mark.parametrize("fallback", [None, _unsuitable])
def test_memory_that_runs_out_is_an_error(
    attempt: Callable[[float], str], fallback: Callable[[Deadline], str] | None
) -> None:
    with pytest.raises(MatchMemory, match="Out of memory"):
        bounded(attempt, fallback, Deadline.after(1))


def test_a_slow_linear_engine_leaves_time_for_the_other() -> None:
    def fallback(part: Deadline) -> str:
        while True:
            part.check()
            time.sleep(0.01)

    attempts = iter([TimeoutError, None])

    def attempt(limit: float) -> float:
        if next(attempts) is not None:
            raise TimeoutError
        return limit

    limit = bounded(attempt, fallback, Deadline.after(1))
    assert isinstance(limit, float)
    assert limit > 0.2


def test_the_linear_engine_has_all_the_time_that_the_other_could_not_use() -> None:
    """``regex`` would overrun what a slow linear engine leaves"""

    def fallback(part: Deadline) -> float:
        return part.remaining()

    for lag, least in ((0.1, 0.5), (0.5, 0.9)):
        given = bounded(_late, fallback, Deadline.after(1), lag=lag, fallback_first=True)
        assert isinstance(given, float)
        assert least < given < least + 0.11
    given = bounded(_no_memory, fallback, Deadline.after(1))
    assert isinstance(given, float)
    assert given > 0.7


def test_slots_are_given_back_whatever_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    held = slots.Slots(2)
    monkeypatch.setattr(slots, "_slots", held)
    for _ in range(5):
        with pytest.raises(MatchError):
            bounded(_no_memory, None, Deadline.after(1))
    assert held.acquire() == held.acquire() == 0.0


def test_at_most_as_many_searches_at_once_as_there_are_slots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slots, "_slots", slots.Slots(2))
    lock, running, most = threading.Lock(), 0, 0

    def attempt(limit: float) -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.01)
        with lock:
            running -= 1

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: bounded(attempt, None, Deadline.after(5)), range(24)))
    assert most == 2


@pytest.mark.parametrize("error", [MatchTimeout(2.5), MatchMemory()])
def test_errors_can_be_pickled(error: MatchError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)


def _search_in_child(pattern: Pattern, answers: Connection) -> None:
    answers.send([pattern.test("xab", deadline=Deadline.after(5)), slots.slots().acquire()])


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_has_slots_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    held = slots.Slots(1)
    held.acquire()
    monkeypatch.setattr(slots, "_slots", held)
    ours, theirs = multiprocessing.Pipe()
    child = multiprocessing.get_context("fork").Process(
        target=_search_in_child, args=(compile_pattern("a[bc]"), theirs)
    )
    child.start()
    assert ours.poll(10)
    assert ours.recv() == [True, 0.0]
    child.join()
