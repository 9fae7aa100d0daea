"""Lists that grow while the run goes on: by reference, by hand, and by users who repeat themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from langsmith import traceable
from langsmith.run_trees import RunTree
from tests.langsmith.test_traces_rules import ai, chain, llm, node, read, scopes, user
from tests.langsmith.tracing import Recorder, Scripted, conversation, recording, run

from turngrade.adapters.langsmith import transcript_from_run

Copy = Callable[[list[Any]], list[Any]]


def same(messages: list[Any]) -> list[Any]:
    return messages


@pytest.fixture
def recorder(clean_langsmith: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Recorder]:
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    with recording() as made:
        yield made


@traceable(run_type="llm")
def model(messages: list[Any], reply: Any) -> Any:
    return reply


@traceable
def loop(question: str, replies: list[str], copied: Copy) -> Any:
    messages = [user(question)]
    for reply in replies:
        messages.append(model(copied(messages), ai(reply)))
        messages.append(user("go on"))
    return {"messages": messages[:-1]}


@traceable
def unfinished(question: str, replies: list[str], copied: Copy) -> Any:
    """The last reply is not appended to the list itself."""
    messages = [user(question)]
    for reply in replies[:-1]:
        messages += [model(copied(messages), ai(reply)), user("go on")]
    return {"messages": [*messages, model(copied(messages), ai(replies[-1]))]}


@traceable
def by_hand(question: str, replies: list[str], copied: Copy) -> Any:
    messages = [user(question), model(copied([user(question)]), ai(replies[0])), user("go on")]
    for reply in replies[1:]:
        messages.append(model(copied(messages), ai(reply)))
    return {"messages": messages}


@traceable
def objects(question: str, replies: list[str], copied: Copy) -> Any:
    messages: list[AnyMessage] = [HumanMessage(question)]
    for reply in replies:
        messages.append(model(copied(messages), AIMessage(reply)))
        messages.append(HumanMessage("go on"))
    return {"messages": messages}


@traceable
def step(state: dict[str, Any], reply: str, copied: Copy) -> Any:
    state["messages"].append(model(copied(list(state["messages"])), ai(reply)))
    return state


@traceable
def helpers(question: str, replies: list[str], copied: Copy) -> Any:
    state = {"messages": [user(question)]}
    for reply in replies:
        step(state, reply, copied)
        state["messages"].append(user("go on"))
    return state


@traceable
def appends(messages: list[Any], reply: str, copied: Copy) -> None:
    messages.append(model(copied(messages), ai(reply)))


@traceable
def mutating_helpers(question: str, replies: list[str], copied: Copy) -> Any:
    messages = [user(question)]
    for reply in replies:
        appends(messages, reply, copied)
    return {"messages": messages}


def live(function: Any, *args: Any) -> RunTree:
    ended: list[RunTree] = []
    function(*args, langsmith_extra={"on_end": ended.append})
    return ended[-1]


@pytest.mark.parametrize("replies", [["I promise", "done"], ["one", "two", "three"], ["OK", "OK"]])
@pytest.mark.parametrize("function", [loop, unfinished, by_hand, objects, helpers, mutating_helpers])
def test_a_list_that_is_appended_to_is_like_its_copies(
    recorder: Recorder, function: Any, replies: list[str]
) -> None:
    shared = transcript_from_run(live(function, "q", replies, same))
    apart = transcript_from_run(live(function, "q", replies, list))
    assert run(shared) == run(apart) == replies
    assert conversation(shared) == conversation(apart) == replies
    assert len(shared.in_scope("model-calls")) == len(replies)
    assert shared.output == apart.output


@pytest.mark.parametrize("copied", [same, list])
def test_inputs_that_are_appended_to(recorder: Recorder, copied: Copy) -> None:
    @traceable
    def agent(inputs: dict[str, Any]) -> Any:
        messages = inputs["messages"]
        messages.append(model(copied(messages), ai("I promise")))
        messages.append(user("go on"))
        messages.append(model(copied(messages), ai("done")))
        return {"messages": messages}

    history = [user("hi"), ai("OLD"), user("again")]
    assert run(transcript_from_run(live(agent, {"messages": history}))) == ["I promise", "done"]


def test_a_model_that_appends_to_its_list_and_returns_it(recorder: Recorder) -> None:
    @traceable(run_type="llm")
    def model_(messages: list[Any]) -> Any:
        messages.append(ai("NEW"))
        return {"messages": messages}

    @traceable
    def agent(question: str) -> Any:
        return model_([user("hi"), ai("OLD"), user(question)])

    assert run(transcript_from_run(live(agent, "q"))) == ["NEW"]


WORDS = st.sampled_from(["OK", "yes", "I promise"])
USERS = st.sampled_from(["hi", "go on"])


@settings(max_examples=150, deadline=None)
@given(
    history=st.lists(st.tuples(USERS, WORDS | st.just("OLD")), max_size=2),
    first=USERS,
    turns=st.lists(st.tuples(WORDS, st.booleans(), USERS), min_size=1, max_size=3),
    known=st.booleans(),
    shared=st.booleans(),
    ends_in_a_question=st.booleans(),
)
def test_any_loop_says_what_was_said(
    history: list[tuple[str, str]],
    first: str,
    turns: list[tuple[str, bool, str]],
    known: bool,
    shared: bool,
    ends_in_a_question: bool,
) -> None:
    """Replies and hand-written messages, words of the past among them, in one list or in copies of it."""
    messages = [message for asked, said in history for message in (user(asked), ai(said))] + [user(first)]
    past, said, prompts = len(messages), [], []
    for reply, canned, question in turns:
        prompts.append(len(messages))
        added = [reply, "HAND"] if canned else [reply]
        messages += [*map(ai, added), user(question)]
        said += added
    messages = messages if ends_in_a_question else messages[:-1]
    calls = [
        llm(turn[0], inputs={"messages": messages if shared else messages[:end]})
        for turn, end in zip(turns, prompts, strict=True)
    ]
    inputs = {"messages": messages[:past]} if known else {"question": first}
    assert run(read(chain({"messages": messages}, *calls, inputs=inputs))) == said


class TestHistoryThatEqualsAReply:
    history = (user("hi"), ai("Yes"), user("more"), ai("Because"), user("thanks"))

    def test_in_the_list_of_a_guard(self) -> None:
        inputs = {"messages": list(self.history)}
        calls = [llm("Yes", inputs=inputs), llm("NEW", inputs=inputs)]
        root = chain({"messages": [*self.history, ai("NEW")]}, *calls, inputs=inputs)
        assert scopes(root)[1] == ["NEW"]
        assert "Because" not in scopes(root)[0]

    def test_in_the_list_of_the_call_itself(self) -> None:
        inputs = {"messages": list(self.history[:3])}
        state = {"messages": [*self.history[:3], ai("Yes")]}
        root = chain(state, llm("Yes", inputs=inputs), inputs=inputs)
        assert scopes(root) == (["Yes"], ["Yes"], ["Yes"])


class TestWrittenByHand:
    said = ("one", "HAND", "two")
    state = (user("q"), ai("one"), ai("HAND"), user("x"), ai("two"))

    @pytest.mark.parametrize("inputs", [{"q": "q"}, {"messages": [user("q")]}])
    def test_what_a_later_call_was_given_counts(self, inputs: dict[str, Any]) -> None:
        first = llm("one", inputs={"messages": [user("q")]})
        second = llm("two", inputs={"messages": list(self.state[:-1])})
        root = chain({"messages": list(self.state)}, first, second, inputs=inputs)
        assert scopes(root) == (list(self.said),) * 3

    def test_a_parsed_reply_counts_where_the_list_goes_on(self) -> None:
        first = llm('{"say": "ONE"}', inputs={"messages": [user("q")]})
        second = llm('{"say": "TWO"}', inputs={"messages": [user("q"), ai("one"), user("x")]})
        state = {"messages": [user("q"), ai("one"), user("x"), ai("two")]}
        assert run(read(chain(state, first, second, inputs={"question": "q"}))) == ["one", "two"]

    def test_a_greeting_counts_where_the_input_is_known(self) -> None:
        state = [user("q"), ai("Hello!"), ai("one")]
        call = llm("one", inputs={"messages": state[:2]})
        root = chain({"messages": state}, call, inputs={"messages": state[:1]})
        assert run(read(root)) == ["Hello!", "one"]

    def test_in_a_node_that_calls_a_model_with_it(self, recorder: Recorder) -> None:
        judge = Scripted(script=["first"])

        def work(state: MessagesState) -> Any:
            mine = [AIMessage("HAND"), HumanMessage("go")]
            return {"messages": [*mine, judge.invoke([*state["messages"], *mine])]}

        graph = StateGraph(MessagesState)
        graph.add_node("work", work)
        graph.add_edge(START, "work")
        graph.add_edge("work", END)
        app = graph.compile()
        transcript = recorder.trace(lambda: app.invoke({"messages": [HumanMessage("q")]}))
        assert run(transcript) == conversation(transcript) == ["HAND", "first"]


class TestTheSameWordsAgain:
    state = (user("go on"), ai("I promise"), user("go on"), ai("done"))

    def test_a_state_that_begins_with_the_input(self) -> None:
        root = chain({"messages": list(self.state)}, inputs={"messages": [user("go on")]})
        assert scopes(root) == (["I promise", "done"],) * 3

    def test_a_thread_that_begins_so_is_known_by_its_ids(self) -> None:
        new = ai("NEW", "lc_run--11111111-1111-1111-1111-111111111111-0")
        old = ai("OLD", "lc_run--22222222-2222-2222-2222-222222222222-0")
        call = {**llm(new), "id": "11111111-1111-1111-1111-111111111111"}
        state = {"messages": [user("go on"), old, user("go on"), new]}
        transcript = read(chain(state, call, inputs={"messages": [user("go on")]}))
        assert (run(transcript), transcript.incomplete) == (["NEW"], None)


BOTH = {"choices": [{"message": ai("A")}, {"message": ai("B")}]}


class TestCandidates:
    def test_both_count_and_one_is_in_the_conversation(self) -> None:
        state = {"messages": [user("q"), ai("A")]}
        roots = [
            chain({"answer": "A"}, llm(BOTH)),
            chain(state, llm(BOTH), inputs={"messages": [user("q")]}),
            chain(state, node({"messages": [ai("A")]}, llm(BOTH))),
        ]
        for root in roots:
            assert scopes(root) == (["A", "B"], ["A"], ["A", "B"])

    def test_neither_counts_that_never_entered_a_recorded_conversation(self) -> None:
        root = chain({"messages": [user("q"), ai("C")]}, llm(BOTH), llm("C"))
        assert scopes(root)[0] == ["C"]
