"""A small traced agent and a spec for it, shared by the tests of the evaluators."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from langsmith import Client, traceable
from langsmith.schemas import Example

SPEC: list[dict[str, Any]] = [
    {"name": "greets", "type": "transcript-matches", "config": {"pattern": "^hello\\b"}},
    {"name": "no-promise", "type": "transcript-not-matches", "config": {"pattern": "(?i)refund"}},
    {"name": "closes", "type": "output-contains", "config": {"substring": "bye"}},
]

BROKEN: dict[str, Any] = {"name": "broken", "type": "transcript-matches", "config": {"pattern": "(unclosed"}}


@traceable(run_type="llm")
def model(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


@traceable(name="agent")
def agent(inputs: dict[str, Any]) -> dict[str, Any]:
    """Says each line of the inputs in a call of its own; returns the last."""
    return {"answer": [model(line)["content"] for line in inputs["lines"]][-1]}


async def async_agent(inputs: dict[str, Any]) -> dict[str, Any]:
    result: dict[str, Any] = agent(inputs)
    return result


CONVERSATIONS: list[list[str]] = [
    ["hello there", "I can give you a refund", "bye"],
    ["good day", "nothing to say", "so long"],
    ["hello again", "bye now"],
]

EXPECTED: dict[str, dict[str, bool]] = {
    "bye": {"greets": True, "no-promise": False, "closes": True},
    "so long": {"greets": False, "no-promise": True, "closes": False},
    "bye now": {"greets": True, "no-promise": True, "closes": True},
}
"""By the answer: what each grader of `SPEC` says of the conversation."""


def examples(conversations: Iterable[list[str]] = CONVERSATIONS) -> list[Example]:
    """Examples that no server knows."""
    return [
        Example(
            id=uuid.uuid4(),
            inputs={"lines": lines},
            dataset_id=uuid.UUID(int=1),
            created_at=datetime.now(UTC),
        )
        for lines in conversations
    ]


def dataset(client: Client, conversations: Iterable[list[str]] = CONVERSATIONS) -> str:
    """A dataset on the server; returns its name."""
    created = client.create_dataset(f"conversations-{uuid.uuid4()}")
    client.create_examples(
        dataset_id=created.id, examples=[{"inputs": {"lines": lines}} for lines in conversations]
    )
    return created.name


def scores_of(rows: Iterable[Any]) -> dict[str, dict[str, Any]]:
    """By the answer: the scores that an experiment's result rows hold."""
    return {
        row["run"].outputs["answer"]: {r.key: r.score for r in row["evaluation_results"]["results"]}
        for row in rows
    }
