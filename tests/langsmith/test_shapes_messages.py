"""Messages in the forms of all families, and lists of them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    ChatMessage,
    HumanMessage,
    RemoveMessage,
    SystemMessage,
    ToolMessage,
    message_to_dict,
)

from turngrade.adapters.langsmith.shapes import ListFinder, Message, read_list, read_message


def constructor(message: BaseMessage) -> dict[str, Any]:
    kwargs = {"content": message.content, "type": message.type, "id": message.id}
    return {
        "lc": 1,
        "type": "constructor",
        "id": ["langchain", "schema", type(message).__name__],
        "kwargs": kwargs,
    }


FORMS: list[Any] = [
    lambda text: {"role": "assistant", "content": text},
    lambda text: {"role": "assistant", "content": [{"type": "text", "text": text}]},
    lambda text: {"role": "model", "parts": [{"text": text}]},
    lambda text: {"role": "ASSISTANT", "content": text, "tool_calls": []},
    lambda text: {"role": "assistant", "content": None, "refusal": text},
    lambda text: {"role": "assistant", "content": None, "audio": {"id": "a", "transcript": text}},
    lambda text: {"role": "assistant", "parts": [{"type": "step-start"}, {"type": "text", "text": text}]},
    lambda text: {"role": "assistant", "parts": [{"type": "text", "content": text}], "finish_reason": "stop"},
    lambda text: {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]},
    lambda text: {
        "type": "message",
        "content": [{"type": "output_text", "text": text}],
        "status": "completed",
    },
    lambda text: {"type": "ai", "content": text, "additional_kwargs": {}, "tool_calls": []},
    lambda text: {"type": "ai", "content": "", "additional_kwargs": {"refusal": text}},
    lambda text: {"type": "AIMessageChunk", "content": text},
    lambda text: {"type": "chat", "role": "assistant", "content": text},
    lambda text: ("ai", text),
    lambda text: ["assistant", text],
    lambda text: AIMessage(text),
    lambda text: AIMessage([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": text}]),
    lambda text: AIMessageChunk(content=text),
    lambda text: ChatMessage(role="assistant", content=text),
    lambda text: SimpleNamespace(role="assistant", content=text),
    lambda text: SimpleNamespace(type="ai", content=[{"type": "text", "text": text}], id="m"),
    lambda text: message_to_dict(AIMessage(text)),
    lambda text: constructor(AIMessage(text)),
    lambda text: constructor(AIMessageChunk(content=text)),
]
ROLE_NAMES = ("user", "model", "assistant", "ai", "human", "system", "tool", "function", "developer")

texts = st.text(max_size=30).filter(lambda text: text.lower() not in ROLE_NAMES)


@given(st.sampled_from(range(len(FORMS))), texts)
def test_an_assistant_message_is_read_whatever_its_form(form: int, text: str) -> None:
    message = read_message(FORMS[form](text))
    assert message is not None
    assert (message.role, message.text) == ("assistant", text)


@given(
    st.lists(st.tuples(st.sampled_from(range(len(FORMS))), texts), min_size=1, max_size=6), st.integers(0, 2)
)
def test_lists_are_read_whatever_holds_them(items: list[tuple[int, str]], depth: int) -> None:
    value: Any = [{"role": "user", "content": "q"}, *(FORMS[form](text) for form, text in items)]
    for level in range(depth):
        value = (
            {"input": value}
            if level % 2
            else {"messages": value, "tools": [{"role": "assistant", "content": "no"}]}
        )
    (found,) = ListFinder().find(value)
    assert [message.text for message in found] == ["q", *(text for _form, text in items)]


@pytest.mark.parametrize(
    ("value", "role"),
    [
        ({"role": "user", "content": "x"}, "user"),
        ({"role": "developer", "content": "x"}, "system"),
        ({"role": "tool", "content": "x", "tool_call_id": "t"}, "tool"),
        ({"type": "function_call_output", "call_id": "c", "output": "x"}, "tool"),
        ({"role": "critic", "content": "x"}, "critic"),
        (HumanMessage("x"), "user"),
        (SystemMessage("x"), "system"),
        (ToolMessage("x", tool_call_id="t"), "tool"),
        (RemoveMessage(id="x"), "remove"),
        ({"type": "remove", "id": "x"}, "remove"),
        (constructor(HumanMessage("x")), "user"),
        (ChatMessage(role="Critic", content="x"), "critic"),
    ],
)
def test_other_roles(value: Any, role: str) -> None:
    message = read_message(value)
    assert message is not None
    assert message.role == role


@pytest.mark.parametrize(
    "value",
    [
        None,
        "assistant",
        ["assistant"],
        ["user", "model"],
        ["assistant", 7],
        {},
        {"role": "admin", "name": "root"},
        {"type": "text", "text": "x"},
        {"type": "function", "function": {"name": "f"}},
        {"type": "tool_call", "name": "f", "args": {}},
        {"lc": 1, "type": "constructor", "id": ["langchain", "PromptTemplate"], "kwargs": {"template": "x"}},
        {"lc": 1, "type": "not_implemented", "id": ["x"]},
        AIMessage,
    ],
)
def test_what_is_no_message(value: Any) -> None:
    assert read_message(value) is None


def test_tool_calls_are_known_by_their_ids() -> None:
    forms: list[Any] = [
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "function": {"name": "f"}}]},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "f", "input": {}}]},
        {"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "c1", "toolName": "f"}]},
        AIMessage("", tool_calls=[{"name": "f", "args": {}, "id": "c1"}]),
    ]
    assert [read_message(form) for form in forms] == [Message("assistant", tools=("c1",))] * 4


def test_items_of_a_response_make_turns() -> None:
    items: list[Any] = [
        {"role": "user", "content": "q"},
        {"type": "reasoning", "summary": []},
        {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"},
        {"type": "function_call", "call_id": "c2", "name": "f", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "output": "x"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "one"}]},
        {"type": "function_call", "call_id": "c3", "name": "f", "arguments": "{}"},
    ]
    found = read_list(items)
    assert found is not None
    assert [(message.role, message.text, message.tools) for message in found] == [
        ("user", "q", ()),
        ("assistant", "", ("c1", "c2")),
        ("tool", "", ()),
        ("assistant", "one", ("c3",)),
    ]


def test_lists_of_lists_are_joined() -> None:
    found = read_list([[constructor(SystemMessage("s")), constructor(HumanMessage("q"))]])
    assert found is not None
    assert [message.role for message in found] == ["system", "user"]


def test_a_list_that_holds_itself_ends() -> None:
    endless: list[Any] = []
    endless.append({"inner": endless})
    assert ListFinder().find({"messages": endless}) == []


def test_what_stands_in_several_lists_is_read_once() -> None:
    finder = ListFinder()
    said: list[Any] = [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]
    (before,) = finder.find({"messages": said})
    (again,) = finder.find({"input": [said]})
    (longer,) = finder.find([*said, {"role": "user", "content": "go on"}])
    assert all(one is other for one, other in zip(before, again, strict=True))
    assert [message.text for message in longer] == ["q", "a", "go on"]
    assert longer[1] is before[1]


def test_an_equal_list_is_read_for_itself() -> None:
    finder = ListFinder()
    for number in range(1000):  # each list is gone before the next is made, perhaps at the same address
        (found,) = finder.find({"messages": [{"role": "assistant", "content": str(number)}]})
        assert [message.text for message in found] == [str(number)]


def test_a_message_is_read_for_itself_though_a_list_has_let_go_of_another() -> None:
    finder = ListFinder()
    for number in range(1000):  # the dict before is gone from its list; this one may have its address
        said = [{"role": "assistant", "content": str(number)}]
        (found,) = finder.find({"messages": said})
        assert [message.text for message in found] == [str(number)]
        said.clear()
