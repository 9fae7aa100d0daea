"""What all kinds of output files have in common."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import IO, Protocol, runtime_checkable

from turngrade.core import Grade, Spec, Transcript

KINDS = {
    ".scores.jsonl": "scores",
    ".jsonl": "jsonl",
    ".csv": "csv",
    ".parquet": "parquet",
    ".xml": "junit",
    ".md": "markdown",
    ".html": "report",
}
"""The module of each kind, by the suffix of the file."""


class UnknownKind(ValueError):
    """No kind of output file has this suffix.

    Args:
        name: The file's name.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name

    def __str__(self) -> str:
        return f"{self.name}: the suffix says what is written, and must be one of {', '.join(KINDS)}"


@runtime_checkable
class Output(Protocol):
    """Writes grades into an open file."""

    def add(self, grade: Grade, transcript: Transcript | None) -> None:
        """Take one more grade; the transcript is None where it could not be read."""

    def finish(self) -> None:
        """Write what is still to be written. The file is closed by its owner."""


def open_output(name: str, file: IO[bytes], spec: Spec) -> Output:
    """The writer for a file, by its name's suffix.

    Raises:
        UnknownKind: The suffix is that of no kind.
        ImportError: The kind needs a library that is not installed.
    """
    module = importlib.import_module(f"turngrade.adapters.cli.outputs.{kind_of(name)}")
    writer = module.open_output(file, spec)
    assert isinstance(writer, Output)
    return writer


def kind_of(name: str) -> str:
    """The module that writes a file of this name; ``-`` is JSON Lines.

    Raises:
        UnknownKind: The suffix is that of no kind.
    """
    if name == "-":
        return "jsonl"
    for suffix, kind in KINDS.items():
        if Path(name).name.lower().endswith(suffix):
            return kind
    raise UnknownKind(name)
