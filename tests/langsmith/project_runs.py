"""Runs for a project on the loopback server: traces of a few runs each, with ids that tell their order."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

FIRST = datetime(2026, 1, 1, tzinfo=UTC)


def trace(
    number: int, *texts: str, name: str = "agent", tags: tuple[str, ...] = (), skew: float = 0.0
) -> list[Any]:
    """The runs of a trace: a root, and a model call a text.

    Args:
        number: Trace number; it starts that many minutes after `FIRST`.
        texts: What the model says.
        name: Name of the root.
        tags: Tags of the root.
        skew: Seconds by which the calls' clock is behind the root's.
    """
    start = FIRST + timedelta(minutes=number)
    root = _run(number, 0, start, name, "chain", {"answer": texts[-1] if texts else None})
    root |= {"tags": list(tags), "dotted_order": _order(root)}
    runs = [root]
    for position, text in enumerate(texts, 1):
        begun = start + timedelta(seconds=position - skew)
        call = _run(number, position, begun, "model", "llm", {"role": "assistant", "content": text})
        call |= {"parent_run_id": root["id"], "dotted_order": f"{root['dotted_order']}.{_order(call)}"}
        runs.append(call)
    return runs


def root_id(number: int) -> str:
    """Id of a trace and of its root."""
    return str(uuid.UUID(int=number * 1000 + 10**15))


def _run(number: int, position: int, start: datetime, name: str, kind: str, outputs: Any) -> dict[str, Any]:
    return {
        "id": str(uuid.UUID(int=number * 1000 + 10**15 + position)),
        "trace_id": root_id(number),
        "name": name,
        "run_type": kind,
        "start_time": start.replace(tzinfo=None).isoformat(),
        "end_time": (start + timedelta(seconds=30)).replace(tzinfo=None).isoformat(),
        "inputs": {},
        "outputs": outputs,
        "extra": {"metadata": {}},
        "tags": [],
    }


def _order(run: dict[str, Any]) -> str:
    start = datetime.fromisoformat(run["start_time"])
    return f"{start:%Y%m%dT%H%M%S%f}Z{run['id']}"
