from __future__ import annotations

import pickle
import re
from pathlib import Path
from typing import Any

import pytest

from turngrade.adapters.plain import InvalidMessages, transcript_from_messages
from turngrade.adapters.plain.messages import ASSISTANT_ROLES, OTHER_ROLES


def texts(messages: list[Any]) -> list[str]:
    return [message.text for message in transcript_from_messages(messages).messages]


def test_assistant_messages_in_order_of_every_role_name() -> None:
    transcript = transcript_from_messages(
        [
            {"role": "system", "content": "Be kind."},
            {"role": "user", "content": "Hi"},
            {"role": "assistant", "content": "one", "id": "m1"},
            {"role": "tool", "content": "42"},
            {"role": "ai", "content": "two", "name": "helper"},
            {"role": "Model", "content": "three"},
        ],
        id="c1",
        source="chats.jsonl",
        metadata={"stimulus": "greeting"},
    )
    assert [(m.index, m.text, m.id, m.agent) for m in transcript.messages] == [
        (0, "one", "m1", None),
        (1, "two", None, "helper"),
        (2, "three", None, None),
    ]
    assert (transcript.output, transcript.id, transcript.source) == ("three", "c1", "chats.jsonl")
    assert transcript.metadata == {"stimulus": "greeting"}


def test_every_scope_is_the_same_list() -> None:
    transcript = transcript_from_messages([{"role": "assistant", "content": "x"}])
    assert (
        transcript.in_scope("run")
        == transcript.in_scope("conversation")
        == transcript.in_scope("model-calls")
    )


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, ""),
        ("", ""),
        ("plain", "plain"),
        ([], ""),
        (["a", "b"], "ab"),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "ab"),
        ([{"text": "no type"}], "no type"),
        ([{"type": "output_text", "text": "responses api"}], "responses api"),
        ([{"type": "refusal", "refusal": "I can't."}], "I can't."),
        ([{"type": "reasoning", "text": "hmm"}, {"type": "text", "text": "so"}], "so"),
        ([{"type": "thinking", "thinking": "hmm"}], ""),
        ([{"text": "a thought", "thought": True}, {"text": "said"}], "said"),
        ([{"type": "tool_use", "id": "t", "name": "f", "input": {"text": "x"}}], ""),
        ([{"type": "tool_result", "text": "x", "content": "x"}], ""),
        ([{"type": "image_url", "image_url": {"url": "http://x"}}], ""),
        ([{"type": "text", "text": None}], ""),
    ],
)
def test_the_visible_text_of_content(content: Any, text: str) -> None:
    assert texts([{"role": "assistant", "content": content}]) == [text]


def test_a_tool_call_only_message_is_kept_with_empty_text() -> None:
    messages: list[Any] = [
        {"role": "assistant", "tool_calls": [{"id": "1"}]},
        {"role": "assistant", "content": "done"},
    ]
    assert texts(messages) == ["", "done"]


def test_the_output_is_the_last_message_with_text() -> None:
    said: list[Any] = [{"role": "assistant", "content": "answer"}, {"role": "assistant", "content": None}]
    assert transcript_from_messages(said).output == "answer"
    assert transcript_from_messages([{"role": "user", "content": "Hi"}]).output is None


def test_a_refusal_beside_the_content_is_text() -> None:
    assert texts([{"role": "assistant", "content": None, "refusal": "I can't help."}]) == ["I can't help."]
    assert texts([{"role": "assistant", "content": "Well. ", "refusal": "No."}]) == ["Well. No."]


def test_parts_stand_in_for_content() -> None:
    assert texts([{"role": "model", "parts": [{"text": "Gem"}, {"text": "ini"}]}]) == ["Gemini"]


def test_the_content_of_others_is_not_looked_at() -> None:
    assert texts([{"role": "tool", "content": {"any": "thing"}}, {"role": "assistant", "content": "x"}]) == [
        "x"
    ]


