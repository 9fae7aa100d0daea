"""LangGraph and LangChain agents, run for real: what each scope holds of their traces."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import SummarizationMiddleware
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, RemoveMessage
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import Command, interrupt
from langsmith import traceable
from tests.langsmith.tracing import Recorder, Scripted, calls, conversation, model_calls, recording, run

from turngrade.adapters.langsmith import group_by_thread

Update = dict[str, list[AnyMessage | RemoveMessage]]


@pytest.fixture(scope="module")
def recorder() -> Iterator[Recorder]:
    with recording() as made:
        yield made


@pytest.fixture(autouse=True)
def traced(clean_langsmith: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGSMITH_TRACING", "true")


def line(*nodes: Any, **options: Any) -> Any:
    """A graph of nodes one after the other."""
    graph = StateGraph(MessagesState)
    names = [node.__name__ for node in nodes]
    for name, node in zip(names, nodes, strict=True):
        graph.add_node(name, node)
    for one, other in zip([START, *names], [*names, END], strict=True):
        graph.add_edge(one, other)
    return graph.compile(**options)


def ask(graph: Any, text: str = "hi", thread: str | None = None) -> Any:
    config = {"configurable": {"thread_id": thread}} if thread else None
    return graph.invoke({"messages": [HumanMessage(text)]}, config)


def test_sub_agent_and_checkpointer(recorder: Recorder) -> None:
    expert = create_agent(Scripted(script=["inner one", "inner two"]), [])

    @tool
    def ask_expert(question: str) -> str:
        """Ask the expert."""
        return str(ask(expert, question)["messages"][-1].content)

    script: list[Any] = [calls("ask_expert", "Let me ask", question="q"), "The expert agrees"]
    script += [calls("ask_expert", question="q"), "Still agrees"]
    agent = create_agent(Scripted(script=script), [ask_expert], checkpointer=InMemorySaver())

    first = recorder.trace(lambda: ask(agent, thread="thread-1"))
    assert run(first) == ["Let me ask", "inner one", "The expert agrees"]
    assert conversation(first) == ["Let me ask", "The expert agrees"]
    assert [message.agent for message in first.messages] == [None, "ask_expert", None]
    assert first.output == "The expert agrees"

    second = recorder.trace(lambda: ask(agent, "and now?", thread="thread-1"))
    assert run(second) == ["", "inner two", "Still agrees"]
    assert conversation(second) == ["", "Still agrees"]
    assert second.output == "Still agrees"

    (thread,) = group_by_thread([second, first])
    assert getattr(thread, "id", None) == "thread-1"
    assert run(thread) == [*run(first), *run(second)]  # type: ignore[arg-type]


def test_equal_replies_in_two_turns(recorder: Recorder) -> None:
    agent = create_agent(Scripted(script=["OK", "OK"]), [], checkpointer=InMemorySaver())
    for _turn in range(2):
        transcript = recorder.trace(lambda: ask(agent, "yes", thread="thread-2"))
        assert run(transcript) == conversation(transcript) == model_calls(transcript) == ["OK"]


def test_summary_of_the_conversation(recorder: Recorder) -> None:
    summariser = Scripted(script=["SUMMARY: they greeted"])
    middleware = SummarizationMiddleware(model=summariser, trigger=("messages", 4), keep=("messages", 1))
    agent = create_agent(
        Scripted(script=["one", "two", "three"]), [], middleware=[middleware], checkpointer=InMemorySaver()
    )
    turns = [recorder.trace(partial(ask, agent, f"turn {n}", "thread-3")) for n in range(3)]
    assert [run(turn) for turn in turns] == [["one"], ["two"], ["three"]]
    assert model_calls(turns[2]) == ["SUMMARY: they greeted", "three"]
    assert turns[2].output == "three"


def test_message_edited_by_a_later_node(recorder: Recorder) -> None:
    chat = Scripted(script=["Call 555-0100"])

    def say(state: MessagesState) -> Update:
        return {"messages": [chat.invoke(state["messages"])]}

    def redact(state: MessagesState) -> Update:
        return {"messages": [AIMessage("Call [number]", id=state["messages"][-1].id)]}

    transcript = recorder.trace(lambda: ask(line(say, redact)))
    (message,) = transcript.messages
    assert (message.text, message.raw_text, message.in_conversation) == (
        "Call [number]",
        "Call 555-0100",
        True,
    )
    assert transcript.output == "Call [number]"
    (said,) = transcript.in_scope("conversation")
    assert (said.text, said.raw_text) == ("Call [number]", None)


def test_draft_that_was_removed(recorder: Recorder) -> None:
    chat = Scripted(script=["bad draft", "good answer"])

    def draft(state: MessagesState) -> Update:
        return {"messages": [chat.invoke(state["messages"])]}

    def again(state: MessagesState) -> Update:
        removed = RemoveMessage(id=str(state["messages"][-1].id))
        return {"messages": [removed, chat.invoke(state["messages"][:-1])]}

    transcript = recorder.trace(lambda: ask(line(draft, again)))
    assert run(transcript) == model_calls(transcript) == ["bad draft", "good answer"]
    assert conversation(transcript) == ["good answer"]
    assert [message.in_conversation for message in transcript.messages] == [False, True]


def test_guard_and_canned_message(recorder: Recorder) -> None:
    guard, chat = Scripted(script=["UNSAFE"]), Scripted(script=["an answer"])

    def check(state: MessagesState) -> Update:
        guard.invoke(state["messages"])
        return {"messages": []}

    def say(state: MessagesState) -> Update:
        return {"messages": [AIMessage("One moment."), chat.invoke(state["messages"]), AIMessage("Bye.")]}

    transcript = recorder.trace(lambda: ask(line(check, say)))
    assert run(transcript) == conversation(transcript) == ["One moment.", "an answer", "Bye."]
    assert model_calls(transcript) == ["UNSAFE", "One moment.", "an answer", "Bye."]


def test_canned_message_that_was_removed(recorder: Recorder) -> None:
    def wait(state: MessagesState) -> Update:
        return {"messages": [AIMessage("Please wait.", id="wait")]}

    def answer(state: MessagesState) -> Update:
        return {"messages": [RemoveMessage(id="wait"), AIMessage("Done.")]}

    transcript = recorder.trace(lambda: ask(line(wait, answer)))
    assert run(transcript) == ["Please wait.", "Done."]
    assert conversation(transcript) == ["Done."]


def test_resumed_after_an_interrupt(recorder: Recorder) -> None:
    chat = Scripted(script=["May I?", "Done."])

    def plan(state: MessagesState) -> Update:
        return {"messages": [chat.invoke(state["messages"])]}

    def act(state: MessagesState) -> Update:
        interrupt("ok?")
        return {"messages": [chat.invoke(state["messages"])]}

    graph = line(plan, act, checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "thread-4"}}
    first = recorder.trace(lambda: graph.invoke({"messages": [HumanMessage("hi")]}, config))
    assert (run(first), first.output) == (["May I?"], "May I?")
    second = recorder.trace(lambda: graph.invoke(Command(resume="yes"), config))
    assert (run(second), conversation(second), second.output) == (["Done."], ["Done."], "Done.")


def test_graph_called_by_a_function(recorder: Recorder) -> None:
    agent = create_agent(Scripted(script=[calls("nothing", "Looking"), "Found"]), [nothing])
    judge = Scripted(script=["not in the graph"])

    @traceable
    def target(question: str) -> str:
        text = str(ask(agent, question)["messages"][-1].content)
        judge.invoke(text)
        return text

    transcript = recorder.trace(lambda: target("q"))
    assert run(transcript) == conversation(transcript) == ["Looking", "Found", "not in the graph"]
    assert transcript.output == "Found"


@tool
def nothing() -> str:
    """Do nothing."""
    return "done"


def test_call_of_a_model_in_a_tool(recorder: Recorder) -> None:
    inner = Scripted(script=["inside the tool"])

    @tool
    def think() -> str:
        """Think."""
        return str(inner.invoke("think").content)

    agent = create_agent(Scripted(script=[calls("think"), "thought"]), [think])
    transcript = recorder.trace(lambda: ask(agent))
    assert run(transcript) == ["", "inside the tool", "thought"]
    assert conversation(transcript) == ["", "thought"]


def test_graph_that_fails(recorder: Recorder) -> None:
    chat = Scripted(script=["before the fault"])

    def say(state: MessagesState) -> Update:
        return {"messages": [chat.invoke(state["messages"])]}

    def fail(state: MessagesState) -> Update:
        raise ZeroDivisionError

    transcript = recorder.trace(lambda: ask(line(say, fail)))
    assert run(transcript) == conversation(transcript) == ["before the fault"]
    assert transcript.output is None
    assert not transcript.output_without_text


@pytest.mark.parametrize("mode", ["values", "updates", "messages", ["updates", "messages"]])
def test_streamed_graph(recorder: Recorder, mode: Any) -> None:
    agent = create_agent(Scripted(script=[calls("nothing", "Looking"), "Found"]), [nothing])
    state = {"messages": [HumanMessage("hi"), AIMessage("OLD"), HumanMessage("again")]}
    transcript = recorder.trace(lambda: list(agent.stream(state, stream_mode=mode)))  # type: ignore[call-overload]
    assert run(transcript) == conversation(transcript) == ["Looking", "Found"]
    assert transcript.output == "Found"


def test_agents_as_nodes(recorder: Recorder) -> None:
    writer = create_agent(Scripted(script=["a text"]), [], name="writer")
    editor = create_agent(Scripted(script=["a better text"]), [], name="editor")
    graph = StateGraph(MessagesState)
    graph.add_node("writer", writer)
    graph.add_node("editor", editor)
    graph.add_edge(START, "writer")
    graph.add_edge("writer", "editor")
    compiled = graph.compile()
    transcript = recorder.trace(lambda: ask(compiled))
    assert run(transcript) == conversation(transcript) == ["a text", "a better text"]
    assert [message.agent for message in transcript.messages] == ["writer", "editor"]


def test_examples_in_a_prompt_are_no_turns(recorder: Recorder) -> None:
    prompt = ChatPromptTemplate(
        [("human", "2+2?"), ("ai", "4, an example"), ("human", "{question}")],
    )
    chain = prompt | Scripted(script=["6"])
    transcript = recorder.trace(lambda: chain.invoke({"question": "3+3?"}))
    assert run(transcript) == conversation(transcript) == model_calls(transcript) == ["6"]
