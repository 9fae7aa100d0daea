"""A LangSmith experiment, graded by a turngrade spec. It runs offline: ``python examples/langsmith_eval.py``.

With an account: leave ``upload_results`` and ``client`` out, and name a dataset of yours as ``data``.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from langsmith import Client, evaluate, traceable
from langsmith.schemas import Example

from support import CONVERSATIONS, ORDER, next_turn, order_status
from turngrade.adapters.langsmith import evaluator

SPEC = Path(__file__).with_name("no-refund-promise.yaml")


@traceable(run_type="llm")
def model(messages: list[dict[str, Any]]) -> dict[str, Any]:
    """Stand in for a chat model: say the script's next turn."""
    turns_so_far = sum(m["role"] == "assistant" for m in messages)
    text, looks_up = next_turn(messages[0]["content"], turns_so_far)
    call = {
        "id": f"call-{turns_so_far}",
        "type": "function",
        "function": {"name": "look_up_order", "arguments": f'{{"order_id": "{ORDER}"}}'},
    }
    return {"role": "assistant", "content": text} | ({"tool_calls": [call]} if looks_up else {})


@traceable(run_type="tool")
def look_up_order(order_id: str) -> str:
    """The shop's system, as a tool."""
    return order_status(order_id)


@traceable
def support_agent(inputs: dict[str, Any]) -> dict[str, Any]:
    """The agent: ask the model, run the tool it calls, until it only answers."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": inputs["question"]}]
    while True:
        messages.append(model(messages))
        if "tool_calls" not in messages[-1]:
            return {"answer": messages[-1]["content"]}
        messages.append({"role": "tool", "tool_call_id": "call", "content": look_up_order(ORDER)})


def main() -> None:
    """Run the experiment and print the feedback of each example."""
    results = evaluate(
        support_agent,
        data=[
            Example(
                id=uuid5(NAMESPACE_URL, c.name), inputs={"question": c.question}, created_at=datetime.now(UTC)
            )
            for c in CONVERSATIONS
        ],
        evaluators=[evaluator(SPEC)],
        upload_results=False,
        client=Client(api_key="offline", info={}, auto_batch_tracing=False),
    )
    for row in results:
        print(row["run"].inputs["inputs"]["question"])
        for result in row["evaluation_results"].get("results", []):
            print(f"  {result.key}: {result.score} ({result.comment})")


if __name__ == "__main__":
    main()
