"""A folder for what can be read only once, or is elsewhere: standard input, pipes, what is behind URLs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import TypeAlias

Spool: TypeAlias = Callable[[], Path]
"""Gives the folder, which is made when it is first asked for."""


@contextmanager
def spooling() -> Iterator[Spool]:
    """Have a folder as long as sources are read. Most calls need none, and make none."""
    with ExitStack() as stack:

        @cache
        def folder() -> Path:
            from tempfile import TemporaryDirectory  # costs start-up time

            return Path(stack.enter_context(TemporaryDirectory(prefix="turngrade-")))

        yield folder
