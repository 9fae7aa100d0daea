"""Runs inside the process that made them: live objects in their outputs, and trees that are still growing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langsmith import traceable
from langsmith.run_trees import RunTree
from pydantic import BaseModel
from tests.langsmith.tracing import Recorder, Scripted, conversation, model_calls, recording, run

from turngrade.adapters.langsmith import transcript_from_run


@pytest.fixture(scope="module")
def recorder() -> Iterator[Recorder]:
    with recording() as made:
        yield made


@pytest.fixture(autouse=True)
def traced(clean_langsmith: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGSMITH_TRACING", "true")


def live(function: Callable[..., Any]) -> RunTree:
    """The tree of a traced function's run, as an evaluator gets it."""
    ended: list[RunTree] = []
    function("q", langsmith_extra={"on_end": ended.append})
    return ended[-1]


class Answer(BaseModel):
    text: str
    sources: list[str] = []


@dataclass
class Reply:
    answer: str


@traceable
def messages(_question: str) -> Any:
    return {
        "messages": [
            HumanMessage("hi"),
            AIMessage("Hello"),
            ToolMessage("x", tool_call_id="t"),
            AIMessage("!"),
        ]
    }


@traceable
def one_message(_question: str) -> Any:
    return AIMessage([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Hello"}])


@traceable
def model_object(_question: str) -> Any:
    return Answer(text="Hello")


@traceable
def nested_objects(_question: str) -> Any:
    return {"result": Reply("Hello"), "score": 1.0}


@traceable
def ends_in_a_tool(_question: str) -> Any:
    return [HumanMessage("hi"), AIMessage("Hello"), ToolMessage("x", tool_call_id="t")]


@pytest.mark.parametrize(
    ("function", "said", "output"),
    [
        (messages, ["Hello", "!"], "!"),
        (one_message, ["Hello"], "Hello"),
        (model_object, ["Hello"], "Hello"),
        (nested_objects, ["Hello"], "Hello"),
        (ends_in_a_tool, ["Hello"], None),
    ],
)
def test_objects_in_the_outputs(
    recorder: Recorder, function: Any, said: list[str], output: str | None
) -> None:
    transcript = transcript_from_run(live(function))
    assert run(transcript) == said
    assert transcript.output == output
    assert transcript.incomplete is None
    uploaded = recorder.transcripts()[-1]
    assert (run(uploaded), uploaded.output) == (said, output)


def test_fields_of_objects_are_found_by_name() -> None:
    @traceable
    def answer(_question: str) -> Any:
        return {
            "judgement": {"reply": Answer(text="Hello", sources=["a"]), "message": AIMessage("Hi")},
            "n": 1,
        }

    fields = transcript_from_run(live(answer)).output_fields
    assert fields is not None
    assert fields["judgement"]["reply"]["text"] == "Hello"
    assert fields["judgement"]["reply"]["sources"]["0"] == "a"
    assert fields["judgement"]["message"] == "Hi"


def test_a_generator_is_not_consumed() -> None:
    chunks = iter(["Hel", "lo"])
    run_tree = RunTree(name="streaming", run_type="chain", inputs={}, outputs={"output": chunks})
    transcript = transcript_from_run(run_tree)
    assert list(chunks) == ["Hel", "lo"]
    assert transcript.output is None
    assert transcript.output_without_text
    assert "generator" in str(transcript.incomplete)


def test_a_live_tree_is_like_the_uploaded_one(recorder: Recorder) -> None:
    agent = create_agent(Scripted(script=["from the graph"]), [])
    judge = Scripted(script=["a judgement"])

    @traceable
    def target(question: str) -> Any:
        state = agent.invoke({"messages": [HumanMessage(question)]})
        judge.invoke(question)
        return {"messages": [message for message in state["messages"] if isinstance(message, AIMessage)]}

    tree = live(target)
    assert [child.name for child in tree.child_runs] == ["LangGraph", "Scripted"]
    here, there = transcript_from_run(tree), recorder.transcripts()[-1]
    assert run(here) == run(there) == ["from the graph", "a judgement"]
    assert conversation(here) == conversation(there)
    assert model_calls(here) == model_calls(there)
    assert here.output == there.output == "from the graph"


def test_arrays_do_not_get_in_the_way() -> None:
    class Array:
        def __eq__(self, other: object) -> Any:
            raise ValueError("ambiguous")

        __hash__ = None  # type: ignore[assignment]

    array = Array()
    outputs: dict[str, Any] = {"vector": array, "summary": "Hello"}
    transcript = transcript_from_run(
        RunTree(name="a", run_type="chain", inputs={"vector": array}, outputs=outputs)
    )
    assert transcript.output is None
    assert transcript.output_without_text
