"""Whose model calls are, from events that are hard to bring about in a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.inspect.archives import log_with, sample, transcripts


def call(text: str, span: str | None = None, **fields: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": text, "id": f"m-{text}", "source": "generate"}
    output = {"choices": [{"message": message}]}
    return {"event": "model", "span_id": span, "tool_choice": "auto", "output": output, **fields}


def begin(id: str, type: str | None, parent: str | None = None, name: str | None = None) -> dict[str, Any]:
    return {
        "event": "span_begin",
        "id": id,
        "span_id": id,
        "type": type,
        "parent_id": parent,
        "name": name or id,
    }


def scopes(tmp_path: Path, *events: dict[str, Any]) -> tuple[list[str], list[tuple[str, str | None]]]:
    """Of a run with these events: the texts of scope ``run``, and texts and speakers of ``model-calls``."""
    (transcript,) = transcripts(log_with(tmp_path / "x.eval", sample(messages=[], events=list(events))))
    return (
        [message.text for message in transcript.messages],
        [(message.text, message.agent) for message in transcript.in_scope("model-calls")],
    )


def test_compaction_by_the_provider_makes_no_call(tmp_path: Path) -> None:
    for metadata in (
        {"strategy": "CompactionNative"},
        {"strategy": "Auto", "strategy_applied": "CompactionNative"},
    ):
        compaction = {"event": "compaction", "type": "summary", "metadata": metadata}
        assert scopes(tmp_path, call("a turn"), compaction) == (["a turn"], [("a turn", None)])


@pytest.mark.parametrize("kind", ["trim", "edit"])
def test_trimming_and_editing_make_no_call(tmp_path: Path, kind: str) -> None:
    assert scopes(tmp_path, call("a turn"), {"event": "compaction", "type": kind})[0] == ["a turn"]


def test_the_summariser_is_the_last_call_in_the_span_of_the_compaction(tmp_path: Path) -> None:
    run, model_calls = scopes(
        tmp_path,
        begin("left", "agent"),
        begin("right", "agent"),
        call("left turn", "left"),
        call("left summary", "left", tool_choice="none"),
        call("right turn", "right"),
        {"event": "compaction", "type": "summary", "span_id": "left"},
    )
    assert run == ["left turn", "right turn"]
    assert model_calls == [("left turn", "left"), ("left summary", "compaction"), ("right turn", "right")]


def test_turns_of_an_agent_without_tools_are_no_earlier_summaries(tmp_path: Path) -> None:
    turns = [call(text, tool_choice="none") for text in ("one", "two", "a summary")]
    assert scopes(tmp_path, *turns, {"event": "compaction", "type": "summary"})[0] == ["one", "two"]


def test_an_appended_scorer_whose_parent_is_gone_follows_the_run(tmp_path: Path) -> None:
    events = [
        begin("solvers", "solvers"),
        call("the answer", "solvers"),
        begin("late", "scorer", "overwritten"),
        begin("its model", "agent", "late"),
        call("the judge", "its model"),
    ]
    assert scopes(tmp_path, *events) == (["the answer"], [("the answer", None)])


def test_a_judge_within_an_agent_is_inside_the_run(tmp_path: Path) -> None:
    events = [begin("agent", "agent"), begin("judge", "scorers", "agent"), call("the judge", "judge")]
    assert scopes(tmp_path, *events) == ([], [("the judge", "scorer")])


def test_scorer_steps_within_and_behind_the_run(tmp_path: Path) -> None:
    def step(action: str, type: str) -> dict[str, Any]:
        return {"event": "step", "action": action, "type": type, "name": type}

    inside = [step("begin", "scorer"), call("within"), step("end", "scorer")]
    events = [step("begin", "solver"), call("a turn"), *inside, step("end", "solver")]
    behind = [step("begin", "scorer"), call("behind"), step("end", "scorer"), call("unsorted")]
    assert scopes(tmp_path, *events, *behind) == (
        ["a turn", "unsorted"],
        [("a turn", None), ("within", "scorer"), ("unsorted", None)],
    )


def test_calls_under_way_and_failed_calls(tmp_path: Path) -> None:
    run, model_calls = scopes(
        tmp_path,
        call("under way", pending=True),
        call("", error="it broke"),
        call("answered too late", error="Cancelled by operator"),
        call("a turn"),
    )
    assert run == ["a turn"]
    assert model_calls == [("answered too late", "failed call"), ("a turn", None)]


def test_a_span_without_a_beginning(tmp_path: Path) -> None:
    assert scopes(tmp_path, call("a turn", "nowhere"))[0] == ["a turn"]


def test_who_speaks(tmp_path: Path) -> None:
    events = [
        begin("solvers", "solvers"),
        begin("main", "agent", "solvers"),
        call("main turn", "main"),
        begin("tool", "tool", "main"),
        begin("sub", "agent", "tool"),
        call("sub turn", "sub"),
        begin("phase", None, "sub", "a phase"),
        call("phase turn", "phase"),
    ]
    assert scopes(tmp_path, *events)[1] == [
        ("main turn", None),
        ("sub turn", "sub"),
        ("phase turn", "a phase"),
    ]
