"""Inspect's mock model, told what to say. Nothing is downloaded: every output carries its usage."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import count
from typing import Any, cast

from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    Content,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    StopReason,
    get_model,
)
from inspect_ai.tool import Tool, ToolCall, ToolChoice, ToolInfo, tool

Answerer = Callable[[list[ChatMessage], list[ToolInfo], ToolChoice, GenerateConfig], ModelOutput]

_numbers = count(1)


def says(
    *contents: str | list[Content],
    stop: StopReason = "stop",
    calls: list[ToolCall] | None = None,
    tokens: int = 20,
) -> ModelOutput:
    """An output with one choice for each content."""
    return ModelOutput(
        model="mockllm/model",
        choices=[
            ChatCompletionChoice(
                message=ChatMessageAssistant(content=content, source="generate", tool_calls=calls),
                stop_reason=stop,
            )
            for content in contents
        ],
        usage=ModelUsage(input_tokens=tokens, output_tokens=5, total_tokens=tokens + 5),
    )


def calls(function: str, content: str = "", tokens: int = 20, **arguments: Any) -> ModelOutput:
    """An output that calls a tool."""
    call = ToolCall(id=f"call_{next(_numbers)}", function=function, arguments=arguments)
    return says(content, stop="tool_calls", calls=[call], tokens=tokens)


def submits(answer: str, content: str = "") -> ModelOutput:
    """An output that submits an answer to a ReAct agent."""
    return calls("submit", content, answer=answer)


def mock(outputs: Iterable[ModelOutput] | Answerer, role: str | None = None) -> Model:
    """A model that gives these outputs in order, or asks a function for each."""
    custom = outputs if callable(outputs) else list(outputs)
    return get_model("mockllm/model", custom_outputs=cast(Any, custom), memoize=False, role=role)


@tool
def add() -> Tool:
    async def execute(x: int, y: int) -> str:
        """Add.

        Args:
            x: A number.
            y: Another one.
        """
        return f"{x + y}, says a tool and no assistant, at some length: {'r' * 300}"

    return execute
