"""A LangSmith server on the loopback interface, for tests: what the client calls, and faults on demand.

Not a model of the hosted product: it keeps what it is sent, answers the queries that the SDK and turngrade
make, and refuses the ones that the hosted server refuses.
"""

from __future__ import annotations

import re
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

from tests.langsmith.loopback_store import TENANT, BadQuery, Row, Store, now
from tests.langsmith.loopback_wire import Answer, Request, read_request, send_answer

API_KEY = "lsv2_pt_not_a_real_key_0123456789"

BATCH_CONFIG = {
    "use_multipart_endpoint": True,
    "scale_up_qsize_trigger": 1000,
    "scale_up_nthreads_limit": 16,
    "scale_down_nempty_trigger": 4,
    "size_limit": 100,
    "size_limit_bytes": 20_971_520,
}


@dataclass
class Fault:
    """Something that goes wrong with matching requests.

    Args:
        method: The HTTP method.
        path: A pattern that is searched in the path.
        times: How many requests it hits.
        skip: How many matching requests pass before the first hit.
        status: Answer with this status instead of doing anything.
        headers: Headers of that answer.
        body: Body of that answer.
        delay: Seconds to wait before the request is looked at.
        drop: Close the connection: ``before`` the request is carried out, or ``after``, so that only the
            answer is lost.
    """

    method: str
    path: str
    times: int = 1
    skip: int = 0
    status: int | None = None
    headers: dict[str, str] | None = None
    body: Any = None
    delay: float = 0.0
    drop: Literal["before", "after"] | None = None

    def hits(self, request: Request) -> bool:
        """Whether the fault strikes this request; counts down."""
        if self.times <= 0 or self.method != request.method or not re.search(self.path, request.path):
            return False
        if self.skip > 0:
            self.skip -= 1
            return False
        self.times -= 1
        return True


class Loopback:
    """The server; a context manager that yields itself while it listens."""

    def __init__(self, *, zstd: bool = False, v1: bool = True, v2: bool = False) -> None:
        self.store = Store()
        self.requests: list[Request] = []
        self.faults: list[Fault] = []
        self.info: Row = {
            "version": "0.16.0",
            "batch_ingest_config": dict(BATCH_CONFIG),
            "instance_flags": {
                "zstd_compression_enabled": zstd,
                "ch_query_enabled": v1,
                "sdb_query_enabled": v2,
            },
        }
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Loopback:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def inject(self, method: str, path: str, **how: Any) -> Fault:
        """Add a fault; see `Fault` for the keywords."""
        fault = Fault(method, path, **how)
        self.faults.append(fault)
        return fault

    def count(self, method: str, path: str) -> int:
        """How many requests of that method went to that path, a pattern that must cover it."""
        return sum(1 for r in self.requests if r.method == method and re.fullmatch(path, r.path))

    def answer(self, request: Request) -> Answer:
        """Carry a request out."""
        path = re.sub(r"^/api/v1(?=/)", "", request.path)
        for method, pattern, route in ROUTES:
            if method == request.method and (found := re.fullmatch(pattern, path)):
                try:
                    with self.store.lock:
                        return route(self, request, *found.groups())
                except BadQuery as error:
                    return Answer({"detail": str(error)}, 400)
        return Answer({"detail": f"not implemented: {request.method} {request.path}"}, 404)


def _handler(server: Loopback) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # head and body in one packet: two would wait for each other

        def log_message(self, format: str, *args: Any) -> None:
            pass

        def serve(self) -> None:
            request = read_request(self)
            with server.store.lock:
                server.requests.append(request)
                fault = next((fault for fault in server.faults if fault.hits(request)), None)
            if fault is None:
                return send_answer(self, server.answer(request))
            time.sleep(fault.delay)
            if fault.status is not None:
                body = {"detail": "injected"} if fault.body is None else fault.body
                return send_answer(self, Answer(body, fault.status, fault.headers or {}))
            answer = server.answer(request) if fault.drop != "before" else Answer()
            if fault.drop is None:
                return send_answer(self, answer)
            self.close_connection = True
            return None

        do_GET = do_POST = do_PATCH = do_DELETE = serve

    return Handler


def _info(server: Loopback, _request: Request) -> Answer:
    return Answer(server.info)


def _create_session(server: Loopback, request: Request) -> Answer:
    if any(session["name"] == request.json["name"] for session in server.store.sessions.values()):
        return Answer({"detail": "a session of that name exists"}, 409)
    return Answer(server.store.project(**request.json))


def _list_sessions(server: Loopback, request: Request) -> Answer:
    if "name" in request.query:
        return Answer([s for s in server.store.sessions.values() if s["name"] == request.first("name", "")])
    return Answer([*server.store.sessions.values()] or [server.store.project("default")])


def _session(server: Loopback, request: Request, id: str) -> Answer:
    session = server.store.sessions.get(id)
    if session is not None and request.method == "PATCH":
        session.update({key: value for key, value in request.json.items() if value is not None})
    return _found(session)


def _create_dataset(server: Loopback, request: Request) -> Answer:
    row = {**_stamps(), "example_count": 0, **request.json}
    server.store.datasets[row["id"]] = row
    return Answer(row)


def _list_datasets(server: Loopback, request: Request) -> Answer:
    name = request.query.get("name")
    return Answer([row for row in server.store.datasets.values() if name is None or row["name"] in name])


def _dataset(server: Loopback, _request: Request, id: str) -> Answer:
    return _found(server.store.datasets.get(id))


