"""Nothing raises at score time, whatever the sample is, and the event loop stays free meanwhile."""

import asyncio
import gc
import math
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from inspect_ai import Task, eval_async
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageAssistant
from inspect_ai.scorer import INCORRECT, Score
from inspect_ai.solver import Generate, Solver, TaskState, solver
from tests.inspect.scoring import model_that_says, score, score_state, scores, state_of

from turngrade.adapters.inspect import graders, output_matches, transcript_matches

SPEC = [
    {"type": "transcript-matches", "name": "a", "config": {"pattern": "a"}},
    {"type": "output-matches", "name": "b", "config": {"pattern": "b"}},
]

BURNS = r"^(?:(a|b|ab)(?:\1|a|b|ba)*)+\1\1\1c$"
"""A pattern that burns its whole budget on `FUEL`: its backreferences decide, so that all ways are tried."""

FUEL = "abba" * 20 + "c"


class Broken(TaskState):
    """A state whose output cannot be read."""

    fault: Exception

    def __getattribute__(self, name: str) -> object:
        if name == "output":
            raise self.fault
        return super().__getattribute__(name)


def broken(fault: Exception) -> TaskState:
    state = state_of("a")
    state.__class__ = Broken
    state.fault = fault  # type: ignore[attr-defined]
    return state


@pytest.mark.parametrize(
    "fault", [RuntimeError("boom"), MemoryError(), RecursionError("deep"), KeyError("x")]
)
async def test_a_sample_that_cannot_be_read_is_a_failed_score(fault: Exception) -> None:
    result = await score_state(transcript_matches("a"), broken(fault))
    assert (result.value, result.reason) == (INCORRECT, "scoring_failed")
    assert type(fault).__name__ in (result.explanation or "")
    result = await score_state(graders(SPEC), broken(fault))
    assert result.value == {"a": 0, "b": 0, "aggregate": 0}
    result = await score_state(graders(SPEC, on_error="unscored"), broken(fault))
    assert all(math.isnan(float(value or 0)) for value in result.as_dict().values())


async def test_cancellation_is_not_held_up() -> None:
    """A cancelled sample does not wait for the rest of a grader's time budget."""
    task = asyncio.create_task(score(output_matches(BURNS, timeout=1), FUEL))
    await asyncio.sleep(0.2)
    started = time.monotonic()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert time.monotonic() - started < 0.5


@given(pattern=st.text(max_size=12), texts=st.lists(st.text(max_size=40), max_size=3))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_any_pattern_on_any_text_is_a_score_that_can_be_stored(pattern: str, texts: list[str]) -> None:
    if not pattern:
        return
    scorer = transcript_matches(pattern, timeout=1)
    result = await score(scorer, *texts)
    again = Score.model_validate_json(result.model_dump_json())
    assert again.value == result.value


async def test_contents_of_every_kind_are_scored() -> None:
    state = state_of("a")
    state.messages.append(ChatMessageAssistant(content=[], id=None))
    state.messages.append(ChatMessageAssistant(content="\ud800 lone \udfff", id="lone"))
    result = await score_state(transcript_matches("lone"), state)
    assert result.answer == "lone"


@pytest.fixture
def still_heap() -> Iterator[None]:
    """Keeps the collector from walking what the tests before left, which can take a quarter of a second."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


async def lateness(period: float, delays: list[float]) -> None:
    """Record by how much each beat of a heartbeat is late."""
    while True:
        due = time.monotonic() + period
        await asyncio.sleep(period)
        delays.append(time.monotonic() - due)


@pytest.mark.usefixtures("still_heap")
async def test_the_event_loop_beats_on_while_eight_samples_burn_their_budget() -> None:
    scorer = transcript_matches(BURNS, timeout=0.4)
    delays: list[float] = []
    heart = asyncio.create_task(lateness(0.01, delays))
    results = await asyncio.gather(*(score(scorer, FUEL) for _ in range(8)))
    heart.cancel()
    assert [(result.metadata or {})["verdict"]["reason"] for result in results] == ["timeout"] * 8
    assert len(delays) > 20
    assert max(delays) < 0.1


@pytest.mark.usefixtures("still_heap")
async def test_the_event_loop_beats_on_while_long_runs_are_read() -> None:
    scorer = transcript_matches("no such text")
    delays: list[float] = []
    states = [state_of(*[f"message {number} " * 20 for number in range(1000)]) for _ in range(4)]
    heart = asyncio.create_task(lateness(0.01, delays))
    await asyncio.gather(*(score_state(scorer, state) for state in states))
    heart.cancel()
    assert max(delays) < 0.1


@pytest.mark.slow
async def test_the_event_loop_of_a_real_eval_beats_on(tmp_path: Path) -> None:
    """The same within `eval_async`, the beats counted while scoring goes on."""
    delays: list[float] = []
    hearts: list[asyncio.Task[None]] = []

    @solver
    def begin_heartbeat() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            state = await generate(state)
            await asyncio.sleep(0.5)  # all samples are generated, and what a first call imports is imported
            if not hearts:
                hearts.append(asyncio.create_task(lateness(0.01, delays)))
            return state

        return solve

    task = Task(
        dataset=[Sample(input="q", id=number, target="-") for number in range(8)],
        solver=begin_heartbeat(),
        scorer=transcript_matches(BURNS, timeout=1),
        name="burning",
    )
    model = model_that_says([FUEL] * 8)
    (log,) = await eval_async(task, model=model, log_dir=str(tmp_path), max_samples=8)
    hearts[0].cancel()
    reasons = [(result.metadata or {})["verdict"]["reason"] for result in scores(log, "transcript_matches")]
    assert reasons == ["timeout"] * 8
    assert max(delays) < 0.1
