"""A web server on the loopback interface that serves ranges of files, as object stores do."""

from __future__ import annotations

import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

_RANGE = re.compile(r"bytes=(\d+)-(\d*)")


class Web:
    """The server; it runs while the context lasts.

    Args:
        folder: Whose files it serves.
    """

    def __init__(self, folder: Path) -> None:
        self.sent = 0
        """Bytes of files that were sent."""
        web = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_HEAD(self) -> None:
                self._answer(whole=False)

            def do_GET(self) -> None:
                web.sent += self._answer(whole=True)

            def _answer(self, *, whole: bool) -> int:
                data = (folder / unquote(self.path[1:])).read_bytes()
                size = len(data)
                asked = _RANGE.match(self.headers.get("Range", ""))
                if asked:
                    start, end = int(asked[1]), min(int(asked[2] or size), size - 1)
                    data = data[start : end + 1]
                    self.send_response(206)
                    self.send_header("Content-Range", f"bytes {start}-{end}/{size}")
                else:
                    self.send_response(200)
                self.send_header("Accept-Ranges", "bytes")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                if whole:
                    self.wfile.write(data)
                return len(data)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever)

    def url(self, file: Path) -> str:
        """Where a file of the folder is served."""
        return f"http://127.0.0.1:{self._server.server_port}/{quote(file.name)}"

    def __enter__(self) -> Web:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
