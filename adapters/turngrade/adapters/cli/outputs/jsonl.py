"""JSON Lines: one row a transcript, as `Grade.to_dict` gives it."""

from __future__ import annotations

import json
from typing import IO, Any

from turngrade.core import Grade, Spec, Transcript


def encode(row: Any) -> bytes:
    """One line of JSON in UTF-8; escapes where a lone surrogate has no UTF-8."""
    try:
        return json.dumps(row, ensure_ascii=False).encode() + b"\n"
    except UnicodeEncodeError:
        return json.dumps(row).encode() + b"\n"


class JsonLines:
    """Writes each grade at once."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file

    def add(self, grade: Grade, transcript: Transcript | None) -> None:
        """Write the row of a grade."""
        self.file.write(encode(grade.to_dict()))

    def finish(self) -> None:
        """Nothing is left to be written."""


def open_output(file: IO[bytes], spec: Spec) -> JsonLines:
    """The writer for an open file."""
    return JsonLines(file)
