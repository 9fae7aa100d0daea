"""The rules of the scopes, each on the smallest trace that needs it."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from tests.langsmith.tracing import conversation, model_calls, run

from turngrade.adapters.langsmith import transcript_from_trace
from turngrade.core import Transcript

Tree = dict[str, Any]

_numbers = itertools.count()


def made(run_type: str, outputs: Any, *children: Tree, inputs: Any = None, **fields: Any) -> Tree:
    """A run with the runs below it, in the order in which they happened."""
    number = next(_numbers)
    extra = {"metadata": fields.pop("metadata", {})}
    named = {"id": f"run-{number}", "name": f"name-{number}", "run_type": run_type}
    payload = {"inputs": inputs or {}, "outputs": outputs}
    return {**named, **payload, "extra": extra, "child_runs": list(children), **fields}


def chain(outputs: Any, *children: Tree, **fields: Any) -> Tree:
    return made("chain", outputs, *children, **fields)


def llm(text: Any, *children: Tree, **fields: Any) -> Tree:
    outputs = text if isinstance(text, dict) else ai(text)
    return made("llm", outputs, *children, **fields)


def tool(*children: Tree, **fields: Any) -> Tree:
    return made("tool", {"output": "a result"}, *children, **fields)


def node(outputs: Any, *children: Tree, **fields: Any) -> Tree:
    return chain(outputs, *children, tags=["graph:step:1"], **fields)


def ai(text: str, id: str | None = None) -> dict[str, Any]:
    return {"role": "assistant", "content": text, **({"id": id} if id else {})}


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def read(root: Tree) -> Transcript:
    return transcript_from_trace([root])


def scopes(root: Tree) -> tuple[list[str], list[str], list[str]]:
    """Scopes ``run``, ``conversation`` and ``model-calls``."""
    transcript = read(root)
    return run(transcript), conversation(transcript), model_calls(transcript)


MARKS: list[dict[str, Any]] = [
    {"ls_agent_type": "middleware"},
    {"ls_agent_type": "compaction"},
    {"ls_agent_type": "guard"},
    {"ls_agent_type": "Grader"},
    {"lc_source": "summarization"},
    {"__ls_evaluator": "toxicity"},
]


class TestWithoutARecordedConversation:
    def test_every_call_counts(self) -> None:
        said = ["one", "two"]
        assert scopes(chain({"output": "two"}, llm("one"), llm("two"))) == (said, said, said)

    @pytest.mark.parametrize("mark", MARKS)
    def test_marked_calls_do_not(self, mark: dict[str, Any]) -> None:
        marked = llm("marked", metadata=mark)
        below = chain({}, llm("below"), metadata=mark)
        root = chain({"output": "one"}, marked, below, llm("one"))
        assert scopes(root) == (["one"], ["one"], ["marked", "below", "one"])

    def test_a_mark_on_the_root_marks_nothing(self) -> None:
        assert run(read(chain({}, llm("one"), metadata={"ls_agent_type": "middleware"}))) == ["one"]

    def test_a_marked_call_that_was_returned_counts(self) -> None:
        marked = llm("Sorry", metadata={"ls_agent_type": "middleware"})
        assert run(read(chain({"output": "Sorry"}, llm("draft"), marked))) == ["draft", "Sorry"]

    def test_a_marked_call_that_entered_a_conversation_counts(self) -> None:
        marked = llm("rewritten", metadata={"ls_agent_type": "middleware"})
        last = llm("end", inputs={"messages": [user("q"), ai("rewritten")]})
        assert run(read(chain({"output": "end"}, marked, last))) == ["rewritten", "end"]

    def test_a_copy_of_a_marked_call_is_not_the_output(self) -> None:
        marked = llm("fine", metadata={"ls_agent_type": "middleware"})
        transcript = read(chain(ai("fine"), llm("answer"), marked))
        assert (run(transcript), transcript.output) == (["answer"], "answer")

    def test_the_last_call_has_the_conversation(self) -> None:
        aside = llm("a title", inputs={"messages": [user("make a title")]})
        last = llm("two", inputs={"messages": [user("q"), ai("one"), user("go on")]})
        root = chain({"output": "two"}, llm("one", inputs={"messages": [user("q")]}), aside, last)
        assert scopes(root) == (["one", "a title", "two"], ["one", "two"], ["one", "a title", "two"])


class TestWithARecordedConversation:
    def test_calls_that_never_entered_it_do_not_count(self) -> None:
        state = {"messages": [user("q"), ai("answer")]}
        root = chain(state, llm("route: a"), llm("answer"), inputs={"messages": [user("q")]})
        assert scopes(root) == (["answer"], ["answer"], ["route: a", "answer"])

    def test_a_returned_reply_alone_is_no_record(self) -> None:
        root = chain({"messages": [ai("two")]}, llm("one"), llm("two"))
        assert run(read(root)) == ["one", "two"]

    def test_what_nodes_put_in_and_took_out_counts(self) -> None:
        first = node({"messages": [ai("draft", "m1")]}, llm(ai("draft", "m1")))
        second = node(
            {"messages": [{"type": "remove", "id": "m1"}, ai("final", "m2")]}, llm(ai("final", "m2"))
        )
        root = chain(
            {"messages": [user("q"), ai("final", "m2")]}, first, second, inputs={"messages": [user("q")]}
        )
        assert scopes(root) == (["draft", "final"], ["final"], ["draft", "final"])

    def test_an_edited_message_has_two_texts(self) -> None:
        first = node({"messages": [ai("My number: 1", "m1")]}, llm(ai("My number: 1", "m1")))
        second = node({"messages": [ai("My number: [cut]", "m1")]})
        root = chain({"messages": [user("q"), ai("My number: [cut]", "m1")]}, first, second)
        (message,) = read(root).messages
        assert (message.text, message.raw_text) == ("My number: [cut]", "My number: 1")

    def test_an_edited_message_is_known_by_either_text(self) -> None:
        first = node({"messages": [ai("one", "m1")]}, llm(ai("one", "m1")))
        second = node({"messages": [ai("ONE", "m1")]})
        last = llm("end", inputs={"messages": [user("q"), ai("ONE")]})
        root = chain({"messages": [user("q"), ai("ONE"), ai("end")]}, first, second, last)
        assert scopes(root) == (["ONE", "end"], ["ONE", "end"], ["ONE", "end"])

    def test_an_id_that_many_messages_share_names_none(self) -> None:
        calls = [llm(ai(text, "msg_x")) for text in ("one", "two")]
        root = chain({"messages": [user("q"), ai("one", "msg_x"), ai("two", "msg_x")]}, *calls)
        assert [(message.text, message.raw_text) for message in read(root).messages] == [
            ("one", None),
            ("two", None),
        ]

    def test_hand_written_messages_stand_where_they_were_put(self) -> None:
        messages = [user("q"), ai("Hello!"), ai("one"), ai("Hm."), ai("two"), ai("Bye!")]
        root = chain({"messages": messages}, llm("one"), llm("two"), inputs={"messages": [user("q")]})
        said = ["Hello!", "one", "Hm.", "two", "Bye!"]
        assert scopes(root) == (said, said, said)

    def test_a_graph_that_failed_has_its_nodes_messages(self) -> None:
        first = node({"messages": [ai("one")]}, llm("one"))
        root = chain(None, chain({}, first, node({}, llm("never put in"))), error="ValueError()")
        transcript = read(root)
        assert (run(transcript), conversation(transcript), transcript.output) == (["one"], ["one"], None)
        assert model_calls(transcript) == ["one", "never put in"]

    def test_a_state_beside_a_text(self) -> None:
        root = chain({"messages": [user("q")], "answer": "42"}, inputs={"messages": [user("q")]})
        assert read(root).output == "42"

    def test_nothing_else_is_taken_for_the_final_conversation(self) -> None:
        graph = chain({"messages": [user("q"), ai("in the graph")]}, llm("in the graph"), llm("a guard"))
        root = chain({"output": "after"}, llm("before"), graph, llm("after"))
        said = ["before", "in the graph", "after"]
        assert scopes(root) == (said, said, ["before", "in the graph", "a guard", "after"])


class TestHistory:
    history = (user("hi"), ai("OLD"), user("again"))

    @pytest.mark.parametrize("key", ["messages", "input", "inputs", "history", "chat_history", "contents"])
    def test_input_is_left_out(self, key: str) -> None:
        root = chain({"messages": [*self.history, ai("NEW")]}, llm("NEW"), inputs={key: list(self.history)})
        assert scopes(root) == (["NEW"], ["NEW"], ["NEW"])

    def test_history_that_a_node_loads_is_left_out(self) -> None:
        call = llm("NEW", inputs={"messages": list(self.history)})
        root = chain({"messages": [*self.history, ai("NEW")]}, call, inputs={"question": "again"})
        assert run(read(root)) == ["NEW"]

    def test_equal_texts_in_history_and_run(self) -> None:
        history = [user("hi"), ai("OK"), user("again")]
        for children in ([llm("OK")], []):
            root = chain({"messages": [*history, ai("OK")]}, *children, inputs={"messages": history})
            assert scopes(root)[0] == ["OK"]

    def test_a_reply_that_equals_one_of_the_past(self) -> None:
        root = chain({"output": "OK"}, inputs={"messages": [user("hi"), ai("OK"), user("again")]})
        assert run(read(root)) == ["OK"]

    def test_checkpointed_history_is_cut_off(self) -> None:
        state = {"messages": [*self.history, ai("NEW")]}
        assert run(read(chain(state, inputs={"messages": [user("again")]}))) == ["NEW"]

    def test_a_resumed_run_without_input(self) -> None:
        new = ai("NEW", "lc_run--11111111-1111-1111-1111-111111111111-0")
        old = ai("OLD", "lc_run--22222222-2222-2222-2222-222222222222-0")
        call = {**llm(new), "id": "11111111-1111-1111-1111-111111111111"}
        transcript = read(chain({"messages": [user("hi"), old, new]}, call))
        assert (run(transcript), transcript.incomplete) == (["NEW"], None)

    def test_messages_of_an_earlier_run_with_an_equal_text(self) -> None:
        new = ai("OK", "lc_run--11111111-1111-1111-1111-111111111111-0")
        old = ai("OK", "lc_run--22222222-2222-2222-2222-222222222222-0")
        call = {**llm(new), "id": "11111111-1111-1111-1111-111111111111"}
        transcript = read(chain({"messages": [user("hi"), old]}, call, inputs={"messages": [user("hi")]}))
        assert conversation(transcript) == ["OK"]
        assert model_calls(transcript) == ["OK", "OK"]
        assert transcript.incomplete is not None

    def test_examples_of_a_prompt(self) -> None:
        prompt = made("prompt", {"output": {"messages": [user("2+2"), ai("4"), user("3+3")]}})
        root = chain(
            {"output": "6"}, prompt, llm("6", inputs={"messages": [[user("2+2"), ai("4"), user("3+3")]]})
        )
        assert scopes(root) == (["6"], ["6"], ["6"])

    def test_a_call_that_returns_its_conversation(self) -> None:
        call = llm({"messages": [*self.history, ai("NEW")]}, inputs={"messages": list(self.history)})
        assert scopes(chain({}, call)) == (["NEW"], ["NEW"], ["NEW"])


class TestSubAgents:
    def test_by_structure_and_by_tag(self) -> None:
        tagged = chain({}, llm("tagged"), metadata={"ls_agent_type": "subagent"}, name="helper")
        root = chain({"output": "end"}, tool(llm("in a tool"), name="ask"), tagged, llm("end"))
        transcript = read(root)
        assert run(transcript) == ["in a tool", "tagged", "end"]
        assert conversation(transcript) == ["end"]
        assert [message.agent for message in transcript.messages] == ["ask", "helper", None]

    def test_inside_a_graph_whose_state_never_saw_them(self) -> None:
        state = {"messages": [user("q"), ai("end")]}
        inner = chain({"messages": [user("sub"), ai("inner")]}, llm("inner"), llm("inner guard"))
        root = chain(state, node({"messages": [ai("end")]}, tool(inner), llm("end"), llm("outer guard")))
        assert scopes(root) == (["inner", "end"], ["end"], ["inner", "inner guard", "end", "outer guard"])

    def test_a_tool_that_is_the_root_starts_none(self) -> None:
        root = made("tool", {"output": "one"}, llm("one"))
        assert scopes(root) == (["one"], ["one"], ["one"])
        assert read(root).messages[0].agent is None

    def test_equal_texts_of_agent_and_sub_agent(self) -> None:
        inner = chain({"messages": [user("sub"), ai("Done")]}, llm("Done"))
        root = chain({"messages": [user("q"), ai("Done")]}, tool(inner), llm("Done"), llm("route"))
        assert scopes(root) == (["Done", "Done"], ["Done"], ["Done", "Done", "route"])
        assert [message.in_conversation for message in read(root).messages] == [False, True]

    def test_an_equal_text_in_the_past_of_the_main_agent(self) -> None:
        history = [user("hi"), ai("Done"), user("again")]
        inner = chain({"messages": [user("sub"), ai("Done")]}, llm("Done"), llm("guard"))
        root = chain(
            {"messages": [*history, ai("end")]}, tool(inner), llm("end"), inputs={"messages": history}
        )
        assert scopes(root) == (["Done", "end"], ["end"], ["Done", "guard", "end"])

    def test_hand_written_messages_of_a_sub_agent(self) -> None:
        inner = chain({"messages": [user("sub"), ai("inner"), ai("canned")]}, llm("inner"))
        root = chain({"output": "end"}, tool(inner, name="ask"), llm("end"))
        assert scopes(root) == (["inner", "canned", "end"], ["end"], ["inner", "canned", "end"])
        assert [message.agent for message in read(root).messages] == ["ask", "ask", None]


class TestRecordedTwice:
    def test_outermost_wins(self) -> None:
        assert scopes(llm("once", llm("once", llm("once")))) == (["once"], ["once"], ["once"])

    def test_other_texts_below_are_calls_of_their_own(self) -> None:
        root = chain({"output": "second try"}, llm("second try", llm("first try"), llm("second try")))
        assert scopes(root)[0] == scopes(root)[2] == ["first try", "second try"]

    def test_parts_of_the_outer_text_are_not(self) -> None:
        assert run(read(chain({}, llm("one / two", llm("one"), llm("two"))))) == ["one / two"]

    def test_calls_below_that_only_call_tools_are_calls_of_their_own(self) -> None:
        called = llm({**ai(""), "tool_calls": [{"id": "t1", "type": "function", "function": {"name": "f"}}]})
        assert run(read(chain({}, llm("end", called, llm("end"))))) == ["", "end"]

    def test_an_outer_run_that_recorded_nothing(self) -> None:
        assert run(read(llm({}, llm("inner")))) == ["inner"]


class TestOutput:
    @pytest.mark.parametrize("error", ["GeneratorExit()", "GraphInterrupt((Interrupt(value=1),))"])
    def test_stopping_is_no_failure(self, error: str) -> None:
        assert read(chain({"output": "Hel"}, error=error)).output == "Hel"

    @pytest.mark.parametrize("fields", [{"error": "ValueError()"}, {"status": "error"}, {"status": "ERROR"}])
    def test_a_failed_root_has_none(self, fields: dict[str, Any]) -> None:
        transcript = read(chain({"output": "partial"}, **fields))
        assert (transcript.output, run(transcript)) == (None, ["partial"])
        assert not transcript.output_without_text

    @pytest.mark.parametrize(
        "outputs",
        [{"role": "tool", "content": "x"}, {"messages": [ai("a"), {"role": "tool", "content": "x"}]}],
    )
    def test_a_root_that_ends_in_a_tool_has_none(self, outputs: Any) -> None:
        assert read(chain(outputs)).output is None

    def test_the_first_alternative(self) -> None:
        choices = {"choices": [{"message": ai("A")}, {"message": ai("B")}]}
        assert read(llm(choices)).output == "A"
        assert read(chain(choices, llm(choices))).output == "A"

    def test_the_last_message_with_text(self) -> None:
        silent = {**ai(""), "tool_calls": [{"id": "c"}]}
        assert read(chain({"messages": [user("q"), ai("a"), silent]})).output == "a"

    def test_a_text_that_was_not_said_is_a_message(self) -> None:
        assert run(read(chain({"output": "Answer: 42"}, llm("42")))) == ["42", "Answer: 42"]
        assert run(read(chain({"output": "42"}, llm("Answer: 42")))) == ["Answer: 42"]


def test_parents_that_form_a_circle_are_told() -> None:
    one = {"id": "a", "trace_id": "t", "run_type": "llm", "outputs": ai("x"), "parent_run_id": "b"}
    other = {"id": "b", "trace_id": "t", "run_type": "llm", "outputs": ai("y"), "parent_run_id": "a"}
    own = {"id": "c", "trace_id": "t", "run_type": "llm", "outputs": ai("z"), "parent_run_id": "c"}
    assert transcript_from_trace([one, other, own]).incomplete is not None
    root = {"id": "t", "run_type": "chain", "outputs": {}}
    assert "no way up" in str(transcript_from_trace([root, one, other]).incomplete)


def test_a_deep_trace() -> None:
    runs = [{"id": "0", "run_type": "chain", "outputs": {"output": "end"}}]
    runs += [{"id": str(n), "run_type": "chain", "parent_run_id": str(n - 1)} for n in range(1, 3000)]
    runs.append({"id": "last", "run_type": "llm", "outputs": ai("end"), "parent_run_id": "2999"})
    assert run(transcript_from_trace(runs)) == ["end"]
