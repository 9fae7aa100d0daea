"""Turns of a thread as one transcript."""

from __future__ import annotations

from typing import Any

from tests.langsmith.recorded import DATA, EXPORTS

from turngrade.adapters.langsmith import group_by_thread, read_transcripts
from turngrade.core import AssistantMessage, Transcript, Unreadable


def turn(start: float, *said: str, thread: str | None = "t", source: str = "s", **fields: Any) -> Transcript:
    messages = tuple(AssistantMessage(text, index) for index, text in enumerate(said))
    metadata = {"start_time": start, **({"thread_id": thread} if thread else {})}
    output = said[-1] if said else None
    return Transcript(messages, output, id=f"run {start}", source=source, metadata=metadata, **fields)


def texts(transcript: Any, scope: Any = "run") -> list[str]:
    messages = transcript.in_scope(scope)
    assert [message.index for message in messages] == list(range(len(messages)))
    return [message.text for message in messages]


def test_turns_stand_in_order_of_their_start() -> None:
    (thread,) = group_by_thread([turn(2, "c"), turn(1, "a", "b")])
    assert isinstance(thread, Transcript)
    assert texts(thread) == ["a", "b", "c"]
    assert (thread.id, thread.output, thread.source) == ("t", "c", "s")
    assert thread.metadata["run_ids"] == ["run 1", "run 2"]


def test_output_is_that_of_the_last_turn() -> None:
    (thread,) = group_by_thread([turn(1, "a"), turn(2)])
    assert isinstance(thread, Transcript)
    assert thread.output is None


def test_scopes_are_merged_each_by_itself() -> None:
    guard = AssistantMessage("guard", 0)
    first = turn(1, "a", model_calls=(guard, AssistantMessage("a", 1)))
    second = turn(2, "b", conversation=())
    (thread,) = group_by_thread([first, second])
    assert texts(thread) == ["a", "b"]
    assert texts(thread, "model-calls") == ["guard", "a", "b"]
    assert texts(thread, "conversation") == ["a"]


def test_threads_of_two_sources_are_two() -> None:
    assert len(list(group_by_thread([turn(1, "a"), turn(2, "b", source="other")]))) == 2


def test_the_rest_stays_as_it_is() -> None:
    alone, broken = turn(1, "a", thread=None), Unreadable("s", "broken")
    assert list(group_by_thread([alone, broken])) == [alone, broken]


def test_an_incomplete_turn_makes_an_incomplete_thread() -> None:
    (thread,) = group_by_thread([turn(1, "a", incomplete="why"), turn(2, "b")])
    assert isinstance(thread, Transcript)
    assert thread.incomplete == "why"


def test_recorded_thread() -> None:
    (thread,) = group_by_thread(read_transcripts(DATA / "langgraph_thread_two_turns.json"))
    assert isinstance(thread, Transcript)
    assert (thread.id, texts(thread)) == ("th-1", ["turn one reply", "turn two reply"])
    exported = [item.id for item in group_by_thread(read_transcripts(EXPORTS / "runs_v1.jsonl"))]
    assert exported[0] == "th-1"
    assert len(exported) == 3


def test_turns_of_an_agent_sdk_share_a_session() -> None:
    (thread,) = group_by_thread(read_transcripts(DATA / "claude_agent_two_turns.json"))
    assert texts(thread) == ["turn one", "turn two"]
