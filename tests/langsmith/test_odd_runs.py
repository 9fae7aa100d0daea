"""Runs that hold what no run should: reading them never raises, and says what is wrong."""

from __future__ import annotations

import copy
import enum
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from turngrade.adapters.langsmith import read_transcripts, transcript_from_run, transcript_from_trace
from turngrade.core import Transcript, Unreadable

Run = dict[str, Any]


class NoText:
    def __str__(self) -> str:
        raise RuntimeError("no text")

    __repr__ = __str__


class NoEquality:
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no equality")


class NoTruth:
    def __bool__(self) -> bool:
        raise RuntimeError("no truth")


class NoAttributes:
    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError("no attributes")


class SlottedModel:
    __slots__ = ("text",)
    model_fields: dict[str, Any] = {}  # noqa: RUF012 - as pydantic has it


class Word(str, enum.Enum):  # noqa: UP042 - its str() is not its value
    HELLO = "hello"


def nested(levels: int = 3000) -> list[Any]:
    inner: list[Any] = []
    for _ in range(levels):
        inner = [inner]
    return inner


VALUES: list[Any] = [
    NoText(),
    NoEquality(),
    NoTruth(),
    NoAttributes(),
    SlottedModel(),
    np.array([1, 2, 3]),
    np.array([["assistant", "x"], ["user", "y"]]),
    np.float64("nan"),
    nested(),
    math.inf,
    -math.inf,
    10**400,
    {"type": NoEquality(), "content": "x"},
    [None, 3, "x"],
    Word,
]

ROOT: Run = {
    "id": "root",
    "trace_id": "root",
    "name": "agent",
    "run_type": "chain",
    "inputs": {"messages": [{"role": "user", "content": "q"}]},
    "outputs": {
        "messages": [
            {"role": "user", "content": "q"},
            {"role": "assistant", "content": [{"type": "text", "text": "hi"}], "tool_calls": [{"id": "t"}]},
        ]
    },
    "error": None,
    "status": "success",
    "start_time": "2026-01-01T00:00:00",
    "dotted_order": "20260101T000000000000Zroot",
    "tags": ["a"],
    "extra": {"metadata": {"thread_id": "t", "ls_agent_type": "x", "lc_source": "y", "ls_integration": "z"}},
    "total_tokens": 3,
    "parent_run_ids": [],
    "child_run_ids": ["call"],
    "child_runs": [
        {
            "id": "call",
            "run_type": "llm",
            "inputs": {"messages": [[{"type": "human", "content": "q"}]]},
            "outputs": {"generations": [[{"text": "hi", "message": {"type": "ai", "content": "hi"}}]]},
            "tags": ["seq:step:1"],
            "child_runs": [],
        }
    ],
}


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))


def with_value(path: tuple[Any, ...], value: Any) -> Run:
    run = copy.deepcopy(ROOT)
    place: Any = run
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return run


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_odd_values_anywhere_do_not_raise(value: Any) -> None:
    for path in places(ROOT):
        if path != ("id",):
            assert isinstance(transcript_from_run(with_value(path, value)), Transcript), path


@pytest.mark.parametrize("value", [np.array([1, 2]), np.array([[1, 2], [3, 4]]), NoEquality()])
def test_odd_values_under_messages_hide_no_text(value: Any) -> None:
    run = {"id": "r", "outputs": {"messages": value, "answer": "hello"}, "child_runs": []}
    assert transcript_from_run(run).output == "hello"


@pytest.mark.parametrize("text", [Word.HELLO, np.str_("hello")])
def test_strings_of_other_classes_become_plain(text: str) -> None:
    for outputs in ({"answer": text}, {"messages": [{"role": "assistant", "content": text}]}):
        transcript = transcript_from_run({"id": "r", "outputs": outputs, "child_runs": []})
        assert [type(message.text) for message in transcript.messages] == [str]
        assert (transcript.output, type(transcript.output)) == ("hello", str)
        assert transcript.output_fields is None or type(transcript.output_fields.get("answer", "")) is str


