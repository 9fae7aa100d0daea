"""Opening a log: a local file, or one in a store."""

from __future__ import annotations

import os
import stat
from typing import BinaryIO

from .problems import InvalidLog
from .store import Store, is_url


def open_log(source: str) -> BinaryIO:
    """Open a log for reading, seekable. Remote ones are read by ranges, with the user's own credentials.

    Args:
        source: A path or an fsspec URL.

    Raises:
        InvalidLog: It is no regular file.
        OSError: It cannot be opened.
    """
    if is_url(source):
        return Store(source).open()
    path = source.removeprefix("file://")
    # looked at before it is opened: a FIFO would wait for a writer for ever
    mode = os.stat(path).st_mode
    if stat.S_ISDIR(mode):
        raise InvalidLog("a directory, not a log file")
    if not stat.S_ISREG(mode):
        raise InvalidLog("not a regular file")
    return open(path, "rb")
