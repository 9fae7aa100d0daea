"""Samples of a `.json` log, one in memory at a time."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from typing import Any, BinaryIO

from turngrade.core.transcript import Unreadable

from .archive import MAX_MEMBER_SIZE
from .decode import sample_from_json, sample_from_raw
from .eval_log import check_header
from .problems import InvalidLog, InvalidSample
from .shape import SampleRecord

_CHUNK = 1 << 20

# As Inspect writes: indented by two. A newline can stand nowhere within a JSON string, so that these bytes can only
# be structure; that they are this structure is checked by decoding what lies between them.
_SAMPLES = b'\n  "samples": ['
_FIRST = b"\n    {"
_END = b"\n    }"


def json_log_samples(file: BinaryIO, source: str) -> Iterator[SampleRecord | Unreadable]:
    """The samples of a log, in its order.

    Args:
        file: The log, seekable.
        source: Where it is, for messages.

    Raises:
        InvalidLog: It is not an Inspect log, was written without its samples, or breaks off.
    """
    window = _Window(file)
    if window.enter_samples():
        yield from _indented(window, source)
        return
    file.seek(0)
    yield from _any_layout(_Text(file), source)


def _indented(window: _Window, source: str) -> Iterator[SampleRecord | Unreadable]:
    index = 0
    while (data := window.next_sample()) is not None:
        try:
            yield sample_from_json(data)
        except InvalidSample as error:
            yield Unreadable(source, f"samples[{index}]: {error.message}", id=error.id, epoch=error.epoch)
        index += 1


class _Window:
    """The part of an indented log that is being looked at."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._held = bytearray()

    def enter_samples(self) -> bool:
        """Move to the first sample; False where the log is laid out in another way, or has none."""
        at = self._find(_SAMPLES + _FIRST)
        if at < 0:
            return False
        try:
            header = json.loads(bytes(self._held[:at]) + b'"samples":[]}')
        except (ValueError, RecursionError):
            return False
        if not isinstance(header, dict) or "eval" not in header:
            return False
        del self._held[: at + len(_SAMPLES)]
        return True

    def next_sample(self) -> bytes | None:
        """The JSON of the next sample; None behind the last one."""
        if not self._held.startswith(_FIRST):
            return None
        end = self._find(_END)
        if end < 0:
            raise InvalidLog("the log breaks off within a sample")
        end += len(_END)
        data = bytes(self._held[:end])
        while len(self._held) < end + 1 + len(_FIRST) and self._read():
            pass
        # a comma, and the next one
        del self._held[: end + 1]
        return data

    def _find(self, what: bytes) -> int:
        start = 0
        while (at := self._held.find(what, start)) < 0:
            start = max(0, len(self._held) - len(what))
            if len(self._held) > MAX_MEMBER_SIZE:
                raise InvalidLog(f"a sample of more than {MAX_MEMBER_SIZE:,} bytes")
            if not self._read():
                return -1
        return at

    def _read(self) -> bool:
        chunk = self._file.read(_CHUNK)
        self._held += chunk
        return bool(chunk)


def _any_layout(text: _Text, source: str) -> Iterator[SampleRecord | Unreadable]:
    """Read a log of any layout with the standard library's decoder, value by value."""
    header: dict[str, Any] = {}
    found = False
    text.expect("{", "not an Inspect log: no JSON object")
    while text.peek() == '"':
        key = text.value()
        text.expect(":", "broken JSON: a key without a value")
        if key == "samples" and text.peek() == "[":
            for index, raw in enumerate(text.items()):
                found = True
                yield _sample(raw, index, source)
        else:
            header[key] = text.value()
        if text.peek() == ",":
            text.skip()
    text.expect("}", "broken JSON: the log breaks off")
    if not found:
        check_header(header)


def _sample(raw: Any, index: int, source: str) -> SampleRecord | Unreadable:
    try:
        return sample_from_raw(raw)
    except InvalidSample as error:
        return Unreadable(source, f"samples[{index}]: {error.message}", id=error.id, epoch=error.epoch)


class _Text:
    """JSON text that is read as it is needed."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._decode = codecs.getincrementaldecoder("utf-8-sig")()
        self._decoder = json.JSONDecoder()
        self._held = ""
        self._at = 0
        self._ended = False

    def peek(self) -> str:
        """The next character that is not blank; empty at the end."""
        while True:
            while self._at < len(self._held):
                char = self._held[self._at]
                if char not in " \t\r\n":
                    return char
                self._at += 1
            if not self._more(_CHUNK):
                return ""

    def skip(self) -> None:
        """Go past the character that `peek` has given."""
        self._at += 1

    def expect(self, char: str, otherwise: str) -> None:
        """Go past a character.

        Raises:
            InvalidLog: Another one stands there.
        """
        if self.peek() != char:
            raise InvalidLog(otherwise)
        self.skip()

    def items(self) -> Iterator[Any]:
        """The values of the array that begins here."""
        self.skip()
        while self.peek() not in ("]", ""):
            yield self.value()
            if self.peek() == ",":
                self.skip()
        self.expect("]", "broken JSON: the log breaks off within its samples")

    def value(self) -> Any:
        """The next value.

        Raises:
            InvalidLog: It is broken, or breaks off.
        """
        self.peek()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._held, self._at)
            except (json.JSONDecodeError, RecursionError, ValueError) as error:
                # what is broken may only be what is not there yet: look at twice as much
                if not self._more(max(_CHUNK, len(self._held) - self._at)):
                    raise InvalidLog(f"broken JSON: {error}") from error
                continue
            if end < len(self._held) or not self._more(_CHUNK):
                self._at = end
                return value

    def _more(self, size: int) -> bool:
        if self._ended:
            return False
        if len(self._held) - self._at > MAX_MEMBER_SIZE:
            raise InvalidLog(f"a value of more than {MAX_MEMBER_SIZE:,} characters, or broken JSON")
        chunk = self._file.read(size)
        self._ended = not chunk
        try:
            text = self._decode.decode(chunk, final=self._ended)
        except UnicodeDecodeError as error:
            raise InvalidLog(f"not UTF-8: {error}") from error
        self._held = self._held[self._at :] + text
        self._at = 0
        return not self._ended
