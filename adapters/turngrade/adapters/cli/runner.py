"""GitHub's runner reads commands in what a step prints: only ours may be some."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, cast

_AT_START = r"^(\s*)::"
_ANYWHERE, _HARMLESS = "##[", r"##\u005b"  # which JSON reads back as it was


def on_github() -> bool:
    """Whether the call runs in GitHub Actions."""
    return os.environ.get("GITHUB_ACTIONS") == "true"


def say_to_runner(line: str, *, err: bool = False) -> None:
    """Print a line that the runner may obey.

    Args:
        line: The line; what is in it from elsewhere must be escaped.
        err: Print it on stderr.
    """
    stream: Any = sys.stderr if err else sys.stdout
    stream = getattr(stream, "unguarded", stream)
    stream.write(line + "\n")
    stream.flush()


@contextmanager
def guarded_streams() -> Iterator[None]:
    """In GitHub Actions, let nothing else that is printed be a command: names and texts come from anywhere.

    Source: the runner's parser. ``::`` begins a command where only blanks stand in front, ``##[`` anywhere.
    """
    out, err = sys.stdout, sys.stderr
    if not on_github():
        yield
        return
    sys.stdout, sys.stderr = cast(Any, _Guarded(out)), cast(Any, _Guarded(err))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = out, err


class _Guarded:
    """A stream of text.

    Args:
        stream: Where it goes.
    """

    def __init__(self, stream: Any) -> None:
        self.unguarded = stream
        self.in_line = False
        """Whether something that is not blank stands in the line so far."""

    def write(self, text: str) -> int:
        """Write text with its commands made harmless."""
        head, newline, rest = text.partition("\n") if self.in_line else ("", "", text)
        harmless = head + newline + re.sub(_AT_START, r"\1\\x3a:", rest, flags=re.MULTILINE)
        self.unguarded.write(harmless.replace(_ANYWHERE, _HARMLESS))
        last = text.rpartition("\n")[2]
        self.in_line = bool(last.strip()) or (self.in_line and "\n" not in text)
        return len(text)

    @property
    def buffer(self) -> IO[bytes]:
        """The same for rows of JSON."""
        return cast(IO[bytes], _GuardedRows(self.unguarded.buffer))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.unguarded, name)


class _GuardedRows:
    """A stream of JSON, which begins no line with a command."""

    def __init__(self, stream: Any) -> None:
        self.unguarded = stream

    def write(self, data: bytes) -> int:
        """Write rows with their commands made harmless."""
        self.unguarded.write(data.replace(_ANYWHERE.encode(), _HARMLESS.encode()))
        return len(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.unguarded, name)
