"""What the loopback server remembers: projects, datasets, runs and feedback, and its two query languages."""

from __future__ import annotations

import re
import threading
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

Row = dict[str, Any]

TENANT = "11111111-1111-1111-1111-111111111111"

_CONDITION = re.compile(r'(eq|gte|lt|has)\((name|start_time|tags), "((?:[^"\\]|\\.)*)"\)')


def now() -> str:
    return datetime.now(UTC).isoformat()


class BadQuery(ValueError):
    """A query that the hosted server refuses too."""


class Store:
    """Everything that was sent to the server."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.sessions: dict[str, Row] = {}
        self.datasets: dict[str, Row] = {}
        self.examples: dict[str, Row] = {}
        self.runs: dict[str, Row] = {}
        self.feedback: list[Row] = []
        self._feedback_by_id: dict[str, Row] = {}
        self.on_repeated_id: Literal["conflict", "upsert", "append"] = "conflict"

    def project(self, name: str, **fields: Any) -> Row:
        """The project of that name, made when it is not there."""
        for session in self.sessions.values():
            if session["name"] == name:
                return session
        row: Row = {"id": str(uuid.uuid4()), "name": name, "reference_dataset_id": None, "start_time": now()}
        row |= {key: value for key, value in fields.items() if value is not None} | {"tenant_id": TENANT}
        self.sessions[row["id"]] = row
        return row

    def merge_run(self, changes: Row) -> None:
        """Create a run, or add to it what a later message says."""
        run = self.runs.setdefault(changes["id"], {})
        run.update({key: value for key, value in changes.items() if value is not None or key not in run})
        if not run.get("session_id") and run.get("session_name"):
            run["session_id"] = self.project(run["session_name"])["id"]

    def add_feedback(self, row: Row) -> bool:
        """Store a row; False where its id is taken and the server refuses that."""
        taken = self._feedback_by_id.get(row["id"])
        if taken is None or self.on_repeated_id == "append":
            self.feedback.append(row)
            self._feedback_by_id[row["id"]] = row
            return True
        if self.on_repeated_id == "upsert":
            taken.update(row)
            return True
        return False

    def find_feedback(self, id: str) -> Row | None:
        """The row of that id."""
        return self._feedback_by_id.get(id)

    def add_trace(self, project: str, runs: list[Row]) -> None:
        """Put recorded runs into a project."""
        session = self.project(project)["id"]
        for run in runs:
            self.merge_run({**run, "session_id": session})

    def query_v1(self, body: Row) -> Row:
        """``POST /runs/query``: pages of at most 100 runs, newest first."""
        limit = body.get("limit") or 100
        if limit > 100:
            raise BadQuery("limit must be at most 100")
        runs = [run for run in self.runs.values() if self._selected(run, body, body.get("session"))]
        page, cursor = _page(runs, body.get("cursor"), limit)
        select = body.get("select")
        rows = [_only(_v1(run), select) for run in page]
        return {"runs": rows, "cursors": {"next": cursor}}

    def query_v2(self, body: Row) -> Row:
        """``POST /api/v2/runs/query``: only what ``selects`` names, by default only the last day."""
        if not 1 <= (size := body.get("page_size", 100)) <= 1000:
            raise BadQuery("page_size must be between 1 and 1000")
        since = body.get("min_start_time") or (datetime.now(UTC) - timedelta(days=1)).isoformat()
        runs = [
            run
            for run in self.runs.values()
            if self._selected(run, body, body["project_ids"]) and _time(run["start_time"]) >= _time(since)
        ]
        page, cursor = _page(runs, body.get("cursor"), size)
        selects = [name.lower() for name in body.get("selects", ["ID"])]
        return {"items": [_only(_v2(run), selects) for run in page], "next_cursor": cursor}

    def _selected(self, run: Row, body: Row, projects: list[str] | None) -> bool:
        root = self.runs.get(run["trace_id"], {})
        return (
            (not projects or run.get("session_id") in projects)
            and (body.get("is_root") is None or (run.get("parent_run_id") is None) == body["is_root"])
            and all(run["trace_id"] == body[key] for key in ("trace", "trace_id") if body.get(key))
            and (not body.get("id") or run["id"] in body["id"])
            and _matches(run, body.get("filter"))
            and _matches(root, body.get("trace_filter"))
        )


def _matches(run: Row, expression: str | None) -> bool:
    """The part of LangSmith's filter language that reading a project needs."""
    if not expression:
        return True
    rest = _CONDITION.sub("", expression)
    if re.sub(r"and\([\s,]*\)|[\s,]", "", rest):
        raise BadQuery(f"filter not understood: {expression}")
    return bool(run) and all(_holds(run, *match.groups()) for match in _CONDITION.finditer(expression))


def _holds(run: Row, operator: str, field: str, literal: str) -> bool:
    value = run.get(field)
    literal = re.sub(r"\\(.)", r"\1", literal)
    if operator == "has":
        return literal in (value or [])
    if operator == "eq":
        return bool(value == literal)
    older = _time(str(value)) < _time(literal)
    return older if operator == "lt" else not older


def _page(runs: list[Row], cursor: str | None, size: int) -> tuple[list[Row], str | None]:
    runs = sorted(runs, key=lambda run: (_time(run["start_time"]), run["id"]), reverse=True)
    start = int(cursor or 0)
    return runs[start : start + size], str(start + size) if start + size < len(runs) else None


def _time(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _parents(run: Row) -> list[str]:
    return [segment.partition("Z")[2] for segment in (run.get("dotted_order") or "").split(".")[:-1]]


def _only(run: Row, names: list[str] | None) -> Row:
    return run if names is None else {name: run[name] for name in names if name in run}


def _v1(run: Row) -> Row:
    status = "error" if run.get("error") else "success" if run.get("end_time") else "pending"
    added = {"parent_run_ids": _parents(run), "status": status, "app_path": f"/r/{run['id']}"}
    return {"inputs": {}, **run, **added}


def _v2(run: Row) -> Row:
    row = _v1(run)
    row |= {"run_type": str(row.get("run_type")).upper(), "status": row["status"].upper()}
    row |= {"project_id": row.pop("session_id", None), "is_root": not row["parent_run_ids"]}
    row.pop("parent_run_id", None)
    return row
