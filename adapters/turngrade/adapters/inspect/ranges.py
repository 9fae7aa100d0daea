"""A file of which only the blocks that are asked for are fetched."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from tempfile import TemporaryFile
from typing import Any

BLOCK = 1 << 20
"""Bytes that are fetched together, at least: 1 MiB."""

_MOST_BLOCKS = 16
"""Blocks of one request; more would only take memory."""


class RangedFile(io.RawIOBase):
    """A read-only file whose blocks are fetched when they are first read, and kept on the disk.

    The samples of a log are read in another order than they stand there, and small ones by the thousand: no
    byte is fetched twice, and neighbours come with one request.

    Args:
        fetch: Gives the bytes from one offset to another; it may give all of the file instead.
        size: Bytes of the file.
    """

    def __init__(self, fetch: Callable[[int, int], bytes], size: int) -> None:
        super().__init__()
        self._fetch = fetch
        self._size = size
        self._at = 0
        self._kept = TemporaryFile()  # noqa: SIM115  # closed with this file
        self._missing = bytearray(b"\1" * -(-size // BLOCK))

    def readable(self) -> bool:
        """Always."""
        return True

    def seekable(self) -> bool:
        """Always."""
        return True

    def tell(self) -> int:
        """Where the next bytes are read."""
        return self._at

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        """Move to another place, as files do."""
        at = offset + {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._size}[whence]
        if at < 0:
            raise OSError("a place before the beginning of the file")
        self._at = at
        return at

    def readinto(self, buffer: Any, /) -> int:
        """Read as many bytes as the buffer takes, unless the file ends before."""
        view = memoryview(buffer).cast("B")
        count = max(0, min(len(view), self._size - self._at))
        if count:
            for start, end in self._gaps(self._at, self._at + count):
                self._fill(start, end)
            self._kept.seek(self._at)
            count = self._kept.readinto(view[:count])
            self._at += count
        return count

    def close(self) -> None:
        """Give the disk back what was kept."""
        self._kept.close()
        super().close()

    def _gaps(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The blocks that miss in a part of the file, as first and last and one, neighbours together."""
        block, stop = start // BLOCK, -(-end // BLOCK)
        while (block := self._missing.find(1, block, stop)) >= 0:
            after = self._missing.find(0, block, min(stop, block + _MOST_BLOCKS))
            after = after if after >= 0 else min(stop, block + _MOST_BLOCKS)
            yield block, after
            block = after

    def _fill(self, first: int, last: int) -> None:
        start, end = first * BLOCK, min(last * BLOCK, self._size)
        data = self._fetch(start, end)
        if len(data) == self._size:  # of a server that knows no ranges
            start, first, last = 0, 0, len(self._missing)
        elif len(data) != end - start:
            raise OSError(f"{len(data):,} bytes came instead of {end - start:,}; has the file changed?")
        self._kept.seek(start)
        self._kept.write(data)
        self._missing[first:last] = bytes(last - first)