def _create_examples(server: Loopback, request: Request) -> Answer:
    bodies = request.json if isinstance(request.json, list) else [request.json]
    rows = [{**_stamps(), **body} for body in bodies]
    server.store.examples.update({row["id"]: row for row in rows})
    return Answer(rows if isinstance(request.json, list) else rows[0])


def _upload_examples(server: Loopback, request: Request, dataset: str) -> Answer:
    rows: dict[str, Row] = {}
    for name, value in request.parts():
        id, _, field = name.partition(".")
        row = rows.setdefault(id, {**_stamps(), "id": id, "dataset_id": dataset})
        row.update({field: value} if field else value)
    server.store.examples.update(rows)
    return Answer({"count": len(rows), "example_ids": list(rows)}, 201)


def _list_examples(server: Loopback, request: Request) -> Answer:
    datasets, ids = request.query.get("dataset", []), request.query.get("id", [])
    rows = [
        row for row in server.store.examples.values() if row["dataset_id"] in datasets or row["id"] in ids
    ]
    return Answer(_slice(rows, request))


def _example(server: Loopback, request: Request, id: str) -> Answer:
    example = server.store.examples.get(id)
    if example is not None and request.method == "PATCH":
        example.update(request.json)
    return _found(example)


def _multipart(server: Loopback, request: Request) -> Answer:
    for name, value in request.parts():
        kind, id, *field = name.split(".")
        if kind == "feedback":
            server.store.add_feedback(value)
        else:
            server.store.merge_run({"id": id, **({field[0]: value} if field else value)})
    return Answer({"message": "accepted"}, 202)


def _batch(server: Loopback, request: Request) -> Answer:
    for run in [*request.json.get("post", []), *request.json.get("patch", [])]:
        server.store.merge_run(run)
    return Answer({"message": "accepted"}, 202)


def _query_v1(server: Loopback, request: Request) -> Answer:
    if not server.info["instance_flags"].get("ch_query_enabled", True):
        return Answer({"detail": "not available on this deployment"}, 404)
    return Answer(server.store.query_v1(request.json))


def _query_v2(server: Loopback, request: Request) -> Answer:
    if not server.info["instance_flags"].get("sdb_query_enabled"):
        return Answer({"detail": "not available on this deployment"}, 404)
    return Answer(server.store.query_v2(request.json))


def _run(server: Loopback, request: Request, id: str) -> Answer:
    page = server.store.query_v1({"id": [id]})["runs"]
    return _found(page[0] if page else None)


def _create_feedback(server: Loopback, request: Request) -> Answer:
    if server.store.add_feedback(request.json):
        return Answer(request.json)
    return Answer({"detail": "feedback of that id exists"}, 409)


def _list_feedback(server: Loopback, request: Request) -> Answer:
    runs, keys = request.query.get("run"), request.query.get("key")
    rows = [
        row
        for row in server.store.feedback
        if (runs is None or row["run_id"] in runs) and (keys is None or row["key"] in keys)
    ]
    return Answer([_shown(row) for row in _slice(rows, request)])


def _shown(row: Row) -> Row:
    """Feedback as the hosted server tells it: true is 1."""
    score = row.get("score")
    return {"trace_id": None, **row, "score": None if score is None else float(score)}


def _feedback(server: Loopback, request: Request, id: str) -> Answer:
    row = server.store.find_feedback(id)
    if row is not None and request.method == "PATCH":
        row.update(request.json)
    return _found(row)


def _settings(_server: Loopback, _request: Request) -> Answer:
    return Answer({"id": TENANT, "display_name": "loopback", "created_at": now(), "tenant_handle": None})


def _stamps() -> Row:
    return {"id": str(uuid.uuid4()), "created_at": now(), "modified_at": now()}


def _found(row: Row | None) -> Answer:
    return Answer({"detail": "not found"}, 404) if row is None else Answer(row)


def _slice(rows: list[Row], request: Request) -> list[Row]:
    start = int(request.first("offset", "0"))
    return rows[start : start + min(int(request.first("limit", "100")), 100)]


ROUTES: list[tuple[str, str, Callable[..., Answer]]] = [
    ("GET", "/info", _info),
    ("GET", "/settings", _settings),
    ("POST", "/sessions", _create_session),
    ("GET", "/sessions", _list_sessions),
    ("GET", "/sessions/([^/]+)", _session),
    ("PATCH", "/sessions/([^/]+)", _session),
    ("POST", "/datasets", _create_dataset),
    ("GET", "/datasets", _list_datasets),
    ("GET", "/datasets/([^/]+)", _dataset),
    ("POST", "/examples", _create_examples),
    ("POST", "/examples/bulk", _create_examples),
    ("POST", "/platform/datasets/([^/]+)/examples", _upload_examples),
    ("PATCH", "/platform/datasets/([^/]+)/examples", _upload_examples),
    ("GET", "/examples", _list_examples),
    ("GET", "/examples/([^/]+)", _example),
    ("PATCH", "/examples/([^/]+)", _example),
    ("POST", "/runs/multipart", _multipart),
    ("POST", "/runs/batch", _batch),
    ("POST", "/runs/query", _query_v1),
    ("POST", "/api/v2/runs/query", _query_v2),
    ("GET", "/runs/([^/]+)", _run),
    ("POST", "/feedback", _create_feedback),
    ("GET", "/feedback", _list_feedback),
    ("GET", "/feedback/([^/]+)", _feedback),
    ("PATCH", "/feedback/([^/]+)", _feedback),
]
