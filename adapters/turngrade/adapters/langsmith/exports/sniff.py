"""A quick look at a file: does it hold LangSmith runs?"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from turngrade.adapters.langsmith.shapes import read_message

_HEAD_BYTES = 1 << 18
_BOM = b"\xef\xbb\xbf"
_PARQUET_MAGIC = b"PAR1"
# Keys that only runs have. In a string they would stand behind a backslash.
_RUN_KEYS = re.compile(
    rb'(?<!\\)"(?:run_type|dotted_order|all_messages|child_runs)"\s*:|(?<!\\)"runs"\s*:\s*\['
)
_FETCHED = re.compile(rb'\A\s*\{\s*"trace_id"\s*:')


def is_export(path: str | os.PathLike[str]) -> bool:
    """Whether a file, or a folder of Parquet files, looks like exported LangSmith runs.

    Inspect's logs and plain message lists, which are JSON too, are told apart. Only the start of a file is
    read.

    Args:
        path: A file; or a folder, which counts where Parquet files are all that is in it and below it.
    """
    try:
        if os.path.isdir(path):
            return _is_parquet_folder(Path(path))
        with open(path, "rb") as file:
            head = file.read(_HEAD_BYTES)
    except OSError:
        return False
    if head.startswith(_PARQUET_MAGIC):
        return True
    return _is_run_text(head.removeprefix(_BOM).lstrip())


def _is_run_text(head: bytes) -> bool:
    if head[:1] not in (b"{", b"["):
        return False
    if _RUN_KEYS.search(head) or _FETCHED.match(head):
        return True
    return head[:1] == b"[" and is_fetched_list(_first_item(head))


def _first_item(head: bytes) -> Any:
    try:
        text = head[1:].decode("utf-8", "ignore").lstrip()
        return json.JSONDecoder().raw_decode(text)[0]
    except (ValueError, RecursionError):
        return None


def is_fetched_list(first: object) -> bool:
    """Whether the first item of a list is a message as LangChain writes it, or a trace that was fetched."""
    if not isinstance(first, dict):
        return False
    if "trace_id" in first and "messages" in first:
        return True
    return "role" not in first and read_message(first) is not None


def is_parquet(path: Path) -> bool:
    """Whether a path is a Parquet file, or a folder to look for some."""
    if path.is_dir():
        return True
    with path.open("rb") as file:
        return file.read(4) == _PARQUET_MAGIC


def parquet_files(path: Path) -> list[Path]:
    """The Parquet files at a path, in order of their names."""
    return (
        sorted(file for file in _files(path) if file.suffix.lower() == ".parquet")
        if path.is_dir()
        else [path]
    )


def _is_parquet_folder(folder: Path) -> bool:
    found = False
    for file in _files(folder):
        if file.suffix.lower() != ".parquet":
            return False
        found = True
    return found


def _files(folder: Path) -> Iterator[Path]:
    for file in folder.rglob("*"):
        if file.is_file() and not file.name.startswith((".", "_")):
            yield file
