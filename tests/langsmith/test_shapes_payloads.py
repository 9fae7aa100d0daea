"""Outputs of runs, in every envelope."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage
from langchain_core.outputs import ChatGeneration, Generation, LLMResult
from langgraph.types import Command

from turngrade.adapters.langsmith.shapes import TEXT_KEYS, read_payload, read_root

TEXT = "the reply"
USER = {"role": "user", "content": "q"}
REPLY = {"role": "assistant", "content": TEXT}

REPLIES: dict[str, Any] = {
    "message": REPLY,
    "chat completion": {"choices": [{"index": 0, "message": REPLY}], "usage": {}},
    "completion": {"choices": [{"index": 0, "text": TEXT}]},
    "stream of completion chunks": [
        {"choices": [{"index": 0, "delta": {"role": "assistant", "content": "the "}}]},
        {"choices": [{"index": 0, "delta": {"content": "reply"}}]},
        {"choices": []},
    ],
    "response": {"output": [{"type": "reasoning"}, {"type": "message", **REPLY}], "status": "completed"},
    "items": [{"type": "reasoning"}, {"type": "message", **REPLY}],
    "anthropic message": {**REPLY, "stop_reason": "end_turn", "output": ["the ", "reply"]},
    "anthropic completion": {"completion": TEXT, "stop_reason": "stop_sequence"},
    "stream of anthropic events": [
        {"type": "message_start", "message": {"role": "assistant", "content": []}},
        {"type": "content_block_start", "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "delta": {"type": "text_delta", "text": "the "}},
        {"type": "content_block_delta", "delta": {"type": "thinking_delta", "thinking": "hm"}},
        {"type": "content_block_delta", "delta": {"type": "text_delta", "text": "reply"}},
        {"type": "message_stop"},
    ],
    "gemini": {
        "candidates": [{"content": {"role": "model", "parts": [{"text": "the "}, {"text": "reply"}]}}]
    },
    "gemini stream": {"content": TEXT, "usage_metadata": {}},
    "ai sdk": {"content": [{"type": "text", "text": TEXT}], "finishReason": "stop"},
    "ai sdk text": {"text": TEXT, "toolCalls": [], "finishReason": "stop"},
    "ollama": {"message": REPLY, "done": True},
    "bedrock": {"output": {"message": {"role": "assistant", "content": [{"text": TEXT}]}}},
    "generations": {"generations": [[{"text": "not this", "message": {"type": "ai", "content": TEXT}}]]},
    "live result": LLMResult(generations=[[ChatGeneration(message=AIMessage(TEXT))]]),
    "live generation": {"generations": [[Generation(text=TEXT)]]},
    "otel messages": {
        "gen_ai.output.messages": '[{"role":"assistant","parts":[{"type":"text","content":"the reply"}]}]'
    },
    "otel value": {"output.value": TEXT},
    "chunks": [AIMessageChunk(content="the "), AIMessageChunk(content="reply")],
    "text stream": [
        {"type": "start"},
        {"type": "text-delta", "id": "0", "delta": "the "},
        {"type": "text-delta", "textDelta": "reply"},
        {"type": "finish", "finishReason": "stop"},
    ],
    "pairs of a streamed graph": [
        [AIMessageChunk(content="the ", id="a"), {"langgraph_node": "say"}],
        [AIMessageChunk(content="reply", id="a"), {"langgraph_node": "say"}],
    ],
}
STATES: dict[str, Any] = {
    "state": {"messages": [USER, REPLY]},
    "single message": {"messages": AIMessage(TEXT)},
    "command": Command(update={"messages": [AIMessage(TEXT)]}, goto="next"),
    "list of commands": [Command(update={"messages": [AIMessage(TEXT)]})],
    "update of a node": {"say": {"messages": [REPLY]}},
    "streamed updates": [{"plan": {"todo": []}}, {"say": {"messages": [REPLY]}}],
    "streamed values": [{"messages": [USER]}, {"messages": [USER, REPLY]}],
    "list": [USER, REPLY],
    "other key": {"trajectory": [USER, REPLY], "turns": 1},
}


@pytest.mark.parametrize("name", REPLIES)
def test_replies(name: str) -> None:
    reading = read_payload(REPLIES[name])
    assert [message.text for message in reading.assistant] == [TEXT]
    assert reading.kind in ("reply", "text") or name == "otel messages"


@pytest.mark.parametrize("name", STATES)
def test_states(name: str) -> None:
    reading = read_payload(STATES[name])
    assert reading.kind == "state"
    assert [message.text for message in reading.assistant] == [TEXT]


@pytest.mark.parametrize("key", TEXT_KEYS)
@pytest.mark.parametrize("name", [*REPLIES, *STATES])
def test_replies_and_states_under_a_key(name: str, key: str) -> None:
    payload = {key: {**REPLIES, **STATES}[name], "documents": ["d"], "score": 1.0}
    assert [message.text for message in read_payload(payload).assistant] == [TEXT]


@given(st.text(min_size=1), st.lists(st.sampled_from(TEXT_KEYS), max_size=4))
def test_text_is_found_under_known_keys(text: str, keys: list[str]) -> None:
    value: Any = text
    for key in keys:
        value = {key: value}
    reading = read_payload(value)
    assert reading.kind == "text"
    assert [message.text for message in reading.messages] == [text]


@given(st.lists(st.text(), min_size=1))
def test_strings_of_a_list_are_joined(chunks: list[str]) -> None:
    reading = read_payload({"output": chunks})
    assert (reading.kind, reading.messages[0].text) == ("text", "".join(chunks))


@pytest.mark.parametrize(
    "value", [None, {}, [], "", {"output": None}, {"output": ""}, {"outputs": {}}, {"a": None}]
)
def test_nothing(value: Any) -> None:
    assert read_payload(value).kind == "empty"


@pytest.mark.parametrize(
    "value", [7, True, 1.5, object(), {"score": 1}, {"output": 7}, {"output": ["a", {"b": 1}]}]
)
def test_data_without_text(value: Any) -> None:
    assert read_payload(value).kind == "data"


def test_alternatives_are_numbered() -> None:
    choices = {"choices": [{"message": {"role": "assistant", "content": text}} for text in "ab"]}
    generations = {"generations": [[{"text": "a"}, {"text": "b"}]]}
    candidates = {"candidates": [{"content": {"parts": [{"text": text}]}} for text in "ab"]}
    for payload in (choices, generations, candidates):
        found = read_payload(payload).messages
        assert [(message.text, message.candidate) for message in found] == [("a", 0), ("b", 1)]


@pytest.mark.parametrize(
    "payload",
    [
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "function": {"name": "f"}}]},
        {"choices": [{"message": {"role": "assistant", "content": None, "tool_calls": [{"id": "c"}]}}]},
        {"output": [{"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}]},
        {"content": [{"type": "tool-call", "toolCallId": "c"}], "finishReason": "tool-calls"},
        {"toolCalls": [{"toolCallId": "c"}], "finishReason": "tool-calls"},
        {
            "generations": [
                [{"text": "", "message": AIMessage("", tool_calls=[{"name": "f", "args": {}, "id": "c"}])}]
            ]
        },
    ],
)
def test_a_reply_that_only_calls_tools_is_a_message(payload: Any) -> None:
    (message,) = read_payload(payload).messages
    assert (message.role, message.text, message.tools) == ("assistant", "", ("c",))


def test_failed_and_abandoned_calls() -> None:
    assert read_payload({"generations": [[]], "llm_output": None}).messages == ()
    abandoned = {"generations": [[{"message": {"type": "AIMessageChunk", "content": "Hel"}}], []]}
    assert [message.text for message in read_payload(abandoned).messages] == ["Hel"]


def test_the_only_output_that_is_not_an_input_is_the_text() -> None:
    assert read_root({"question": "q", "sql": "SELECT 1"}, {"question": "q"}).messages[0].text == "SELECT 1"
    assert read_root({"sql": "SELECT 1"}, {}).messages[0].text == "SELECT 1"
    assert read_root({"label": "a", "score": 1}, {}).kind == "data"
    assert read_root({"label": "a", "reason": "b"}, {}).kind == "data"


def test_deep_payloads_end() -> None:
    value: Any = TEXT
    for _level in range(5000):
        value = {"output": value, "result": [value]}
    assert read_payload(value).kind in ("data", "empty")
    endless: dict[str, Any] = {}
    endless["output"] = endless["result"] = endless
    assert read_payload(endless).kind == "data"


def test_messages_come_before_texts_beside_them() -> None:
    payload = {"output": "a text", "messages": [HumanMessage("q"), AIMessage(TEXT)]}
    assert read_payload(payload).kind == "state"