@pytest.mark.parametrize(
    ("messages", "where", "problem"),
    [
        (["hello"], "messages[0]", "not a string"),
        ([{"role": None, "content": "x"}], "messages[0].role", "not null"),
        ([{"role": 1, "content": "x"}], "messages[0].role", "not a number"),
        ([{"role": "user"}, {"role": "assistant", "content": 7}], "messages[1].content", "not a number"),
        ([{"role": "assistant", "content": {"text": "x"}}], "messages[0].content", "not an object"),
        ([{"role": "assistant", "content": ["a", True]}], "messages[0].content[1]", "not a boolean"),
        (
            [{"role": "assistant", "content": [{"type": ["text"], "text": "x"}]}],
            "messages[0].content[0].type",
            "not a list",
        ),
        (
            [{"role": "assistant", "content": [{"type": "text", "content": "x"}]}],
            "messages[0].content[0]",
            "a part of the type 'text' has no 'text'",
        ),
        (
            [{"role": "assistant", "content": [{"type": "text", "text": ["x"]}]}],
            "messages[0].content[0].text",
            "not a list",
        ),
    ],
)
def test_what_is_no_message_list_is_refused_with_its_place(
    messages: list[Any], where: str, problem: str
) -> None:
    with pytest.raises(InvalidMessages) as caught:
        transcript_from_messages(messages)
    assert caught.value.where == where
    assert caught.value.problem.endswith(problem)
    assert str(caught.value) == f"{where}: {caught.value.problem}"
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


VISIBLE = {"role": "assistant", "content": "I am here."}


@pytest.mark.parametrize(
    ("message", "hint"),
    [
        ({"role": "assistant"}, "the message has no content; write"),
        ({"role": "assistant", "tool_calls": []}, "the message has no content; write"),
        ({"role": "assistant", "text": "I promise a refund"}, "no content, but a text in 'text'; write"),
        ({"role": "ai", "content": None, "text": "I promise"}, "is empty, but a text in 'text'; write"),
        (
            {"role": "model", "content": [], "message": "I promise"},
            "is empty, but a text in 'message'; write",
        ),
    ],
)
def test_an_agent_message_whose_words_are_not_found_is_refused(message: Any, hint: str) -> None:
    with pytest.raises(InvalidMessages) as caught:
        transcript_from_messages([VISIBLE, message])
    assert caught.value.where == "messages[1]"
    assert hint in caught.value.problem


@pytest.mark.parametrize(
    "message",
    [
        {"content": None},
        {"content": ""},
        {"tool_calls": [{"id": "1"}], "text": "x"},
        {"function_call": {"name": "f"}},
        {"refusal": ""},
        {"parts": []},
    ],
)
def test_a_message_that_says_nothing_says_so(message: Any) -> None:
    assert texts([{"role": "assistant", **message}]) == [""]


@pytest.mark.parametrize("role", ["assitant", "bot", "", "assistant "])
def test_a_role_that_is_not_known_is_refused_with_those_that_are(role: str) -> None:
    with pytest.raises(InvalidMessages) as caught:
        transcript_from_messages([VISIBLE, {"role": role, "content": "I promise a refund"}])
    assert caught.value.where == "messages[1].role"
    assert caught.value.problem.startswith(
        f"{role!r} is no role that is known; write ai, assistant, model for"
    )
    for known in ("system", "tool", "user", "human", "developer", "function"):
        assert known in caught.value.problem


def test_a_missing_role_is_told_from_one_that_is_null() -> None:
    with pytest.raises(InvalidMessages, match=r"messages\[0\]: the message has no role; write ai, assistant"):
        transcript_from_messages([{"content": "x"}])
    with pytest.raises(InvalidMessages, match="no role; LangChain's 'type' is written 'role' here; write ai"):
        transcript_from_messages([{"type": "ai", "content": "x"}])


def test_the_page_lists_the_roles() -> None:
    page = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
    [row] = [line for line in page.splitlines() if line.startswith("| `role` |")]
    assert set(re.findall("`([a-z]+)`", row)) - {"role"} == ASSISTANT_ROLES | OTHER_ROLES
