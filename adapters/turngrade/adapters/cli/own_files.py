"""Files that turngrade itself wrote: they may lie beside transcripts, and hold none."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path

from turngrade.adapters.cli.outputs.flat import COLUMNS

_HEAD_BYTES = 1 << 20
_LOG_SUFFIXES = frozenset({".eval", ".json"})


def holds_verdicts(path: Path) -> bool:
    """Whether ``-o`` wrote the file, by its content. False where that cannot be seen.

    Raises:
        OSError: The file cannot be opened.
    """
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
    if head.startswith(b"PAR1"):
        return _parquet_columns(path).issuperset(COLUMNS)
    first, newline, _ = head.lstrip().partition(b"\n")
    if not newline and len(head) == _HEAD_BYTES:
        return first.startswith(b'{"source": ') and b'"verdicts": [' in first  # cut off in its first row
    if b'"verdicts"' not in first:
        return False
    try:
        row = json.loads(first)
    except (ValueError, RecursionError):
        return False
    return isinstance(row, dict) and {"source", "id", "passed", "score", "verdicts"} <= row.keys()


def copies(logs: Iterable[str]) -> dict[str, str]:
    """Where the copies of logs are that ``--write-back`` makes, each with the name of its log.

    Args:
        logs: Paths and URLs of logs.
    """
    logs = [log for log in logs if os.path.splitext(log)[1].lower() in _LOG_SUFFIXES]
    if not logs:
        return {}
    from turngrade.adapters.inspect import copy_beside

    return {_real(copy_beside(log)): os.path.basename(log) for log in logs}


def _real(place: str) -> str:
    return place if "://" in place else os.path.realpath(place)


def _parquet_columns(path: Path) -> frozenset[str]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:  # the reader will say what to install
        return frozenset()
    try:
        return frozenset(pq.read_schema(path).names)
    except (pa.ArrowException, OSError, ValueError):  # the reader will say what is wrong
        return frozenset()
