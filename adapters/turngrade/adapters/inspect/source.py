"""Opening a log: a local file, or an object in a store that fsspec knows."""

from __future__ import annotations

import os
import stat
from typing import BinaryIO, cast

from .problems import InvalidLog


def is_remote(source: str) -> bool:
    """Whether a source is a URL, such as ``s3://bucket/log.eval``.

    Args:
        source: A path or a URL.
    """
    return "://" in source


def open_log(source: str) -> BinaryIO:
    """Open a log for reading, seekable. Remote ones are read by ranges, with the user's own credentials.

    Args:
        source: A path or an fsspec URL.

    Raises:
        InvalidLog: It is no regular file, or fsspec (or the store's package) is not installed.
        OSError: It cannot be opened.
    """
    if is_remote(source):
        return _open_remote(source)
    # looked at before it is opened: a FIFO would wait for a writer for ever
    mode = os.stat(source).st_mode
    if stat.S_ISDIR(mode):
        raise InvalidLog("a directory, not a log file")
    if not stat.S_ISREG(mode):
        raise InvalidLog("not a regular file")
    return open(source, "rb")


def _open_remote(source: str) -> BinaryIO:
    try:
        import fsspec  # type: ignore[import-untyped]
    except ImportError:
        raise InvalidLog(
            "reading a URL needs fsspec: pip install fsspec, and the store's package (s3fs, gcsfs, …)"
        ) from None
    try:
        return cast(BinaryIO, fsspec.open(source, "rb").open())  # pyright: ignore[reportAttributeAccessIssue]
    except ImportError as error:
        raise InvalidLog(f"this kind of URL needs another package: {error}") from error
