"""The picture of the scopes shows what the readers make of such a run, in Inspect and in LangSmith."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from inspect_ai import Task, eval
from inspect_ai.agent import Agent, AgentState, agent, run
from inspect_ai.dataset import Sample
from inspect_ai.event import CompactionEvent
from inspect_ai.log import transcript
from inspect_ai.model import ChatMessageUser, ModelOutput, ModelUsage, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from turngrade.adapters.inspect import read_transcripts
from turngrade.adapters.langsmith import transcript_from_run
from turngrade.core import Transcript
from turngrade.core.transcript import SCOPES

PICTURE = Path(__file__).parents[2] / "docs" / "images" / "scopes.svg"
SVG = "{http://www.w3.org/2000/svg}"
COLUMNS = {"520": "run", "606": "conversation", "718": "model-calls"}

FIRST, PROMISE, EDITED = "Which order is it?", "I promise you a refund.", "I will ask about a refund."
GUARD, BILLING = "UNSAFE: it promises a refund.", "It was paid by card."
SUMMARY, LAST = "The customer wants a refund.", "Billing decides tomorrow."


def pictured() -> dict[str, list[set[str]]]:
    """For each scope the messages that the picture puts into it, each with its texts."""
    scopes: dict[str, list[set[str]]] = {scope: [] for scope in SCOPES}
    for row in ElementTree.parse(PICTURE).iter(f"{SVG}g"):
        texts = {text.get("class"): text.text or "" for text in row.iter(f"{SVG}text")}
        dots = [dot.get("cx", "") for dot in row.iter(f"{SVG}circle") if dot.get("class") == "in"]
        assert [COLUMNS[x] for x in dots] == row.get("data-scopes", "").split()
        for x in dots:
            both = {texts["said"], texts["raw"]} if "raw" in texts else {texts["said"]}
            scopes[COLUMNS[x]].append({texts["said"]} if COLUMNS[x] == "conversation" else both)
    return scopes


def read(transcript: Transcript) -> dict[str, list[set[str]]]:
    return {
        scope: [{m.text} if m.raw_text is None else {m.text, m.raw_text} for m in transcript.in_scope(scope)]
        for scope in SCOPES
    }


def output(text: str) -> ModelOutput:
    said = ModelOutput.from_content("mockllm/model", text)
    said.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return said


@agent(description="Knows the invoices.")
def billing() -> Agent:
    async def execute(state: AgentState) -> AgentState:
        state.output = await get_model().generate(state.messages)
        state.messages.append(state.output.message)
        return state

    return execute


@solver
def support() -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state = await generate(state)
        state.messages.append(ChatMessageUser(content="ORD-20481937"))
        state = await generate(state)
        guard = get_model("mockllm/model", role="guard", custom_outputs=[output(GUARD)], memoize=False)
        await guard.generate("Is this safe?")
        state.messages[-1].content = EDITED
        await run(billing(), "Was it paid?")
        summary = await get_model().generate("Sum it up.")
        transcript()._event(CompactionEvent(type="summary"))
        state.messages = [
            ChatMessageUser(content=summary.completion),
            state.messages[-1],
            ChatMessageUser(content="And?"),
        ]
        return await generate(state)

    return solve


def in_inspect(folder: Path) -> Transcript:
    outputs = [output(text) for text in (FIRST, PROMISE, BILLING, SUMMARY, LAST)]
    model = get_model("mockllm/model", custom_outputs=outputs, memoize=False)
    task = Task(dataset=[Sample("My money back!", id="refund")], solver=support())
    [log] = eval(task, model=model, log_dir=str(folder), display="none")
    [found] = read_transcripts(log.location)
    assert isinstance(found, Transcript), found
    return found


def message(id: str, text: str) -> dict[str, str]:
    return {"type": "ai", "id": id, "content": text}


def call(text: str, id: str, start: int, kind: str | None = None) -> dict[str, Any]:
    """A run of a model, marked as what it is."""
    metadata = {"ls_agent_type": kind} if kind else {}
    generation = {"text": text, "message": {"type": "ai", "data": message(id, text)}}
    return {
        "id": f"call-{start}",
        "run_type": "llm",
        "start_time": f"2026-01-01T00:00:{start:02}Z",
        "outputs": {"generations": [[generation]]},
        "extra": {"metadata": metadata},
    }


def in_langsmith(folder: Path) -> Transcript:
    asked = {"type": "human", "id": "q1", "content": "My money back!"}
    branch = call(BILLING, "m4", 4)
    tool = {"id": "tool", "run_type": "tool", "name": "billing", "start_time": "2026-01-01T00:00:03Z"}
    root = {
        "id": "root",
        "run_type": "chain",
        "inputs": {"messages": [asked]},
        "outputs": {
            "messages": [
                {"type": "human", "id": "s1", "content": SUMMARY},
                message("m2", EDITED),
                message("m6", LAST),
            ]
        },
        "child_runs": [
            call(FIRST, "m1", 0) | {"inputs": {"messages": [[asked]]}},
            call(PROMISE, "m2", 1) | {"inputs": {"messages": [[asked, message("m1", FIRST)]]}},
            call(GUARD, "m3", 2, "guard"),
            tool | {"outputs": {"output": BILLING}, "child_runs": [branch]},
            call(SUMMARY, "m5", 5, "compaction"),
            call(LAST, "m6", 6),
        ],
    }
    return transcript_from_run(root)


@pytest.mark.parametrize("framework", [in_inspect, in_langsmith])
def test_the_picture_is_true(framework: Any, tmp_path: Path) -> None:
    transcript = framework(tmp_path)
    assert read(transcript) == pictured()
    assert transcript.output == LAST
