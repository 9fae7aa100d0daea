"""Inspect logs taken apart and put together in other ways."""

from __future__ import annotations

import json
import warnings
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import inspect_ai._util.zipfile  # noqa: F401  # teaches zipfile zstd, as Inspect itself writes

from turngrade.adapters.inspect import read_transcripts
from turngrade.core.transcript import Transcript, Unreadable

DATA = Path(__file__).parents[1] / "data" / "inspect"

ZSTD = 93

Row = Transcript | Unreadable


def read(path: Path | str) -> list[Row]:
    return list(read_transcripts(path))


def transcripts(path: Path | str) -> list[Transcript]:
    """The transcripts of a log in which everything is readable."""
    rows = read(path)
    assert not [row for row in rows if isinstance(row, Unreadable)]
    return [row for row in rows if isinstance(row, Transcript)]


def the_fault(path: Path | str) -> Unreadable:
    """What is wrong with a log of which nothing is readable."""
    (row,) = read(path)
    assert isinstance(row, Unreadable)
    assert row.source == str(path)
    return row


def members(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write(
    path: Path, members: Mapping[str, bytes] | Iterable[tuple[str, bytes]], method: int = zipfile.ZIP_DEFLATED
) -> Path:
    """Write an archive; members of one name may stand there twice."""
    items = members.items() if isinstance(members, Mapping) else members
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        with zipfile.ZipFile(path, "w", method) as archive:
            for name, data in items:
                archive.writestr(name, data)
    return path


def sample(text: str = "hello", id: int | str = "a", epoch: int = 1, **fields: Any) -> dict[str, Any]:
    """A small sample, as log JSON has it."""
    message = {"role": "assistant", "content": text, "id": f"m-{text}", "source": "generate"}
    output = {"choices": [{"message": message}], "completion": text}
    return {
        "id": id,
        "epoch": epoch,
        "input": "say it",
        "target": "",
        "messages": [{"role": "user", "content": "say it", "id": "u"}, message],
        "output": output,
        "events": [{"event": "model", "output": output}],
        **fields,
    }


def log_with(path: Path, *samples: dict[str, Any] | bytes, method: int = zipfile.ZIP_DEFLATED) -> Path:
    """An archive of samples, with a header."""
    parts = [("header.json", json.dumps(HEADER).encode())]
    for number, each in enumerate(samples):
        if isinstance(each, bytes):
            parts.append((f"samples/s{number}_epoch_1.json", each))
        else:
            parts.append((f"samples/{each['id']}_epoch_{each['epoch']}.json", json.dumps(each).encode()))
    return write(path, parts, method)


HEADER: dict[str, Any] = {
    "version": 2,
    "status": "success",
    "eval": {"eval_id": "e", "task": "a task", "dataset": {}, "model": "mockllm/model"},
    "results": {"total_samples": 1, "completed_samples": 1},
}
