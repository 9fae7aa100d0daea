"""Reads the traces of a LangSmith project from the server, whole, while they are graded."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from turngrade.adapters.langsmith.convert import transcript_from_run
from turngrade.adapters.langsmith.gathering import SKEW, OpenTraces, ServerTrace
from turngrade.adapters.langsmith.queries import run_pages
from turngrade.adapters.langsmith.trace_filter import TraceFilter
from turngrade.adapters.langsmith.transport import LangSmithRequestFailed, Server
from turngrade.core import Transcript, Unreadable

if TYPE_CHECKING:
    from langsmith import Client


@dataclass(frozen=True, slots=True)
class Project:
    """A project of the server.

    Args:
        id: Its id, under which the API wants it.
        name: Its name.
    """

    id: str
    name: str


def read_project(
    project: str,
    *,
    since: datetime | None = None,
    until: datetime | None = None,
    root_name: str | None = None,
    tag: str | None = None,
    limit: int | None = None,
    client: Client | None = None,
    server: Server | None = None,
) -> Iterator[Transcript | Unreadable]:
    """Read the traces of a project as transcripts, newest first, page by page.

    Each comes as soon as its runs are there, child runs included, so that grading goes on while the rest is
    read. A transcript's id is the root run's id, its source ``langsmith:PROJECT``.

    Args:
        project: Name or id of the project.
        since: Only traces that started at or after this time; without a time zone, UTC.
        until: Only traces that started before this time.
        root_name: Only traces whose root run has this name.
        tag: Only traces whose root run has this tag.
        limit: At most so many traces.
        client: The SDK's client; by default one made from the environment (``LANGSMITH_API_KEY``,
            ``LANGSMITH_ENDPOINT``).
        server: Instead of a client: how to ask the server.

    Yields:
        Transcripts, and an `Unreadable` for a trace without a root run, for a project that is not there, and
        for a server that cannot be read any further.

    Raises:
        ImportError: ``langsmith`` is not installed.
    """
    source = f"langsmith:{project}"
    wanted = TraceFilter(since, until, root_name, tag, limit)
    try:
        for trace in read_traces(project, wanted, server or Server(client)):
            yield _transcript(trace, source)
    except LangSmithRequestFailed as error:
        yield Unreadable(source, str(error))


def read_traces(project: str, wanted: TraceFilter, server: Server) -> Iterator[ServerTrace]:
    """Read the traces of a project, newest first.

    The runs of all traces are read in one stream, because queries are what LangSmith limits most (15 in ten
    seconds): a query a trace would take hours for what a stream reads in minutes.

    Args:
        project: Name or id of the project.
        wanted: Which traces.
        server: Whom to ask.

    Raises:
        LangSmithRequestFailed: The project is not there, or the server cannot be read.
    """
    found = find_project(server, project)
    traces = OpenTraces(wanted)
    if wanted.limit == 0:
        return
    for page in run_pages(server, found.id, wanted, SKEW):
        for run in page:
            yield from traces.add(run)
            if traces.is_full:
                return
    yield from traces.rest()


def find_project(server: Server, project: str) -> Project:
    """Find a project by its name, or else by its id.

    Args:
        server: Whom to ask.
        project: Name or id.

    Raises:
        LangSmithRequestFailed: There is none, or the server cannot be asked.
    """
    for row in server.read("GET", "/sessions", params={"name": project, "limit": 1}):
        if row.get("name") == project:
            return Project(str(row["id"]), project)
    if _is_uuid(project):
        row = server.read("GET", f"/sessions/{project}")
        return Project(str(row["id"]), str(row.get("name")))
    raise LangSmithRequestFailed(
        "GET /sessions", 404, f"no project named {project!r}; names are case-sensitive"
    )


def _is_uuid(text: str) -> bool:
    try:
        uuid.UUID(text)
    except ValueError:
        return False
    return True


def _transcript(trace: ServerTrace, source: str) -> Transcript | Unreadable:
    if trace.root is None:
        message = "the trace has no root run in this project: it was deleted, or has not arrived yet"
        return Unreadable(source, message, id=trace.id)
    try:
        transcript = transcript_from_run(trace.root, source=source, children=trace.children)
        if str(trace.root.get("status")).lower() == "pending" and transcript.incomplete is None:
            return replace(transcript, incomplete="The run has not ended yet.")
        return transcript
    except Exception as error:  # one odd trace must not end the reading of the others
        return Unreadable(source, f"the trace cannot be read: {type(error).__name__}: {error}", id=trace.id)
