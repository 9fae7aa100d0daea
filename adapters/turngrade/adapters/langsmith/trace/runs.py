"""One neutral view of a run, over ``RunTree``, ``schemas.Run``, the v2 ``types.run.Run`` and plain dicts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from enum import Enum
from functools import lru_cache
from math import isfinite
from typing import Any
from uuid import UUID

from msgspec import Struct, field
from msgspec.structs import replace

from turngrade.adapters.langsmith.shapes import as_list, as_mapping, is_set, told

THREAD_KEYS = ("thread_id", "session_id", "conversation_id")
"""Metadata keys that name a thread, in LangSmith's order of precedence."""

# How LangGraph and generators unwind: recorded as errors, but no failure of the run.
_CONTROL_FLOW = re.compile(r"(GeneratorExit|GraphInterrupt|GraphBubbleUp|NodeInterrupt|ParentCommand)\b")

# A dotted order names the runs from the root on: the time, in UTC, and the id of each.
_DOTTED_ID = re.compile(r"Z([^.]*)")


class RunView(Struct, frozen=True):
    """The fields of a run that reading needs. Nothing of the run is copied or changed.

    Args:
        id: The run's id.
        trace_id: Id of the trace, where it is recorded.
        parents: Ids of the ancestors that are recorded, root first, parent last.
        name: The run's name.
        kind: The run type, in lower case.
        inputs: The inputs, as recorded.
        outputs: The outputs, as recorded.
        error: The error's text, where there is one.
        failed: Whether the run failed. An interrupt or an abandoned stream is no failure.
        dotted_order: LangSmith's sort key; empty where it is not recorded.
        start: Start in seconds since 1970, where it is recorded.
        metadata: ``extra.metadata``.
        tags: The tags.
        children: The child runs attached to it; None where they were not loaded.
        child_ids: Ids of child runs, where the server lists them.
        tokens: Tokens used by the run and its children, where they are recorded.
        thread_id: The thread it belongs to.
        no_runs: What stands among its child runs and is none.
        withheld: Whether it has outputs that are not here: not selected, or kept in a store of their own.
    """

    id: str
    trace_id: str | None = None
    parents: tuple[str, ...] = ()
    name: str = ""
    kind: str = "chain"
    inputs: object = None
    outputs: object = None
    error: str | None = None
    failed: bool = False
    dotted_order: str = ""
    start: float | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    children: tuple[Any, ...] | None = None
    child_ids: tuple[str, ...] = ()
    tokens: int = 0
    thread_id: str | None = None
    no_runs: tuple[str, ...] = ()
    withheld: bool = False

    @property
    def is_model_call(self) -> bool:
        """Whether a model was called (``run_type`` ``llm``)."""
        return self.kind == "llm"


def view_run(run: object) -> RunView:
    """The view of a run of any of the four kinds.

    Args:
        run: A ``RunTree``, a ``langsmith.schemas.Run``, a v2 ``langsmith.types.run.Run``, or a dict with
            the same keys (``run_id`` for ``id`` is understood).

    Raises:
        ValueError: It has no id, and so is no run.
    """
    fields = _fields(run)
    get = fields.get
    run_id = _id(get("id")) or _id(get("run_id"))
    if run_id is None:
        raise ValueError("this is no LangSmith run: it has no id")
    metadata = _metadata(fields)
    error = get("error")
    children = as_list(get("child_runs"))
    return RunView(
        id=run_id,
        trace_id=_id(get("trace_id")),
        parents=_parents(fields, run_id),
        name=told(get("name")),
        kind=_lower(get("run_type")) or "chain",
        inputs=get("inputs"),
        outputs=get("outputs"),
        error=told(error) if error is not None and is_set(error) else None,
        failed=_failed(error, get("status")),
        dotted_order=told(get("dotted_order")),
        start=_seconds(get("start_time")),
        metadata=metadata,
        tags=_texts(get("tags")),
        children=None if children is None else tuple(children),
        child_ids=_texts(get("child_run_ids")),
        tokens=_count(get("total_tokens")),
        thread_id=_thread(fields, metadata),
        withheld=get("outputs") is None and _has_outputs_elsewhere(fields),
    )


