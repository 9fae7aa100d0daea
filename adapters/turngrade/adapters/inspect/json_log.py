"""Samples of a `.json` log, one in memory at a time."""

from __future__ import annotations

import codecs
import io
import json
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from turngrade.core.bounds import TooLarge, check_parts
from turngrade.core.transcript import OnRead, Unreadable

from .archive import MAX_MEMBER_SIZE
from .decode import sample_from_json, sample_from_raw
from .eval_log import check_header
from .json_layout import CHUNK, Window
from .problems import InvalidLog, InvalidSample
from .shape import SampleRecord

_LONGEST_TOKEN = 16
_HEADER = ("eval", "results")
"""What is asked of a log beside its samples."""

_BREAKS_OFF = "broken JSON: the log breaks off"


def json_log_samples(
    file: BinaryIO, source: str, on_read: OnRead | None = None
) -> Iterator[SampleRecord | Unreadable]:
    """The samples of a log, in its order.

    Args:
        file: The log, seekable.
        source: Where it is, for messages.
        on_read: Is told how far the reading is, before each sample is given.

    Raises:
        InvalidLog: It is not an Inspect log, was written without its samples, or breaks off.
    """
    samples = _samples(file, source)
    if on_read is None:
        yield from samples
        return
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    for sample in samples:
        on_read(file.tell() / size)
        yield sample


def _samples(file: BinaryIO, source: str) -> Iterator[SampleRecord | Unreadable]:
    window = Window(file)
    if window.enter_samples():
        found = 0
        while (data := window.next_sample()) is not None:
            yield _sample(sample_from_json, data, found, source)
            found += 1
        # what is laid out in another way, or broken, and all that follows the samples
        yield from _Log(_Text(file, window.held), source, found).rest_of_samples()
    else:
        file.seek(0)
        yield from _Log(_Text(file), source).samples()


def _sample(
    decode: Callable[[Any], SampleRecord], data: Any, index: int, source: str
) -> SampleRecord | Unreadable:
    try:
        return decode(data)
    except InvalidSample as error:
        return Unreadable(source, f"samples[{index}]: {error.message}", id=error.id, epoch=error.epoch)


class _Log:
    """A log of any layout, read with the standard library's decoder, value by value."""

    def __init__(self, text: _Text, source: str, found: int = 0) -> None:
        self._text = text
        self._source = source
        self._found = found
        self._header: dict[str, Any] = {}

    def samples(self) -> Iterator[SampleRecord | Unreadable]:
        """All samples, from the beginning of the log."""
        self._text.expect("{", "not an Inspect log: no JSON object")
        yield from self._members()
        if not self._found:
            check_header(self._header)

    def rest_of_samples(self) -> Iterator[SampleRecord | Unreadable]:
        """The samples from here, within their array."""
        yield from self._items()
        self._text.skip(",")
        yield from self._members()

    def _members(self) -> Iterator[SampleRecord | Unreadable]:
        text = self._text
        while text.peek() == '"':
            key = text.value()
            text.expect(":", "broken JSON: a key without a value")
            if key == "samples" and text.skip("["):
                yield from self._items()
            else:
                value = text.value()
                if key in _HEADER:
                    self._header[key] = value
            text.skip(",")
        text.expect("}", _BREAKS_OFF)

    def _items(self) -> Iterator[SampleRecord | Unreadable]:
        text = self._text
        while text.peek() not in ("]", ""):
            yield _sample(sample_from_raw, text.value(), self._found, self._source)
            self._found += 1
            text.skip(",")
        text.expect("]", _BREAKS_OFF)


class _Text:
    """JSON text that is read as it is needed."""

    def __init__(self, file: BinaryIO, held: bytes | bytearray = b"") -> None:
        self._file = file
        self._pending = held
        self._decode = codecs.getincrementaldecoder("utf-8-sig")().decode
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
            if not self._more(CHUNK):
                return ""

    def skip(self, char: str) -> bool:
        """Go past a character; False where another one stands there."""
        if self.peek() != char:
            return False
        self._at += 1
        return True

    def expect(self, char: str, otherwise: str) -> None:
        """Go past a character.

        Raises:
            InvalidLog: Another one stands there.
        """
        if not self.skip(char):
            raise InvalidLog(otherwise)

    def value(self) -> Any:
        """The next value.

        Raises:
            InvalidLog: It is broken, or breaks off.
        """
        self.peek()
        while True:
            try:
                check_parts(self._held)
                value, end = self._decoder.raw_decode(self._held, self._at)
            except TooLarge as error:
                raise InvalidLog(f"not read: {error}") from None
            except RecursionError:
                raise InvalidLog("broken JSON: nested too deeply") from None
            except ValueError as error:
                # what is broken may only be what is not there yet: look at twice as much
                if self._breaks_off(error) and self._more(max(CHUNK, len(self._held) - self._at)):
                    continue
                raise InvalidLog(f"broken JSON: {error}") from error
            if end < len(self._held) or not self._more(CHUNK):
                self._at = end
                return value

    def _breaks_off(self, error: ValueError) -> bool:
        """Whether what has been read may be whole, and only too short for the value."""
        if not isinstance(error, json.JSONDecodeError):
            return False
        return error.msg.startswith("Unterminated string") or error.pos > len(self._held) - _LONGEST_TOKEN

    def _more(self, size: int) -> bool:
        if self._ended:
            return False
        if len(self._held) - self._at > MAX_MEMBER_SIZE:
            raise InvalidLog(f"a value of more than {MAX_MEMBER_SIZE:,} characters, or broken JSON")
        chunk, self._pending = self._pending or self._file.read(size), b""
        self._ended = not chunk
        try:
            text = self._decode(chunk, self._ended)
        except UnicodeDecodeError as error:
            raise InvalidLog(f"not UTF-8: {error}") from error
        self._held = self._held[self._at :] + text
        self._at = 0
        return not self._ended
