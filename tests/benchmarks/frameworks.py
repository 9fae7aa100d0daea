"""What a spec costs inside the frameworks: their own calls of the scorer and of the evaluator."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

MESSAGES, GRADERS, CALLS = 20, 5, 200
TEXT = "A usual answer of an agent, some eighty characters long, word by word. " * 4
SPEC: list[dict[str, Any]] = [
    {
        "type": "transcript-not-matches",
        "name": f"grader {number}",
        "config": {"pattern": rf"\b(?:promise|guarantee){number}\b"},
    }
    for number in range(GRADERS)
]


def scorer(calls: int = CALLS) -> tuple[int, int]:
    """Microseconds of CPU that Inspect's call of the scorer takes, at best, and messages that it looks at."""
    return asyncio.run(_scorer(calls))


async def _scorer(calls: int) -> tuple[int, int]:
    from inspect_ai.scorer import Target
    from tests.inspect.scoring import score_state, state_of

    from turngrade.adapters.inspect import graders

    graded = graders(SPEC)
    state = state_of(*[TEXT] * MESSAGES)
    score = await score_state(graded, state)
    assert isinstance(score.value, dict)
    assert len(score.value) >= GRADERS
    costs = []
    for _ in range(calls):
        began = time.process_time()
        await graded(state, Target("-"))
        costs.append(time.process_time() - began)
    return _microseconds(costs), len(state.messages) - 1


def evaluator(calls: int = CALLS) -> tuple[int, int]:
    """Microseconds of CPU that LangSmith's call of the evaluator takes for a run without child runs."""
    return _evaluated(_run_with_messages, calls)


def evaluator_of_calls(calls: int = CALLS) -> tuple[int, int]:
    """The same for a run with a child run for each message: a traced call of a model."""
    return _evaluated(_run_with_calls, calls)


def evaluator_of_loop(calls: int = CALLS) -> tuple[int, int]:
    """The same where each call is given all that was said before it, as in the loop of an agent."""
    return _evaluated(_run_with_loop, calls)


def _evaluated(make_run: Callable[[], Any], calls: int) -> tuple[int, int]:
    from turngrade.adapters.langsmith import evaluator as make

    graded = make(SPEC)
    costs = []
    for run in [make_run() for _ in range(calls)]:
        began = time.process_time()
        found: Any = graded.evaluate_run(run)
        costs.append(time.process_time() - began)
        assert [result.score for result in found["results"]] == [True] * GRADERS
    return _microseconds(costs), MESSAGES


def _root() -> Any:
    from langsmith.run_trees import RunTree

    return RunTree(name="agent", run_type="chain", inputs={"question": "?"}, id=uuid.uuid4())


def _run_with_messages() -> Any:
    root = _root()
    root.end(outputs={"messages": [{"role": "assistant", "content": TEXT} for _ in range(MESSAGES)]})
    return root


def _run_with_calls() -> Any:
    root = _root()
    for _ in range(MESSAGES):
        _call(root, [{"role": "user", "content": "?"}], TEXT)
    root.end(outputs={"answer": TEXT})
    return root


def _run_with_loop() -> Any:
    root = _root()
    said = [{"role": "user", "content": "?"}]
    for number in range(MESSAGES):
        said = [*said, _call(root, said, f"{number}. {TEXT}")]
    root.end(outputs={"answer": said[-1]["content"]})
    return root


def _call(root: Any, given: list[dict[str, str]], text: str) -> dict[str, str]:
    reply = {"role": "assistant", "content": text}
    root.create_child("model", "llm", inputs={"messages": given}).end(
        outputs=reply, end_time=datetime.now(UTC)
    )
    return reply


def _microseconds(costs: list[float]) -> int:
    return round(min(costs) * 1e6)
