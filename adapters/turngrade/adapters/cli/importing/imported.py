"""What comes out of another tool's file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct

from turngrade.core import InvalidSpec
from turngrade.core.source import read_document


class NotImportable(ValueError):
    """A file of another tool that cannot be read, or holds nothing that can be carried over.

    Args:
        name: The file.
        why: What is wrong.
    """

    def __init__(self, name: str, why: str) -> None:
        super().__init__(name, why)
        self.name = name
        self.why = why

    def __str__(self) -> str:
        return f"{self.name}: {self.why}"


class Imported(Struct, frozen=True):
    """A spec made of another tool's file.

    Args:
        spec: The spec as plain data.
        left_out: What could not be carried over, each with its place and the reason.
    """

    spec: dict[str, Any]
    left_out: tuple[str, ...]


def read_mapping(name: str) -> dict[str, Any]:
    """The data of a YAML or JSON file.

    Raises:
        NotImportable: It is not well-formed, or no mapping.
    """
    try:
        data = read_document(Path(name)).data
    except InvalidSpec as error:
        problem = error.problems[0]
        place = "" if problem.line is None else f"line {problem.line}, column {problem.column}: "
        raise NotImportable(name, place + problem.message) from error
    if not isinstance(data, dict):
        raise NotImportable(name, "expected a mapping at the top")
    return data
