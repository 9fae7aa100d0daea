"""The turns of a conversation, each a trace of its own, as one transcript."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from turngrade.core import AssistantMessage, Transcript, Unreadable


def group_by_thread(items: Iterable[Transcript | Unreadable]) -> Iterator[Transcript | Unreadable]:
    """Merge the transcripts of each thread into one.

    The turns stand in order of their start. The thread's final output is that of its last turn; its id is the
    thread's. A transcript without a thread stays as it is, and so does what could not be read.

    Args:
        items: What `read_transcripts` or `read_project` gives. All of it is read before the first thread is
            complete.
    """
    groups: dict[tuple[object, ...], list[Transcript]] = {}
    rest: list[Transcript | Unreadable] = []
    for item in items:
        thread = item.metadata.get("thread_id") if isinstance(item, Transcript) else None
        if isinstance(item, Transcript) and thread is not None:
            groups.setdefault((item.source, thread), []).append(item)
        else:
            rest.append(item)
    yield from map(_merged, groups.values())
    yield from rest


def _merged(turns: list[Transcript]) -> Transcript:
    turns = sorted(turns, key=lambda turn: turn.metadata.get("start_time") or 0.0)
    last = turns[-1]
    thread_id = str(last.metadata["thread_id"])
    metadata: dict[str, Any] = {**last.metadata, "run_ids": [turn.id for turn in turns]}
    return replace(
        last,
        messages=_renumbered([turn.in_scope("run") for turn in turns]),
        conversation=_renumbered([turn.in_scope("conversation") for turn in turns]),
        model_calls=_renumbered([turn.in_scope("model-calls") for turn in turns]),
        id=thread_id,
        incomplete=next((turn.incomplete for turn in turns if turn.incomplete), None),
        metadata=metadata,
    )


def _renumbered(lists: Sequence[Sequence[AssistantMessage]]) -> tuple[AssistantMessage, ...]:
    return tuple(replace(message, index=index) for index, message in enumerate(chain.from_iterable(lists)))
