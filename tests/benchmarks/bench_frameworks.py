"""What a usual run costs inside the frameworks, conversion included."""

from __future__ import annotations

from tests.benchmarks.frameworks import GRADERS, MESSAGES
from tests.benchmarks.fresh import Call, measure
from tests.benchmarks.table import Row

PLACES = {
    "scorer": "the Inspect scorer",
    "evaluator": "the LangSmith evaluator",
    "evaluator_of_calls": "the LangSmith evaluator, each message a traced call",
    "evaluator_of_loop": "the LangSmith evaluator, each call given all messages so far",
}

LIMIT = 1
"""Milliseconds; of a run that holds its messages once."""


def rows(*, small: bool) -> list[Row]:
    """The figures: CPU time of one call."""
    ways = {name: Call("tests.benchmarks.frameworks", name, (), ()) for name in PLACES}
    found = measure(ways, 1 if small else 3)
    counted = f"{MESSAGES} messages, {GRADERS} graders"
    return [
        Row(
            f"CPU time inside {place}",
            found[name].counted[0] / 1000,
            "ms",
            None if name == "evaluator_of_loop" else LIMIT,
            counted=counted,
        )
        for name, place in PLACES.items()
    ]
