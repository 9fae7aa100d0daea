"""Reading the bytes of a spec: YAML or JSON to plain data, with the line of every key."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path as FilePath
from typing import Any, TypeAlias

from msgspec import Struct

from turngrade.core.problems import InvalidSpec, Path, SpecProblem

MAX_BYTES = 4 * 1024 * 1024


Positions: TypeAlias = Mapping[Path, tuple[int, int]]
"""Line and column, from 1, of each key or list item."""


class Places:
    """Where the keys of a document stand in its file. Picklable.

    Args:
        positions: They; None where they are to be found in a text.
        text: JSON, which is parsed once more as YAML, for its positions, when one is asked for. That takes
            far longer than to parse it as JSON, and only what tells of a fault or of a pattern asks.
    """

    def __init__(self, positions: Positions | None = None, text: str = "") -> None:
        self._positions = positions
        self._text = text

    def of(self, path: Path) -> tuple[int | None, int | None]:
        """Position of the key at a path, or of the nearest one around it."""
        if self._positions is None:
            self._positions = _positions_in(self._text)
        while path:
            if path in self._positions:
                return self._positions[path]
            path = path[:-1]
        return None, None


NOWHERE = Places({})
"""The places of what stands in no file."""


class Document(Struct, frozen=True):
    """Plain data and where it stands in its file.

    Args:
        data: The parsed document.
        places: Where its keys are.
        source: The file's name, where there is one.
    """

    data: Any
    places: Places = NOWHERE
    source: str | None = None


def read_document(path: FilePath) -> Document:
    """Read a spec file; by its suffix as JSON, else as YAML.

    Raises:
        InvalidSpec: The file is missing, too large, not UTF-8, or not well-formed.
    """
    source = str(path)
    try:
        with open(path, "rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        if "\n" in source:
            raise invalid(
                None, "a string is taken for the path of a spec; give its content as a dict"
            ) from error
        raise invalid(source, f"cannot read the spec: {getattr(error, 'strerror', None) or error}") from error
    if len(raw) > MAX_BYTES:
        raise invalid(source, f"the spec is larger than {MAX_BYTES // 1024 // 1024} MiB")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise invalid(source, f"the spec is not UTF-8 (byte {error.start})") from error
    return parse_document(text, source=source, is_json=path.suffix.lower() == ".json")


def parse_document(text: str, *, source: str | None = None, is_json: bool = False) -> Document:
    """Parse YAML or JSON text into plain data with positions.

    Raises:
        InvalidSpec: The text is not well-formed, has duplicate keys, or is nested or expanded beyond reason.
    """
    try:
        if is_json:
            return Document(_parse_json(text, source), Places(text=text), source)
        data, positions = _parse_yaml(text, source)
        return Document(data, Places(positions), source)
    except RecursionError as error:
        raise invalid(source, "the spec is nested too deeply") from error


def _parse_json(text: str, source: str | None) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_unique_keys, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise invalid(source, f"not well-formed JSON: {error.msg}", error.lineno, error.colno) from error
    except ValueError as error:
        raise invalid(source, str(error)) from error


def _positions_in(text: str) -> Positions:
    try:
        return _parse_yaml(text, None)[1]
    except (InvalidSpec, RecursionError):
        return {}  # JSON that is no YAML (tabs): the lines are lost, nothing else


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {twice!r} stands twice in one object")
    return data


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _parse_yaml(text: str, source: str | None) -> tuple[Any, Positions]:
    from turngrade.core.yaml_source import parse_yaml  # YAML is loaded when the first spec is

    return parse_yaml(text, source)


def invalid(
    source: str | None, message: str, line: int | None = None, column: int | None = None
) -> InvalidSpec:
    """The error for a document that is not well-formed."""
    return InvalidSpec((SpecProblem("", message, line, column),), source)
