"""Whatever runs hold: reading them never fails, and the scopes stand in their order."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turngrade.adapters.langsmith import transcript_from_trace
from turngrade.core import AssistantMessage, Transcript

KEYS = st.sampled_from(
    [
        "role",
        "type",
        "content",
        "text",
        "messages",
        "output",
        "outputs",
        "answer",
        "generations",
        "choices",
        "message",
        "delta",
        "id",
        "kwargs",
        "lc",
        "data",
        "candidates",
        "parts",
        "tool_calls",
        "name",
        "index",
        "update",
        "goto",
        "refusal",
        "audio",
        "transcript",
        "input",
        "inputs",
        "history",
        "value",
        "finishReason",
        "thought",
        "additional_kwargs",
        "call_id",
        "toolCallId",
        "summary",
        "args",
        "gen_ai.completion",
        "tools",
    ]
)
WORDS = st.sampled_from(
    [
        "assistant",
        "ai",
        "user",
        "human",
        "tool",
        "system",
        "remove",
        "constructor",
        "message",
        "text",
        "output_text",
        "refusal",
        "reasoning",
        "thinking",
        "function_call",
        "function_call_output",
        "AIMessageChunk",
        "tool_use",
        "text-delta",
        "content_block_delta",
        "hello",
        "m1",
        "m2",
        "lc_run--11111111-1111-1111-1111-111111111111-0",
    ]
)
ATOMS = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 3), st.floats(allow_nan=False), WORDS, st.text(max_size=5)
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    ATOMS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5), max_leaves=20
)
PAYLOADS = st.dictionaries(KEYS, VALUES, max_size=5) | VALUES


def is_part(shorter: tuple[AssistantMessage, ...], longer: tuple[AssistantMessage, ...]) -> bool:
    """Whether the texts stand in the longer list in the same order."""
    rest = iter([message.text for message in longer])
    return all(any(text == other for other in rest) for text in [message.text for message in shorter])


@st.composite
def traces(draw: st.DrawFn) -> list[dict[str, Any]]:
    runs: list[dict[str, Any]] = []
    for number in range(draw(st.integers(1, 6))):
        parent = str(draw(st.integers(0, number - 1))) if number else None
        metadata = draw(
            st.sampled_from([{}, {"ls_agent_type": "middleware"}, {"ls_agent_type": "subagent"}, None])
        )
        runs.append(
            {
                "id": str(number),
                "parent_run_id": parent,
                "run_type": draw(st.sampled_from(["chain", "llm", "tool", "prompt", "LLM", None])),
                "inputs": draw(PAYLOADS),
                "outputs": draw(PAYLOADS),
                "error": draw(st.sampled_from([None, None, "ValueError()"])),
                "tags": draw(st.sampled_from([[], ["graph:step:1"], None])),
                "extra": {"metadata": metadata},
            }
        )
    return runs


@st.composite
def traces_that_share(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Traces whose runs hold the same objects, as live ones do."""
    runs = draw(traces())
    pool = [run["outputs"] for run in runs] + [{"messages": [run["outputs"] for run in runs]}]
    for run in runs:
        if draw(st.booleans()):
            run["inputs"] = draw(st.sampled_from(pool))
    return runs


@settings(max_examples=40, deadline=None)
@given(traces() | traces_that_share())
def test_any_trace_is_read(runs: list[dict[str, Any]]) -> None:
    check_trace(runs)


@pytest.mark.slow
@settings(max_examples=1000, deadline=None)
@given(traces() | traces_that_share())
def test_any_trace_is_read_many(runs: list[dict[str, Any]]) -> None:
    check_trace(runs)


def check_trace(runs: list[dict[str, Any]]) -> None:
    before = copy.deepcopy(runs)
    transcript = transcript_from_trace(runs)
    assert runs == before
    check(transcript)
    again = transcript_from_trace(json.loads(json.dumps(runs)))
    assert again.messages == transcript.messages
    assert again.output == transcript.output


def check(transcript: Transcript) -> None:
    lists = [transcript.in_scope(scope) for scope in ("conversation", "run", "model-calls")]
    for messages in lists:
        assert [message.index for message in messages] == list(range(len(messages)))
        assert all(isinstance(message.text, str) for message in messages)
    conversation, run, calls = lists
    assert is_part(run, calls)
    assert {message.text for message in conversation} <= {message.text for message in run}
    assert transcript.output is None or (isinstance(transcript.output, str) and transcript.output)
    assert not (transcript.output and transcript.output_without_text)
    fields = transcript.output_fields
    assert fields is None or len(dict(fields)) == len(fields)


@settings(max_examples=100, deadline=None)
@given(PAYLOADS, st.sampled_from(["chain", "llm"]))
def test_a_transcript_has_its_output_among_its_messages(outputs: Any, run_type: str) -> None:
    transcript = transcript_from_trace([{"id": "1", "run_type": run_type, "outputs": outputs}])
    check(transcript)
    if transcript.output is not None:
        assert transcript.output in [message.text for message in transcript.messages]
