"""Writes the report: template, style and script around the packed data."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from importlib.resources import files
from typing import IO, Any

from jinja2 import Environment

from turngrade.adapters.cli.outputs.report.data import Packer
from turngrade.adapters.cli.tally import Count, Tally
from turngrade.adapters.cli.terminal import visible
from turngrade.adapters.cli.wording import headline, percent
from turngrade.core import Grade, Spec, Transcript


class HtmlReport:
    """Keeps the data of all transcripts, and writes one file in the end.

    The data are compressed and in Base64, and the script puts texts into the page as text only: nothing that
    a transcript holds can become markup. A content security policy lets nothing run but this script, and
    nothing be loaded.
    """

    def __init__(self, file: IO[bytes], spec: Spec) -> None:
        self.file = file
        self.title = visible(spec.model.name or "turngrade")
        self.packer = Packer(spec)
        self.tally = Tally()
        self.transcripts: list[dict[str, Any]] = []

    def add(self, grade: Grade, transcript: Transcript | None) -> None:
        """Take one more grade."""
        self.tally.add(grade)
        self.transcripts.append(self.packer.pack(grade, transcript))

    def finish(self) -> None:
        """Write the file."""
        data = {"graders": self.packer.columns(), "transcripts": self.transcripts}
        style, script = _text("style.css"), _text("script.js")
        page = Environment(autoescape=True).from_string(_text("page.html.j2"))
        html = page.render(
            title=self.title,
            headline=headline(self.tally),
            rates=[self._rate(column) for column in self.packer.columns()],
            data=packed(data),
            style=style,
            style_hash=_hash(style),
            script=script,
            script_hash=_hash(script),
        )
        self.file.write(html.encode())

    def _rate(self, column: dict[str, Any]) -> dict[str, Any]:
        count = self.tally.graders.get(column["name"], Count())
        return {
            "name": visible(column["name"]),
            "type": column["type"],
            "passed": count.passed,
            "total": count.total,
            "share": f"{count.rate:.4f}",
            "percent": percent(count) if count.total else "",
        }


def packed(data: Any) -> str:
    """JSON, compressed, in Base64; the same data give the same text."""
    raw = json.dumps(data, separators=(",", ":")).encode()
    return base64.b64encode(gzip.compress(raw, compresslevel=9, mtime=0)).decode()


def _text(name: str) -> str:
    return files("turngrade.adapters.cli.outputs.report").joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def open_output(file: IO[bytes], spec: Spec) -> HtmlReport:
    """The writer for an open file."""
    return HtmlReport(file, spec)
