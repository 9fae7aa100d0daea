"""Every recorded file gives the messages and the output that were agreed on."""

from __future__ import annotations

from typing import Any

import pytest
from tests.langsmith.recorded import DATA, expected, traces_in

from turngrade.adapters.langsmith import is_export, read_transcripts
from turngrade.core import AssistantMessage, Transcript

OVERRULED: dict[str, str] = {}
"""Files whose expectation is wrong, with the reason. There is none."""

DECIDED: dict[str, tuple[list[str], str | None, str]] = {
    "langchain_chain_parallel.json": (
        ["branch a", "branch b"],
        None,
        "Two branches are two replies; neither is the last, so that output_key has to name the output.",
    ),
    "openai_agents_guardrail.json": (
        ["Main answer to user"],
        "Main answer to user",
        "The tracer copied the guard's call, which ended last, up to the root; the agent's reply counts.",
    ),
    "traceable_tuple_out.json": (
        [],
        None,
        "A tuple of a text and data may be anything; output_key (output.0) says which part is the text.",
    ),
}
"""What was left open: assistant messages, final output, and why."""

DECIDED_OUTPUT = {
    "openai_agents_refusal.json": ("I will not", "A refusal is text."),
    "traceable_parallel.json": (
        "agent Aagent B",
        "A list of strings is joined: it may be a stream's chunks.",
    ),
}
"""Final outputs that were left open, and why they are what they are."""

WITHOUT_RUNS = {"anthropic_old_stream_final_only.json", "anthropic_stream_final_only.json"}
"""Files of runs that recorded nothing."""

CONVERSATIONS = {
    "langgraph_subagent_as_tool.json": ["Asking expert", "Expert agrees"],
    "openai_agents_agent_as_tool.json": ["", "Outer final"],
    "traceable_nested_multi.json": ["step 1", "step 3"],
}
"""Files whose scope ``conversation`` differs from scope ``run``."""

MODEL_CALLS = {
    "langgraph_hidden_llm.json": ["SAFE", "user visible"],
    "openai_agents_guardrail.json": ["judge says fine", "Main answer to user"],
}
"""Files whose scope ``model-calls`` differs from scope ``run``."""

FILES = sorted(set(expected()) - WITHOUT_RUNS)


def transcripts(name: str) -> list[Transcript]:
    found = [item for item in read_transcripts(DATA / name) if isinstance(item, Transcript)]
    assert len(found) == len(traces_in(name))
    return found


def texts(messages: tuple[AssistantMessage, ...]) -> list[str]:
    assert [message.index for message in messages] == list(range(len(messages)))
    return [message.text for message in messages]


def outcome(name: str) -> list[dict[str, Any]]:
    if name in DECIDED:
        assistant, output, _why = DECIDED[name]
        return [{"assistant": assistant, "output": output}]
    traces: list[dict[str, Any]] = expected()[name]["traces"]
    if name in DECIDED_OUTPUT:
        return [{**trace, "output": DECIDED_OUTPUT[name][0]} for trace in traces]
    return traces


@pytest.mark.parametrize("name", FILES)
def test_scope_run_and_output(name: str) -> None:
    for transcript, want in zip(transcripts(name), outcome(name), strict=True):
        said = texts(transcript.messages)
        assert [text for text in said if text] == [text for text in want["assistant"] if text]
        assert transcript.output == (want["output"] or None)
        assert transcript.incomplete is None


@pytest.mark.parametrize("name", FILES)
def test_scopes_conversation_and_model_calls(name: str) -> None:
    for transcript in transcripts(name):
        run = texts(transcript.messages)
        conversation = texts(transcript.in_scope("conversation"))
        assert conversation == CONVERSATIONS.get(name, run)
        assert texts(transcript.in_scope("model-calls")) == MODEL_CALLS.get(name, run)
        assert [message.text for message in transcript.messages if message.in_conversation] == conversation


@pytest.mark.parametrize("name", sorted(WITHOUT_RUNS))
def test_files_without_runs_hold_no_transcript(name: str) -> None:
    assert is_export(DATA / name)
    assert list(read_transcripts(DATA / name)) == []


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("anthropic_refusal.json", 1),
        ("anthropic_tool_only.json", 1),
        ("langchain_invoke_toolonly.json", 1),
        ("lc_chat_tool.json", 1),
        ("openai_agents_agent_as_tool.json", 1),
        ("openai_chat_stream_refusal.json", 1),
        ("openai_chat_stream_tool.json", 1),
    ],
)
def test_messages_without_text_are_kept(name: str, count: int) -> None:
    assert sum(text == "" for text in texts(transcripts(name)[0].messages)) == count


def test_nothing_that_is_open_is_left_undecided() -> None:
    undecided = {name for name, want in expected().items() if want["traces"] is None} - WITHOUT_RUNS
    assert undecided == set(DECIDED)
    no_output = {
        name for name, want in expected().items() for trace in want["traces"] or [] if trace["output"] is None
    }
    assert no_output == set(DECIDED_OUTPUT)
    assert set(expected()).issuperset(OVERRULED)


def test_data_without_text_asks_for_an_output_key() -> None:
    for name in ("langchain_chain_parallel.json", "traceable_tuple_out.json"):
        assert transcripts(name)[0].output_without_text
    for name in ("traceable_none_out.json", "anthropic_refusal.json", "openai_chat_error.json"):
        assert not transcripts(name)[0].output_without_text


def test_output_fields_are_looked_up_by_the_spec() -> None:
    parallel = transcripts("langchain_chain_parallel.json")[0].output_fields
    assert parallel is not None
    assert parallel["a"] == "branch a"
    pair = transcripts("traceable_tuple_out.json")[0].output_fields
    assert pair is not None
    assert pair["output"]["0"] == "a"
    assert pair["output"]["1"]["b"] == 1


@pytest.mark.parametrize(
    ("name", "agents"),
    [
        ("langgraph_subagent_as_tool.json", [None, "ask_expert", None]),
        ("openai_agents_agent_as_tool.json", [None, "ask_expert", None]),
        ("openai_loop.json", [None, None]),
    ],
)
def test_sub_agents_are_named(name: str, agents: list[str | None]) -> None:
    assert [message.agent for message in transcripts(name)[0].messages] == agents


def test_ids_and_source_are_told() -> None:
    transcript = transcripts("langgraph_react.json")[0]
    assert transcript.source == str(DATA / "langgraph_react.json")
    assert transcript.id == traces_in("langgraph_react.json")[0][0]["id"]
    assert all(
        message.id is not None and message.id.startswith("lc_run--") for message in transcript.messages
    )
