"""Reading the bytes of a spec: YAML or JSON to plain data, with the line of every key.

YAML is read as its 1.2 core schema: ``yes``, ``on`` and ``2024-01-01`` are strings, as they are for the
JavaScript tools that share the format. Only plain data is built, duplicate keys are refused, and aliases
cannot blow the document up.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any

import yaml

from turngrade.core.problems import InvalidSpec, Path, SpecProblem

MAX_BYTES = 4 * 1024 * 1024
MAX_NODES = 100_000

_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


@dataclass(frozen=True, slots=True)
class Document:
    """Plain data and where it stands in its file.

    Args:
        data: The parsed document.
        positions: Line and column, from 1, of each key or list item.
        source: The file's name, where there is one.
    """

    data: Any
    positions: Mapping[Path, tuple[int, int]] = field(default_factory=dict)
    source: str | None = None

    def locate(self, path: Path) -> tuple[int | None, int | None]:
        """Position of the key at a path, or of the nearest one around it."""
        while path:
            if path in self.positions:
                return self.positions[path]
            path = path[:-1]
        return None, None


def read_document(path: FilePath) -> Document:
    """Read a spec file; by its suffix as JSON, else as YAML.

    Raises:
        InvalidSpec: The file is missing, too large, not UTF-8, or not well-formed.
    """
    source = str(path)
    try:
        with open(path, "rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise _fault(source, f"cannot read the spec: {error.strerror or error}") from error
    if len(raw) > MAX_BYTES:
        raise _fault(source, f"the spec is larger than {MAX_BYTES // 1024 // 1024} MiB")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _fault(source, f"the spec is not UTF-8 (byte {error.start})") from error
    return parse_document(text, source=source, is_json=path.suffix.lower() == ".json")


def parse_document(text: str, *, source: str | None = None, is_json: bool = False) -> Document:
    """Parse YAML or JSON text into plain data with positions.

    Raises:
        InvalidSpec: The text is not well-formed, has duplicate keys, or is nested or expanded beyond reason.
    """
    try:
        return _parse_json(text, source) if is_json else _parse_yaml(text, source)
    except RecursionError as error:
        raise _fault(source, "the spec is nested too deeply") from error


def _parse_json(text: str, source: str | None) -> Document:
    try:
        data = json.loads(text, object_pairs_hook=_unique_keys, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise _fault(source, f"not well-formed JSON: {error.msg}", error.lineno, error.colno) from error
    except ValueError as error:
        raise _fault(source, str(error)) from error
    try:
        return Document(data, _parse_yaml(text, source).positions, source)
    except InvalidSpec:
        return Document(data, {}, source)  # JSON that is no YAML (tabs): the lines are lost, nothing else


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {twice!r} stands twice in one object")
    return data


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


class _Loader(yaml.SafeLoader):
    """Plain data only, with the scalars of YAML 1.2's core schema."""

    yaml_implicit_resolvers = {}  # noqa: RUF012 (the base class declares it; a copy of its own is needed)


for _tag, _pattern, _first in (
    ("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", "tTfF"),
    ("int", r"^[-+]?[0-9]+$", "-+0123456789"),
    ("float", r"^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$", "-+0123456789."),
    ("null", r"^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
    ("merge", r"^<<$", "<"),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(_pattern), list(_first))


def _construct_int(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> int:
    return int(loader.construct_scalar(node))  # YAML 1.1 would read 0123 as octal


def _construct_float(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> float:
    return float(loader.construct_scalar(node))


def _construct_str(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> str:
    text = loader.construct_scalar(node)
    return _PAIR.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), text)


_Loader.add_constructor("tag:yaml.org,2002:int", _construct_int)
_Loader.add_constructor("tag:yaml.org,2002:float", _construct_float)
_Loader.add_constructor("tag:yaml.org,2002:str", _construct_str)


def _parse_yaml(text: str, source: str | None) -> Document:
    loader = None
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        if node is None:
            raise _fault(source, "the spec is empty")
        positions = _Positions(source).of(node)
        return Document(loader.construct_document(node), positions, source)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        at = (mark.line + 1, mark.column + 1) if mark else (None, None)
        what = " ".join(part for part in (error.context, error.problem) if part)
        raise _fault(source, f"not well-formed YAML: {what or error}", *at) from error
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        if isinstance(error, InvalidSpec):
            raise
        raise _fault(source, f"not well-formed YAML: {str(error).splitlines()[0]}") from error
    finally:
        if loader is not None:
            loader.dispose()


class _Positions:
    """Walks the composed nodes: positions, duplicate keys, and a bound on what aliases expand to."""

    def __init__(self, source: str | None) -> None:
        self.source = source
        self.found: dict[Path, tuple[int, int]] = {}
        self.open: set[int] = set()
        self.seen = 0

    def of(self, node: yaml.Node) -> dict[Path, tuple[int, int]]:
        self.walk(node, ())
        return self.found

    def walk(self, node: yaml.Node, path: Path) -> None:
        self.seen += 1
        if self.seen > MAX_NODES:
            raise self.fault(node, f"the spec has, or its aliases expand to, more than {MAX_NODES} nodes")
        if id(node) in self.open:
            raise self.fault(node, "an alias that contains itself")
        self.open.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            for index, item in enumerate(node.value):
                self.found[(*path, index)] = _place(item)
                self.walk(item, (*path, index))
        elif isinstance(node, yaml.MappingNode):
            self.mapping(node, path)
        self.open.discard(id(node))

    def mapping(self, node: yaml.MappingNode, path: Path) -> None:
        keys: set[str] = set()
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise self.fault(key, "a key must be a plain string")
            if key.value in keys:
                raise self.fault(key, f"the key {key.value!r} stands twice in one mapping")
            keys.add(key.value)
            self.found[(*path, key.value)] = _place(key)
            self.walk(value, (*path, key.value))

    def fault(self, node: yaml.Node, message: str) -> InvalidSpec:
        return _fault(self.source, message, *_place(node))


def _place(node: yaml.Node) -> tuple[int, int]:
    return node.start_mark.line + 1, node.start_mark.column + 1


def _fault(
    source: str | None, message: str, line: int | None = None, column: int | None = None
) -> InvalidSpec:
    return InvalidSpec((SpecProblem("", message, line, column),), source)
