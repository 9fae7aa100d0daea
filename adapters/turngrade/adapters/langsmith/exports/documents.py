"""JSON documents → transcripts: run trees, lists of runs, answers of the API, fetched messages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from turngrade.adapters.langsmith.convert import transcript_from_trace
from turngrade.adapters.langsmith.shapes import read_list, read_message
from turngrade.adapters.langsmith.trace.grouping import group_by_trace
from turngrade.adapters.langsmith.trace.runs import THREAD_KEYS
from turngrade.core import OnRead, Transcript, Unreadable

Item: TypeAlias = Transcript | Unreadable

_RUN_LISTS = ("runs", "items")

MESSAGES_ONLY = (
    "Only the messages of the final conversation are in this file: what sub-agents said, what was removed, "
    "and where the input ends is not known."
)


def read_document(value: object, source: str, name: str, on_read: OnRead | None = None) -> Iterator[Item]:
    """The transcripts in one JSON document.

    Args:
        value: The decoded document.
        source: The file, for the transcripts.
        name: Id for a message list that has none.
        on_read: Is told how far the reading is, before each trace is given.
    """
    if isinstance(value, Mapping):
        yield from _read_mapping(value, source, name, on_read)
    elif isinstance(value, list) and read_list(value) and not any(map(is_run, value)):
        yield fetched(value, source, name)
    elif isinstance(value, list):
        yield from read_runs(value, source, on_read)
    else:
        yield Unreadable(source, f"holds {_json_name(value)}, where runs are expected.")


def _first_words(error: Exception) -> str:
    return str(error) or type(error).__name__


def _json_name(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    return "a string" if isinstance(value, str) else "a number"


def is_run(value: object) -> bool:
    """Whether a JSON value is a run."""
    if not isinstance(value, Mapping) or not (value.get("id") or value.get("run_id")):
        return False
    return any(
        key in value for key in ("run_type", "dotted_order", "child_runs", "parent_run_id", "parent_run_ids")
    )


def _read_mapping(value: Mapping[str, Any], source: str, name: str, on_read: OnRead | None) -> Iterator[Item]:
    runs = next((value[key] for key in _RUN_LISTS if isinstance(value.get(key), list)), None)
    if is_run(value):
        yield from read_runs([value], source)
    elif runs is not None:
        yield from read_runs(runs, source, on_read)
    elif isinstance(previews := value.get("previews"), Mapping):
        yield _preview(value, previews, source, name)
    elif isinstance(value.get("messages"), list):
        yield _fetched_with_metadata(value, source, name)
    else:
        keys = ", ".join(list(map(str, value))[:6])
        yield Unreadable(source, f"holds no LangSmith run: an object with the keys {keys or 'none'}.")


def read_runs(runs: Sequence[object], source: str, on_read: OnRead | None = None) -> Iterator[Item]:
    """The transcripts of a list of runs, flat or nested; what is no run is told, and the rest is read."""
    good: list[object] = []
    for position, run in enumerate(runs):
        if is_run(run):
            good.append(run)
        elif isinstance(run, Mapping) and isinstance(run.get("messages"), list):
            yield _fetched_with_metadata(run, source, str(position))
        else:
            yield Unreadable(source, f"item {position + 1} of the list is no run: it has no id and run_type.")
    groups = group_by_trace(good)
    for number, (trace_id, group) in enumerate(groups.items(), start=1):
        if on_read is not None:
            on_read(number / len(groups))
        yield read_trace(group, source, trace_id)


def read_trace(runs: Sequence[object], source: str, trace_id: str) -> Item:
    """The transcript of one trace; `Unreadable` where its runs make none."""
    try:
        return transcript_from_trace(list(map(_with_messages, runs)), source=source)
    except Exception as error:  # one trace must not cost the others, whatever is in it
        return Unreadable(source, f"the trace cannot be read: {_first_words(error)}", id=trace_id)


def without_some(item: Item, why: str) -> Item:
    """The item, where it is a transcript, as one that may lack runs.

    Args:
        item: What was read of a trace.
        why: What is wrong with the file that holds it.
    """
    return item if isinstance(item, Unreadable) else replace(item, incomplete=item.incomplete or why)


def _with_messages(run: object) -> object:
    """A run that was fetched with ``include_messages`` holds its conversation beside its outputs."""
    if isinstance(run, Mapping) and not run.get("outputs") and isinstance(run.get("messages"), list):
        return {**run, "outputs": {"messages": run["messages"]}}
    return run


def fetched(
    messages: Sequence[object], source: str, name: str, metadata: Mapping[str, Any] | None = None
) -> Transcript:
    """The transcript of a bare message list, as ``langsmith-fetch`` writes it for a trace or a thread."""
    root = {"id": name, "run_type": "chain", "outputs": {"messages": list(messages)}}
    transcript = transcript_from_trace([root], source=source)
    return replace(transcript, incomplete=MESSAGES_ONLY, metadata=dict(metadata or {}))


def _fetched_with_metadata(value: Mapping[str, Any], source: str, name: str) -> Item:
    known = value.get("metadata")
    known = known if isinstance(known, Mapping) else {}
    custom = known.get("custom_metadata")
    metadata = {**known, **(custom if isinstance(custom, Mapping) else {})}
    thread = next((metadata[key] for key in THREAD_KEYS if metadata.get(key)), value.get("thread_id"))
    if thread:
        metadata["thread_id"] = thread
    trace_id = value.get("trace_id") or value.get("thread_id") or value.get("id")
    return fetched(value["messages"], source, str(trace_id or name), metadata)


def _preview(value: Mapping[str, Any], previews: Mapping[str, Any], source: str, name: str) -> Item:
    thread_id = str(value.get("thread_id") or name)
    text = previews.get("all_messages")
    if not isinstance(text, str):
        return Unreadable(source, "the thread was fetched without select=all_messages.", id=thread_id)
    try:
        messages = list(_joined_json(text))
    except ValueError as error:
        return Unreadable(source, f"the thread's all_messages are not JSON: {error}", id=thread_id)
    unknown = next((message for message in messages if read_message(message) is None), None)
    if unknown is not None:
        return Unreadable(source, f"the thread holds what is no message: {str(unknown)[:80]}", id=thread_id)
    return fetched(messages, source, thread_id, {"thread_id": thread_id})


def _joined_json(text: str) -> Iterator[Any]:
    """JSON values that stand one behind the other, with blank space in between."""
    decoder = json.JSONDecoder()
    position = len(text) - len(text.lstrip())
    while position < len(text):
        value, position = decoder.raw_decode(text, position)
        yield value
        while position < len(text) and text[position].isspace():
            position += 1
