"""Samples of a `.json` log that is laid out as Inspect lays it out: found by their bytes, not by parsing.

Inspect indents by two. A newline can stand nowhere within a JSON string, so that these bytes can only be
structure; that they are this structure is checked by decoding what lies between them.
"""

from __future__ import annotations

import json
import re
from typing import BinaryIO

from turngrade.core.bounds import check_parts

from .archive import MAX_MEMBER_SIZE
from .problems import InvalidLog

CHUNK = 1 << 20
"""Bytes that are read at a time, where a sample is not longer."""

_OPENING = re.compile(rb'(?:\xef\xbb\xbf)?\{\n  "')
_SAMPLES = b'\n  "samples": ['
_FIRST = b"\n    {"
_END = b"\n    }"

# searched for as patterns, which here takes half the time of `bytes.find`
_ENTRANCE = re.compile(re.escape(_SAMPLES + _FIRST))
_EXIT = re.compile(re.escape(_END))


class Window:
    """The part of a log that is being looked at.

    Args:
        file: The log, at its beginning.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._data = b""
        self._at = 0
        """Where what has not been given out begins."""

    @property
    def held(self) -> bytes:
        """What has been read from the file and not been given out."""
        return self._data[self._at :]

    def enter_samples(self) -> bool:
        """Move to the first sample; False where the log is laid out in another way, or has none."""
        self._read()
        if not _OPENING.match(self._data):
            return False
        end = self._end_of(_ENTRANCE, len(_SAMPLES + _FIRST))
        if end < 0:
            return False
        begin = end - len(_SAMPLES + _FIRST)
        try:
            check_parts(memoryview(self._data)[:begin])
            header = json.loads(self._data[:begin] + b'"samples":[]}')
        except (ValueError, RecursionError):
            return False
        if not isinstance(header, dict) or "eval" not in header:
            return False
        self._at = begin + len(_SAMPLES)
        return True

    def next_sample(self) -> memoryview | None:
        """The JSON of the next sample; None where no whole one in this layout is next."""
        if not self._data.startswith(_FIRST, self._at):
            return None
        end = self._end_of(_EXIT, len(_END))
        if end < 0:
            return None
        sample = memoryview(self._data)[self._at : end]
        self._at = end
        while len(self._data) - self._at < 1 + len(_FIRST) and self._read():
            pass
        self._at += self._data.startswith(b",", self._at)
        return sample

    def _end_of(self, what: re.Pattern[bytes], length: int) -> int:
        """Where the next occurrence ends; -1 where there is none."""
        start = self._at
        while (found := what.search(self._data, start)) is None:
            looked_at = len(self._data) - self._at
            if looked_at > MAX_MEMBER_SIZE:
                raise InvalidLog(f"a sample of more than {MAX_MEMBER_SIZE:,} bytes")
            if not self._read():
                return -1
            start = max(0, looked_at - length)
        return found.end()

    def _read(self) -> bool:
        """Read on, as much again as is held; what has been given out goes. False at the end of the file."""
        held = self.held
        chunk = self._file.read(max(CHUNK, len(held)))
        self._data, self._at = held + chunk, 0
        return bool(chunk)