def _fields(run: object) -> Mapping[str, Any]:
    """The stored fields. Properties are not touched: ``Run.metadata`` writes into the run when it is read."""
    mapping = as_mapping(run)
    if mapping is not None:
        return mapping
    try:
        return vars(run)
    except Exception:  # it has no fields, or does not tell them
        return {}


def _metadata(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    extra = as_mapping(fields.get("extra")) or {}
    found = as_mapping(extra.get("metadata"))
    return found or as_mapping(fields.get("metadata")) or {}


def _parents(fields: Mapping[str, Any], run_id: str) -> tuple[str, ...]:
    """The ids of the runs above; a run that names itself has nothing above it."""
    listed = _texts(fields.get("parent_run_ids"))
    if listed:
        return tuple(above for above in listed if above != run_id)
    parent = _id(fields.get("parent_run_id"))
    if parent == run_id:
        return ()
    dotted = _DOTTED_ID.findall(told(fields.get("dotted_order")))
    if dotted and dotted[-1] == run_id and (parent is None or dotted[-2:-1] == [parent]):
        return tuple(dotted[:-1])
    return (parent,) if parent else ()


def _failed(error: object, status: object) -> bool:
    if error is not None and is_set(error):
        return _CONTROL_FLOW.match(told(error)) is None
    return _lower(status) == "error"


def _thread(fields: Mapping[str, Any], metadata: Mapping[str, Any]) -> str | None:
    thread = _id(fields.get("thread_id"))
    for key in THREAD_KEYS if metadata else ():
        thread = thread or _id(metadata.get(key))
    return thread


def _has_outputs_elsewhere(fields: Mapping[str, Any]) -> bool:
    stored = as_mapping(fields.get("s3_urls")) or {}
    places = (fields.get("outputs_preview"), fields.get("outputs_s3_urls"), stored.get("outputs"))
    return any(map(is_set, places))


def _id(value: object) -> str | None:
    if type(value) is UUID:
        return _uuid_text(value)
    return (told(value) or None) if value is not None and is_set(value) else None


@lru_cache(maxsize=1024)
def _uuid_text(value: UUID) -> str:
    """The text of an id; all runs of a trace name the same ids again."""
    return str(value)


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(told, value)) if isinstance(value, (list, tuple)) else ()


def _lower(value: object) -> str:
    if type(value) is str:
        return value.lower()
    if isinstance(value, Enum):
        value = value.value
    return told(value).lower() if is_set(value) else ""


def _count(value: object) -> int:
    return int(value) if isinstance(value, int) or (isinstance(value, float) and isfinite(value)) else 0


def _seconds(value: object) -> float | None:
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return None
    try:
        if isinstance(value, datetime):
            return (value if value.tzinfo else value.replace(tzinfo=UTC)).timestamp()
        return float(value) if isinstance(value, int | float) and isfinite(value) else None
    except OverflowError:  # a number, or a moment, that no clock shows
        return None


def flatten(runs: Sequence[object]) -> list[RunView]:
    """Views of runs and of all runs attached below them, each once, parents first.

    Raises:
        ValueError: One of ``runs`` is no run. What is none below them is noted in its parent's view.
    """
    seen: dict[str, RunView] = {}
    stack: list[tuple[object, RunView | None]] = [(run, None) for run in reversed(runs)]
    while stack:
        run, parent = stack.pop()
        try:
            view = _below(view_run(run), parent)
        except ValueError:
            if parent is None:
                raise
            above = seen[parent.id]
            seen[parent.id] = replace(above, no_runs=(*above.no_runs, _shown(run)))
            continue
        known = seen.get(view.id)
        if known is None or (known.children is None and view.children is not None):
            seen[view.id] = view
            stack += [(child, view) for child in reversed(view.children or ())]
    return list(seen.values())


def _shown(value: object) -> str:
    """How a message names what is no run."""
    if value is None:
        return "null"
    return (told(value) or f"a {type(value).__name__}")[:80]


def _below(view: RunView, parent: RunView | None) -> RunView:
    if parent is None or view.parents:
        return view
    return replace(view, parents=(*parent.parents, parent.id), trace_id=view.trace_id or parent.trace_id)
