"""Files of LangSmith runs → transcripts."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from turngrade.adapters.langsmith.exports.decoding import load_json
from turngrade.adapters.langsmith.exports.documents import Item, read_document
from turngrade.adapters.langsmith.exports.lines import read_lines
from turngrade.adapters.langsmith.exports.parquet import read_parquet
from turngrade.adapters.langsmith.exports.sniff import is_parquet, parquet_files
from turngrade.core import OnRead, Unreadable
from turngrade.core.bounds import TooLarge, content_of, lines_of

_LINE_SUFFIXES = frozenset({".jsonl", ".ndjson"})
_BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"


def read_transcripts(path: str | os.PathLike[str], *, on_read: OnRead | None = None) -> Iterator[Item]:
    """Read the transcripts of exported runs, one a trace; what cannot be read comes as `Unreadable`.

    Understood are JSON and JSON Lines of runs (v1 and v2 of the API, flat in any order, or nested in
    ``child_runs``), bulk exports in Parquet, the message files of ``langsmith-fetch``, and a thread's
    ``all_messages`` preview.

    Args:
        path: A file, or a folder of Parquet files (Hive paths or not), whose files are read as one export.
        on_read: Is told how far the reading is, before each trace is given.
    """
    source = os.fspath(path)
    place = Path(path)
    try:
        if is_parquet(place):
            yield from read_parquet(parquet_files(place), source, on_read=on_read)
        elif _is_lines(place):
            yield from read_lines(place, source, on_read)
        else:
            yield from read_document(load_json(_text(place)), source, place.stem, on_read)
    except OSError as error:
        yield Unreadable(source, f"cannot be read: {error.strerror or error}")
    except TooLarge as error:
        yield Unreadable(source, f"cannot be read: {error}")
    except (ValueError, RecursionError) as error:
        yield Unreadable(source, f"is not JSON: {error}")
    except Exception as error:  # reading never raises, whatever is in a file
        yield Unreadable(source, f"cannot be read to its end: {type(error).__name__}: {error}")


def _text(path: Path) -> str:
    return content_of(path).decode("utf-8").removeprefix(_BOM)


def _is_lines(path: Path) -> bool:
    """Whether a file holds one JSON value a line: its suffix says so, or its first line is one."""
    if path.suffix.lower() in _LINE_SUFFIXES:
        return not _is_one_document(path)
    with path.open("rb") as file:
        lines = (line for line in lines_of(file) if isinstance(line, bytes) and line.strip())
        first, second = next(lines, b""), next(lines, b"")
    return bool(second) and first.rstrip().endswith((b"}", b"]")) and _parses(first)


def _is_one_document(path: Path) -> bool:
    """Whether the first line of a JSON Lines file is the start of a value that goes over several lines."""
    with path.open("rb") as file:
        first = next((line for line in lines_of(file) if isinstance(line, bytes) and line.strip()), b"")
    return first.strip() in (b"{", b"[")


def _parses(line: bytes) -> bool:
    try:
        load_json(line)
    except (ValueError, RecursionError):
        return False
    return True
