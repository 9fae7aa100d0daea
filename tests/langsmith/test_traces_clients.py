"""Agents written by hand around the real clients of OpenAI and Anthropic."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from langsmith import traceable
from tests.langsmith.providers import (
    anthropic_client,
    anthropic_message,
    completion,
    openai_client,
    response,
    said,
    stream,
    tool_call,
)
from tests.langsmith.tracing import Recorder, conversation, model_calls, recording, run


@pytest.fixture(scope="module")
def recorder() -> Iterator[Recorder]:
    with recording() as made:
        yield made


@traceable(run_type="tool")
def search(query: str) -> str:
    return f"found {query}"


def test_loop_over_chat_completions(recorder: Recorder) -> None:
    client = openai_client(
        completion({"content": "I'll search.", "tool_calls": [tool_call("search")]}),
        completion({"content": "Found it."}),
    )

    @traceable
    def agent(question: str) -> str:
        messages: list[Any] = [
            {"role": "user", "content": "before"},
            {"role": "assistant", "content": "OLD reply"},
            {"role": "user", "content": question},
        ]
        first = client.chat.completions.create(model="m", messages=messages).choices[0].message
        result = {"role": "tool", "tool_call_id": "call-search", "content": search("x")}
        messages += [first.model_dump(exclude_none=True), result]
        second = client.chat.completions.create(model="m", messages=messages)
        return second.choices[0].message.content or ""

    transcript = recorder.trace(lambda: agent("q"))
    assert (
        run(transcript)
        == conversation(transcript)
        == model_calls(transcript)
        == ["I'll search.", "Found it."]
    )
    assert transcript.output == "Found it."


def test_loop_that_returns_all_messages(recorder: Recorder) -> None:
    client = openai_client(completion({"content": "one"}), completion({"content": "two"}))

    @traceable
    def chat(lines: list[str]) -> dict[str, Any]:
        messages: list[Any] = [{"role": "assistant", "content": "How can I help?"}]
        for line in lines:
            messages.append({"role": "user", "content": line})
            reply = client.chat.completions.create(model="m", messages=messages).choices[0].message
            messages.append({"role": "assistant", "content": reply.content})
        return {"messages": [*messages, {"role": "assistant", "content": "Bye."}]}

    transcript = recorder.trace(lambda: chat(["a", "b"]))
    # The greeting was given to the first call: from outside, or from an example. "Bye." was added by hand.
    assert run(transcript) == conversation(transcript) == ["one", "two", "Bye."]
    assert transcript.output == "Bye."


def test_refusal_and_alternatives(recorder: Recorder) -> None:
    client = openai_client(completion({"refusal": "I will not"}, {"content": "Sure"}))
    create = client.chat.completions.create
    transcript = recorder.trace(lambda: create(model="m", messages=[{"role": "user", "content": "q"}], n=2))
    assert run(transcript) == ["I will not", "Sure"]
    assert transcript.output == "I will not"


def test_stream_of_chunks(recorder: Recorder) -> None:
    client = openai_client(stream("Hel", "lo"))
    create = client.chat.completions.create
    transcript = recorder.trace(
        lambda: list(create(model="m", messages=[{"role": "user", "content": "q"}], stream=True))
    )
    assert run(transcript) == ["Hello"]
    assert transcript.output == "Hello"


def test_responses_with_a_sub_agent(recorder: Recorder) -> None:
    call = {"type": "function_call", "id": "f", "call_id": "c", "name": "ask", "arguments": "{}"}
    inner = openai_client(response(said("from the ", "expert")))
    outer = openai_client(response(said("Asking."), call), response(call), response(said("Answered.")))

    @traceable(run_type="tool")
    def ask_expert() -> str:
        return inner.responses.create(model="m", input="q").output_text

    @traceable
    def agent(question: str) -> dict[str, Any]:
        replies = [outer.responses.create(model="m", input=question), ask_expert()]
        outer.responses.create(model="m", input=question, previous_response_id="r")
        last = outer.responses.create(model="m", input=question, previous_response_id="r")
        return {"answer": last.output_text, "steps": len(replies)}

    transcript = recorder.trace(lambda: agent("q"))
    assert run(transcript) == ["Asking.", "from the expert", "", "Answered."]
    assert conversation(transcript) == ["Asking.", "", "Answered."]
    assert [message.agent for message in transcript.messages] == [None, "ask_expert", None, None]
    assert transcript.output == "Answered."


def test_blocks_of_anthropic(recorder: Recorder) -> None:
    client = anthropic_client(
        anthropic_message(
            {"type": "thinking", "thinking": "hidden", "signature": "s"},
            {"type": "text", "text": "Let me "},
            {"type": "text", "text": "look."},
            {"type": "tool_use", "id": "t", "name": "search", "input": {}},
            stop="tool_use",
        ),
        anthropic_message({"type": "text", "text": "Seen."}),
    )

    @traceable
    def agent(question: str) -> Any:
        messages: list[Any] = [{"role": "user", "content": question}]
        first = client.messages.create(model="m", max_tokens=9, messages=messages)
        result = [{"type": "tool_result", "tool_use_id": "t", "content": search("x")}]
        messages += [{"role": "assistant", "content": first.content}, {"role": "user", "content": result}]
        return client.messages.create(model="m", max_tokens=9, messages=messages)

    transcript = recorder.trace(lambda: agent("q"))
    assert run(transcript) == conversation(transcript) == ["Let me look.", "Seen."]
    assert transcript.output == "Seen."


def test_one_call_that_is_recorded_twice(recorder: Recorder) -> None:
    client = openai_client(completion({"content": "once"}))

    @traceable(run_type="llm")
    def model(messages: list[Any]) -> Any:
        return client.chat.completions.create(model="m", messages=messages)

    transcript = recorder.trace(lambda: model([{"role": "user", "content": "q"}]))
    assert run(transcript) == model_calls(transcript) == ["once"]


def test_reply_that_a_function_works_over(recorder: Recorder) -> None:
    client = openai_client(
        completion({"content": "THOUGHT: easy\nANSWER: 42"}), completion({"content": "42"})
    )

    @traceable
    def extract(words: str) -> str:
        reply = client.chat.completions.create(model="m", messages=[{"role": "user", "content": "q"}])
        return (reply.choices[0].message.content or "").split("ANSWER: ")[-1] + words

    cut_out = recorder.trace(lambda: extract(""))
    assert run(cut_out) == ["THOUGHT: easy\nANSWER: 42"]
    assert cut_out.output == "42"
    added_to = recorder.trace(lambda: extract(", I think"))
    assert run(added_to) == ["42", "42, I think"]
    assert added_to.output == "42, I think"


def test_call_that_is_marked_as_a_guard(recorder: Recorder) -> None:
    client = openai_client(completion({"content": "SAFE"}), completion({"content": "An answer"}))

    @traceable(metadata={"ls_agent_type": "middleware"})
    def guard(question: str) -> str:
        reply = client.chat.completions.create(model="m", messages=[{"role": "user", "content": question}])
        return reply.choices[0].message.content or ""

    @traceable
    def agent(question: str) -> str:
        guard(question)
        reply = client.chat.completions.create(model="m", messages=[{"role": "user", "content": question}])
        return reply.choices[0].message.content or ""

    transcript = recorder.trace(lambda: agent("q"))
    assert run(transcript) == conversation(transcript) == ["An answer"]
    assert model_calls(transcript) == ["SAFE", "An answer"]


def test_failed_call(recorder: Recorder) -> None:
    client = openai_client(completion({"content": "before"}))

    @traceable
    def agent(question: str) -> str:
        client.chat.completions.create(model="m", messages=[{"role": "user", "content": question}])
        raise ZeroDivisionError

    transcript = recorder.trace(lambda: agent("q"))
    assert run(transcript) == ["before"]
    assert transcript.output is None
