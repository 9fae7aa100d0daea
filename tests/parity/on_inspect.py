"""The conversations as an Inspect eval."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    Content,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    StopReason,
    get_model,
)
from inspect_ai.scorer import Scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver, use_tools
from inspect_ai.tool import Tool, ToolCall, ToolChoice, ToolInfo, tool
from tests.parity.conversations import CONVERSATIONS, Conversation, Turn


@tool
def look_up() -> Tool:
    async def execute(what: str) -> str:
        """Look something up.

        Args:
            what: What to look up.
        """
        return "alpha, beta, 42: a tool said this, and no assistant"

    return execute


@solver
def play() -> Solver:
    """Let the model say all turns of the conversation; the user asks it to go on where no tool answers."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        for number, turn in enumerate(CONVERSATIONS[state.input_text].turns, start=1):
            state = await generate(state, tool_calls="single")
            if not turn.calls_tool and number < len(CONVERSATIONS[state.input_text].turns):
                state.messages.append(ChatMessageUser(content="Go on, alpha."))
        return state

    return solve


def model() -> Model:
    """Inspect's mock model, saying the turns of whichever conversation it is asked in."""

    def answer(
        messages: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        conversation = next(CONVERSATIONS[m.text] for m in messages if m.text in CONVERSATIONS)
        said = sum(message.role == "assistant" for message in messages) - len(conversation.history)
        return _output(conversation.turns[said], f"call-{said}")

    return get_model("mockllm/model", custom_outputs=answer, memoize=False)


def run(folder: Path, scorers: Sequence[Scorer] = ()) -> EvalLog:
    """Evaluate all conversations; the log file's path is the log's ``location``."""
    task = Task(
        name="parity",
        dataset=[Sample(id=c.name, input=_input(c)) for c in CONVERSATIONS.values()],
        solver=[use_tools(look_up()), play()],
        scorer=list(scorers) or None,
    )
    [log] = eval(task, model=model(), log_dir=str(folder), display="none")
    return log


def _input(conversation: Conversation) -> list[ChatMessage]:
    past: list[ChatMessage] = [ChatMessageAssistant(content=text) for text in conversation.history]
    return [*past, ChatMessageUser(content=conversation.name)]


def _output(turn: Turn, call_id: str) -> ModelOutput:
    call = ToolCall(id=call_id, function="look_up", arguments={"what": "alpha"})
    message = ChatMessageAssistant(content=_content(turn), tool_calls=[call] if turn.calls_tool else None)
    output = ModelOutput.from_message(message, _stop_reason(turn))
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return output


def _content(turn: Turn) -> str | list[Content]:
    if turn.reasoning is not None:
        return [ContentReasoning(reasoning=turn.reasoning), ContentText(text=turn.text)]
    return [ContentText(text=turn.text, refusal=True)] if turn.refusal else turn.text


def _stop_reason(turn: Turn) -> StopReason:
    if turn.refusal:
        return "content_filter"
    return "tool_calls" if turn.calls_tool else "stop"
