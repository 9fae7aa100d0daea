"""An Inspect task that a turngrade spec scores. It runs offline: ``python examples/inspect_task.py``.

With a model of your own, and another spec:
``inspect eval examples/inspect_task.py --model openai/gpt-5 -T spec_file=no-pii.yaml``.
"""

from __future__ import annotations

from pathlib import Path

from inspect_ai import Task, eval, task
from inspect_ai.dataset import Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.solver import generate, use_tools
from inspect_ai.tool import Tool, ToolCall, ToolChoice, ToolInfo, tool

from support import CONVERSATIONS, ORDER, next_turn, order_status
from turngrade.adapters.inspect import graders

HERE = Path(__file__).parent


@tool
def look_up_order() -> Tool:
    """The shop's system, as a tool."""

    async def execute(order_id: str) -> str:
        """Look an order up.

        Args:
            order_id: The order's id, such as ORD-12345678.
        """
        return order_status(order_id)

    return execute


@task
def support(spec_file: str = "no-refund-promise.yaml") -> Task:
    """The support agent, scored by every grader of a spec.

    Args:
        spec_file: The spec, in the folder of this file.
    """
    return Task(
        dataset=[Sample(id=c.name, input=c.question) for c in CONVERSATIONS],
        solver=[use_tools(look_up_order()), generate()],
        scorer=graders(graders=str(HERE / spec_file)),
    )


def scripted_model() -> Model:
    """Inspect's mock model, saying the script's turns."""

    def answer(
        messages: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        turns_so_far = sum(m.role == "assistant" for m in messages)
        text, looks_up = next_turn(messages[0].text, turns_so_far)
        call = ToolCall(id=f"call-{turns_so_far}", function="look_up_order", arguments={"order_id": ORDER})
        message = ChatMessageAssistant(content=text, tool_calls=[call] if looks_up else None)
        output = ModelOutput.from_message(message, "tool_calls" if looks_up else "stop")
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    return get_model("mockllm/model", custom_outputs=answer, memoize=False)


def main() -> None:
    """Run the task and print the share of samples that each grader passes."""
    [log] = eval(support(), model=scripted_model(), log_dir="results", display="none")
    assert log.results is not None
    for score in log.results.scores:
        print(f"{score.name:<20} {score.metrics['accuracy'].value:.2f}")


if __name__ == "__main__":
    main()
