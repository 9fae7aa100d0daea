"""What scoring a usual sample costs."""

import time
from typing import Any

from inspect_ai.scorer import Target
from tests.inspect.scoring import score_state, state_of

from turngrade.adapters.inspect import graders


async def test_twenty_messages_and_five_graders_cost_under_a_millisecond_of_cpu() -> None:
    spec: Any = [
        {
            "type": "transcript-not-matches",
            "name": f"g{n}",
            "config": {"pattern": rf"\b(?:word{n}|other{n})\b"},
        }
        for n in range(5)
    ]
    scorer = graders(spec)
    state = state_of(*["A usual answer of an agent, some eighty characters long, word by word."] * 20)
    await score_state(scorer, state)
    costs = []
    for _ in range(200):
        started = time.process_time()
        await scorer(state, Target("-"))
        costs.append(time.process_time() - started)
    assert min(costs) < 0.001
