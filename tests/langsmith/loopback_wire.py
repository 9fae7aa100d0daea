"""What travels between a LangSmith client and the loopback server: bodies, multipart forms, answers."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler
from typing import Any, cast
from urllib.parse import parse_qs, urlsplit

import zstandard


@dataclass(frozen=True)
class Request:
    """One request as the server saw it."""

    method: str
    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body) if self.body else None

    def first(self, name: str, default: str) -> str:
        return self.query.get(name, [default])[0]

    def parts(self) -> list[tuple[str, Any]]:
        """The parts of a multipart form: name and JSON value, in order; attachments are left out."""
        head = b"Content-Type: " + self.headers["content-type"].encode() + b"\r\n\r\n"
        form = BytesParser(policy=HTTP).parsebytes(head + self.body)
        found = []
        for part in form.iter_parts():
            name = str(part.get_param("name", header="content-disposition"))
            if not name.startswith("attachment."):
                found.append((name, json.loads(cast(bytes, part.get_payload(decode=True)))))
        return found


@dataclass(frozen=True)
class Answer:
    """What the server sends back."""

    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


def read_request(handler: BaseHTTPRequestHandler) -> Request:
    """Read a request whole: chunked or not, zstd or plain."""
    url = urlsplit(handler.path)
    headers = {name.lower(): value for name, value in handler.headers.items()}
    body = _read_body(handler, headers)
    return Request(handler.command, url.path, parse_qs(url.query), headers, body)


def send_answer(handler: BaseHTTPRequestHandler, answer: Answer) -> None:
    """Send an answer as JSON."""
    data = json.dumps(answer.body).encode()
    handler.send_response(answer.status)
    for name, value in {
        "content-type": "application/json",
        "content-length": str(len(data)),
        **answer.headers,
    }.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(data)


def _read_body(handler: BaseHTTPRequestHandler, headers: dict[str, str]) -> bytes:
    if headers.get("transfer-encoding", "").lower() == "chunked":
        body = b"".join(iter(lambda: _read_chunk(handler), b""))
    else:
        body = handler.rfile.read(int(headers.get("content-length", "0")))
    if headers.get("content-encoding") == "zstd":
        body = zstandard.ZstdDecompressor().decompressobj().decompress(body)
    return body


def _read_chunk(handler: BaseHTTPRequestHandler) -> bytes:
    size = int(handler.rfile.readline().split(b";")[0].strip() or b"0", 16)
    chunk = handler.rfile.read(size)
    handler.rfile.readline()
    return chunk
