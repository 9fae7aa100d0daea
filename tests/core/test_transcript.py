"""Transcripts: scopes, plain texts, thinking."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from turngrade.core import AssistantMessage, Transcript


def test_from_texts_takes_the_last_text_as_output() -> None:
    transcript = Transcript.from_texts(["one", "two", ""])
    assert [m.text for m in transcript.messages] == ["one", "two", ""]
    assert [m.index for m in transcript.messages] == [0, 1, 2]
    assert transcript.output == "two"


@pytest.mark.parametrize("texts", [[], [""]])
def test_from_texts_without_text_has_no_output(texts: list[str]) -> None:
    assert Transcript.from_texts(texts).output is None


@pytest.mark.parametrize("texts", ["one string", ["a", None], [1]])
def test_from_texts_takes_strings_only(texts: Any) -> None:
    with pytest.raises(TypeError, match="a list of strings"):
        Transcript.from_texts(texts)


def test_output_can_be_given() -> None:
    assert Transcript.from_texts(["one"], output="other").output == "other"


def test_scopes_fall_back_to_the_run() -> None:
    run = (AssistantMessage("a", 0), AssistantMessage("b", 1))
    conversation = (AssistantMessage("b", 0),)
    plain = Transcript(run, "b")
    assert plain.in_scope("conversation") == plain.in_scope("model-calls") == plain.in_scope("run") == run
    whole = Transcript(run, "b", conversation=conversation)
    assert whole.in_scope("conversation") == conversation
    assert whole.in_scope("model-calls") == run


def test_an_empty_conversation_is_not_the_run() -> None:
    assert Transcript((AssistantMessage("a", 0),), "a", conversation=()).in_scope("conversation") == ()


def test_messages_may_be_given_as_a_list() -> None:
    transcript = Transcript([AssistantMessage("a", 0)], "a")  # type: ignore[arg-type]
    assert transcript.messages == (AssistantMessage("a", 0),)


def test_raw_text_is_a_second_text_only_where_it_differs() -> None:
    assert AssistantMessage("a", 0, raw_text="a").texts() == (("text", "a"),)
    assert AssistantMessage("a", 0, raw_text="b").texts() == (("text", "a"), ("raw_text", "b"))


def test_thinking_is_cut_out_of_every_text() -> None:
    message = AssistantMessage("<think>a\nb</think>\n\nsaid", 0, raw_text="x <think>y</think>z <think>open")
    bare = Transcript((message,), "<think>q</think>out", conversation=(message,)).without_thinking()
    assert bare.messages[0].text == "said"
    assert bare.messages[0].raw_text == "x z <think>open"
    indented = Transcript.from_texts(["a\n<think>s</think>\n\n  b"]).without_thinking()
    assert indented.messages[0].text == "a\n\n\n  b"
    assert bare.output == "out"
    assert bare.conversation == bare.messages


def test_transcripts_pickle() -> None:
    transcript = Transcript.from_texts(["one"], id="x")
    assert pickle.loads(pickle.dumps(transcript)) == transcript
