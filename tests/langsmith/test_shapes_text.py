"""The visible text of content, in the parts of every provider."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turngrade.adapters.langsmith.shapes import text_of

VISIBLE: list[Callable[[str], Any]] = [
    lambda text: text,
    lambda text: {"type": "text", "text": text},
    lambda text: {"type": "output_text", "text": text, "annotations": []},
    lambda text: {"type": "text", "text": {"value": text, "annotations": []}},
    lambda text: {"type": "text", "content": text},
    lambda text: {"text": text},
    lambda text: {"text": text, "thought": False},
    lambda text: {"type": "refusal", "refusal": text},
    lambda text: {"type": "output_audio", "transcript": text, "data": "AAAA"},
]
HIDDEN: list[Any] = [
    {"type": "thinking", "thinking": "hidden", "signature": "s"},
    {"type": "redacted_thinking", "data": "hidden"},
    {"type": "reasoning", "reasoning": "hidden"},
    {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hidden"}]},
    {"text": "hidden", "thought": True},
    {"type": "tool_use", "id": "t", "name": "hidden", "input": {"text": "hidden"}},
    {"type": "tool_call", "name": "hidden", "args": {}},
    {"type": "tool-call", "toolName": "hidden", "input": "hidden"},
    {"type": "tool_result", "content": "hidden"},
    {"type": "server_tool_use", "name": "hidden", "input": {}},
    {"type": "web_search_tool_result", "content": [{"type": "text", "text": "hidden"}]},
    {"type": "function_call", "arguments": "hidden", "name": "hidden"},
    {"type": "image_url", "image_url": {"url": "hidden"}},
    {"type": "text-plain", "text": "hidden", "mime_type": "text/plain"},
    {"type": "file", "data": "hidden"},
    {"toolUse": {"name": "hidden"}},
    {"reasoningContent": {"reasoningText": {"text": "hidden"}}},
    None,
    7,
]


@given(
    st.lists(st.tuples(st.text(), st.sampled_from(range(len(VISIBLE))), st.sampled_from(range(len(HIDDEN)))))
)
def test_visible_parts_are_joined_and_hidden_ones_left_out(parts: list[tuple[str, int, int]]) -> None:
    content: list[Any] = []
    for text, visible, hidden in parts:
        content += [VISIBLE[visible](text), HIDDEN[hidden]]
    assert text_of(content) == "".join(text for text, _visible, _hidden in parts)


@pytest.mark.parametrize("part", HIDDEN)
def test_a_hidden_part_alone_is_no_text(part: Any) -> None:
    assert text_of(part) == ""
    assert text_of([part]) == ""


@pytest.mark.parametrize("content", [None, "", [], {}, [[]], ["", None]])
def test_no_content_is_no_text(content: Any) -> None:
    assert text_of(content) == ""
