"""How large one value of a file may be. It bounds the memory that reading takes, whatever the file holds."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import BinaryIO

MAX_BYTES = 1 << 30
"""Most bytes of one line, document, sample or trace: 1 GiB."""

MAX_PARTS = 20_000_000
"""Most values in it. Decoded, each takes some 100 bytes, though two may be enough in the file."""

_PIECE = 1 << 20
_BEGINNINGS = (",", "[", "{")


class TooLarge(ValueError):
    """A value that is larger than what is read."""


def check_size(size: int, limit: int = MAX_BYTES) -> None:
    """Refuse a value that takes too many bytes.

    Args:
        size: Its bytes in the file.
        limit: Most bytes.

    Raises:
        TooLarge: It takes more.
    """
    if size > limit:
        raise _too_large(limit)


def check_parts(*texts: bytes | bytearray | memoryview | str) -> None:
    """Refuse JSON that holds too many values, before it is decoded.

    Args:
        texts: What will be in memory together. Commas and brackets within strings count too.

    Raises:
        TooLarge: It holds more.
    """
    if sum(map(len, texts)) > MAX_PARTS and sum(map(_parts, texts)) > MAX_PARTS:
        raise TooLarge(f"more than {MAX_PARTS:,} values in one, the most that is read at once")


def lines_of(file: BinaryIO, limit: int = MAX_BYTES) -> Iterator[bytes | TooLarge]:
    """The lines of a file, with their ends; what is wrong in the place of one that is too long.

    Args:
        file: The file, where its first line begins.
        limit: Most bytes of a line.
    """
    while line := file.readline(limit + 1):
        if len(line) <= limit:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = file.readline(_PIECE)
        yield _too_large(limit)


def content_of(path: str | os.PathLike[str], limit: int = MAX_BYTES) -> bytes:
    """All bytes of a file.

    Args:
        path: The file.
        limit: Most bytes.

    Raises:
        TooLarge: It holds more.
        OSError: It cannot be read.
    """
    with open(path, "rb") as file:
        data = file.read(limit + 1)
    check_size(len(data), limit)
    return data


def _too_large(limit: int) -> TooLarge:
    return TooLarge(f"larger than {limit:,} bytes, the most that is read at once")


def _parts(text: bytes | bytearray | memoryview | str) -> int:
    if isinstance(text, str):
        return sum(map(text.count, _BEGINNINGS))
    view = memoryview(text)
    pieces = (bytes(view[at : at + _PIECE]) for at in range(0, len(view), _PIECE))
    return sum(piece.count(sign.encode()) for piece in pieces for sign in _BEGINNINGS)