@pytest.mark.parametrize(("child", "shown"), [(None, "null"), ("a word", "a word"), ({}, "{}"), (3, "3")])
def test_a_child_that_is_no_run_is_told(tmp_path: Path, child: Any, shown: str) -> None:
    root = {
        "id": "r",
        "name": "agent",
        "run_type": "chain",
        "outputs": {"output": "hi"},
        "child_runs": [child],
    }
    file = tmp_path / "runs.json"
    file.write_text(json.dumps(root))
    (read,) = read_transcripts(file)
    for transcript in (transcript_from_run(root), read):
        assert isinstance(transcript, Transcript)
        assert transcript.output == "hi"
        assert transcript.incomplete == f"A child of run r (agent) is no run, for it has no id: {shown}"


def test_a_run_that_is_its_own_parent_is_a_root() -> None:
    for above in ({"parent_run_id": "1"}, {"parent_run_ids": ["1"]}):
        run = {"id": "1", "run_type": "chain", "outputs": {"output": "hi"}, "child_runs": [], **above}
        for transcript in (transcript_from_run(run), transcript_from_trace([run])):
            assert (transcript.output, transcript.incomplete) == ("hi", None)


@pytest.mark.parametrize("suffix", ["json", "jsonl"])
@pytest.mark.parametrize("odd", ['"total_tokens": Infinity', '"start_time": 1' + 400 * "0"])
def test_odd_numbers_do_not_cost_the_other_traces(tmp_path: Path, odd: str, suffix: str) -> None:
    lines = [
        f'{{"id": "{number}", "run_type": "chain", "outputs": {{"output": "hi"}}, {fields}}}'
        for number, fields in enumerate([odd, '"name": "x"'])
    ]
    file = tmp_path / f"runs.{suffix}"
    file.write_text("\n".join(lines) if suffix == "jsonl" else f"[{','.join(lines)}]")
    assert [item.output for item in read_transcripts(file) if isinstance(item, Transcript)] == ["hi", "hi"]


def test_whatever_a_trace_does_is_told_of_it_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from turngrade.adapters.langsmith.exports import documents

    def broken(runs: list[Run], **_kwargs: Any) -> Transcript:
        if runs[0]["id"] == "1":
            raise OverflowError("too large")
        return transcript_from_trace(runs)

    monkeypatch.setattr(documents, "transcript_from_trace", broken)
    file = tmp_path / "runs.jsonl"
    file.write_text("".join(f'{{"id": "{number}", "run_type": "chain"}}\n' for number in (1, 2)))
    first, second = read_transcripts(file)
    assert first == Unreadable(str(file), "the trace cannot be read: too large", id="1")
    assert isinstance(second, Transcript)


def test_lines_that_hold_no_run_are_named(tmp_path: Path) -> None:
    file = tmp_path / "runs.jsonl"
    file.write_text('null\n3\n{"id": "1", "run_type": "chain", "outputs": {"output": "hi"}}\n')
    told = [item.message for item in read_transcripts(file) if isinstance(item, Unreadable)]
    assert told == [
        "line 1: holds null, where runs are expected.",
        "line 2: holds a number, where runs are expected.",
    ]


@pytest.mark.parametrize(
    ("said", "returned", "messages"),
    [
        ("Yesterday I said so", "yes", ["Yesterday I said so", "yes"]),
        ("yesterday I said so", "yes", ["yesterday I said so", "yes"]),
        ("The answer: yes.", "yes", ["The answer: yes."]),
        ("It costs 142 EUR", "42", ["It costs 142 EUR", "42"]),
        ("答案是是的", "是的", ["答案是是的"]),
        ("yesterday; yes", "yes", ["yesterday; yes"]),
    ],
)
def test_a_returned_word_is_a_part_of_what_was_said_as_a_word(
    said: str, returned: str, messages: list[str]
) -> None:
    call = {"id": "c", "run_type": "llm", "outputs": {"role": "assistant", "content": said}}
    run = {"id": "r", "outputs": {"answer": returned}, "child_runs": [call]}
    assert [message.text for message in transcript_from_run(run).messages] == messages
