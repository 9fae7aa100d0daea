"""Queries for runs: LangSmith's two query APIs as one stream of pages, newest runs first."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from turngrade.adapters.langsmith.trace_filter import TraceFilter, aware
from turngrade.adapters.langsmith.transport import Budget, LangSmithRequestFailed, Server

FIELDS = (
    "id",
    "name",
    "run_type",
    "status",
    "start_time",
    "end_time",
    "inputs",
    "outputs",
    "error",
    "extra",
    "tags",
    "trace_id",
    "dotted_order",
    "parent_run_ids",
)
"""What reading a trace needs of a run."""

BEGINNING = "2020-01-01T00:00:00+00:00"
"""Earlier than any trace; v2 would look at the last day only."""

V1_PAGE = 100
V2_PAGE = 500

_NOT_HERE = frozenset({404, 405, 501})


def run_pages(
    server: Server, project_id: str, wanted: TraceFilter, skew: timedelta
) -> Iterator[list[dict[str, Any]]]:
    """The runs of the wanted traces, children included, newest first.

    v2 is asked where the server has it, v1 otherwise, and the other one where the first is not answered.

    Args:
        server: Whom to ask.
        project_id: The project.
        wanted: Conditions on the root runs.
        skew: How much earlier than its root a run may have started.

    Raises:
        LangSmithRequestFailed: The server cannot be read.
    """
    first, second = (_pages_v2, _pages_v1) if _prefers_v2(server) else (_pages_v1, _pages_v2)
    pages = first(server, project_id, wanted, skew)
    try:
        page = next(pages, None)
    except LangSmithRequestFailed as error:
        if error.status not in _NOT_HERE:
            raise
        pages = second(server, project_id, wanted, skew)
        page = next(pages, None)
    while page is not None:
        yield page
        page = next(pages, None)


def _prefers_v2(server: Server) -> bool:
    info = server.read("GET", "/info")
    return bool((info.get("instance_flags") or {}).get("sdb_query_enabled"))


def _pages_v1(
    server: Server, project_id: str, wanted: TraceFilter, skew: timedelta
) -> Iterator[list[dict[str, Any]]]:
    body: dict[str, Any] = {
        "session": [project_id],
        "select": [*FIELDS, "parent_run_id", "session_id"],
        "limit": V1_PAGE,
        "order": "desc",
    }
    if wanted.since is not None:
        body["filter"] = f'gte(start_time, "{_utc(wanted.since - skew)}")'
    if (condition := _on_root(wanted)) is not None:
        body["trace_filter"] = condition
    cursor: str | None = None
    while True:
        answer = server.read("POST", "/runs/query", body=_with_cursor(body, cursor), budget=Budget.QUERY_RUNS)
        yield answer["runs"]
        cursor = (answer.get("cursors") or {}).get("next")
        if not cursor:
            return


def _pages_v2(
    server: Server, project_id: str, wanted: TraceFilter, skew: timedelta
) -> Iterator[list[dict[str, Any]]]:
    body: dict[str, Any] = {
        "project_ids": [project_id],
        "selects": [name.upper() for name in (*FIELDS, "project_id", "thread_id")],
        "page_size": V2_PAGE,
        "min_start_time": BEGINNING if wanted.since is None else _utc(wanted.since - skew),
    }
    if (condition := _on_root(wanted)) is not None:
        body["trace_filter"] = condition
    cursor: str | None = None
    while True:
        answer = server.read(
            "POST", "/api/v2/runs/query", body=_with_cursor(body, cursor), budget=Budget.QUERY_RUNS
        )
        yield answer["items"]
        cursor = answer.get("next_cursor")
        if not cursor:
            return


def _with_cursor(body: dict[str, Any], cursor: str | None) -> dict[str, Any]:
    return body if cursor is None else {**body, "cursor": cursor}


def _on_root(wanted: TraceFilter) -> str | None:
    """The conditions on the root run in LangSmith's filter language."""
    conditions = []
    if wanted.since is not None:
        conditions.append(f'gte(start_time, "{_utc(wanted.since)}")')
    if wanted.until is not None:
        conditions.append(f'lt(start_time, "{_utc(wanted.until)}")')
    if wanted.root_name is not None:
        conditions.append(f"eq(name, {json.dumps(wanted.root_name)})")
    if wanted.tag is not None:
        conditions.append(f"has(tags, {json.dumps(wanted.tag)})")
    if len(conditions) < 2:
        return conditions[0] if conditions else None
    return f"and({', '.join(conditions)})"


def _utc(moment: datetime) -> str:
    return aware(moment).astimezone(UTC).isoformat()
