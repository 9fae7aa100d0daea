"""JSON Lines: one row a transcript, as `Grade.to_dict` gives it."""

from __future__ import annotations

import json
import re
from typing import IO, Any

from turngrade.core import Grade, Spec, Transcript

_LINE_BREAKS = re.compile("[\x85\u2028\u2029\ud800-\udfff]")
"""What many readers take for the end of a line, and lone surrogates, which UTF-8 has not."""


def encode(row: Any) -> bytes:
    """One line of JSON in UTF-8, with escapes for what would break the line or the encoding."""
    text = json.dumps(row, ensure_ascii=False)
    return _LINE_BREAKS.sub(lambda found: f"\\u{ord(found[0]):04x}", text).encode() + b"\n"


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
