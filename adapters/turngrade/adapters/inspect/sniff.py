"""What an Inspect log looks like. Apart from the reader, which other files have no use for."""

from __future__ import annotations

import os
import re
from pathlib import Path

from .problems import InvalidLog
from .source import open_log

ZIP_MAGIC = b"PK\x03\x04"

_SNIFFED = 1 << 16
_FIRST_KEY = rb'(?:\xef\xbb\xbf)?\s*\{\s*"(?:version|status|eval|error|invalidated|location|samples)"\s*:'
_EVAL = rb'"eval"\s*:\s*\{'
_TASK = rb'"task(?:_id)?"\s*:'


def is_log(path: str | os.PathLike[str]) -> bool:
    """Whether a file looks like an Inspect log. Cheap: at most its first 64 KiB are read.

    Args:
        path: A local file. One named ``.eval`` counts whatever it holds, so that its fault is told.
    """
    path = Path(path)
    if path.suffix == ".eval":
        return True
    try:
        with open_log(os.fspath(path)) as file:
            head = file.read(_SNIFFED)
    except (InvalidLog, OSError):
        return False
    if head.startswith(ZIP_MAGIC):
        return True
    if not re.match(_FIRST_KEY, head) or (found := re.search(_EVAL, head)) is None:
        return False
    return re.search(_TASK, head[found.end() :]) is not None
