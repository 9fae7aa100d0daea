"""YAML to plain data, with the line of every key.

YAML is read as its 1.2 core schema: ``yes``, ``on`` and ``2024-01-01`` are strings, as they are for the
JavaScript tools that share the format. Only plain data is built, duplicate keys are refused, and aliases
cannot blow the document up.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

from turngrade.core.dialect.utf16 import join_pairs
from turngrade.core.problems import InvalidSpec, Path
from turngrade.core.source import invalid

MAX_NODES = 100_000

_SHOWN = 40
"""Characters of a value that an error shows."""

_BLANK = "\0 \t\r\n\x85\u2028\u2029"
_END_IN_BLOCK = re.compile(f"[{_BLANK}]|:(?=[{_BLANK}])")
_END_IN_FLOW = re.compile(rf"[{_BLANK},\[\]{{}}]|:(?=[{_BLANK},\[\]{{}}])")


class _Loader(yaml.SafeLoader):
    """Plain data only, with the scalars of YAML 1.2's core schema."""

    yaml_implicit_resolvers = {}  # noqa: RUF012 (the base class declares it; a copy of its own is needed)

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        """Build a value; say where one stands that is not of the type that its tag says."""
        try:
            return super().construct_object(node, deep)
        except (ValueError, OverflowError, LookupError, AttributeError, TypeError) as error:
            kind = node.tag.rpartition(":")[2]
            what = f"{str(node.value)[:_SHOWN]!r} is no {kind}; without its tag it is read as it is written"
            if kind in ("int", "float") and len(node.value) > _SHOWN:
                what = f"a number of {len(node.value)} digits"
            raise yaml.constructor.ConstructorError(None, None, what, node.start_mark) from error

    def scan_plain(self) -> yaml.ScalarToken:
        """Read a scalar without quotes; in ``[Is it?]`` too the question mark is text, as in YAML 1.2."""
        ends = _END_IN_FLOW if self.flow_level else _END_IN_BLOCK
        begin = end = self.get_mark()
        parts: list[str] = []
        spaces: list[str] = []
        while self.peek() != "#":
            found = ends.search(self.buffer, self.pointer)  # there is one: the buffer ends with \0
            length = found.start() - self.pointer if found else 0
            if not length:
                break
            self.allow_simple_key = False
            parts += [*spaces, self.prefix(length)]
            self.forward(length)
            end = self.get_mark()
            spaces = self.scan_plain_spaces(self.indent + 1, begin) or []
            if not spaces or (not self.flow_level and self.column <= self.indent):
                break
        return yaml.ScalarToken("".join(parts), True, begin, end)


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
    return join_pairs(loader.construct_scalar(node))  # JSON's escapes write one character as two halves


_Loader.add_constructor("tag:yaml.org,2002:int", _construct_int)
_Loader.add_constructor("tag:yaml.org,2002:float", _construct_float)
_Loader.add_constructor("tag:yaml.org,2002:str", _construct_str)


def parse_yaml(text: str, source: str | None) -> tuple[Any, dict[Path, tuple[int, int]]]:
    """Parse a YAML document.

    Returns:
        The data, and line and column, from 1, of each key or list item.

    Raises:
        InvalidSpec: The text is not well-formed, has duplicate keys, or expands beyond reason.
    """
    loader = None
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        if node is None:
            raise invalid(source, "the spec is empty")
        positions = _Positions(source).of(node)
        return loader.construct_document(node), positions
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        at = (mark.line + 1, mark.column + 1) if mark else (None, None)
        what = " ".join(part for part in (error.context, error.problem) if part)
        raise invalid(source, f"not well-formed YAML: {what or error}", *at) from error
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        if isinstance(error, InvalidSpec):
            raise
        raise invalid(source, f"not well-formed YAML: {str(error).splitlines()[0]}") from error
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
        return invalid(self.source, message, *_place(node))


def _place(node: yaml.Node) -> tuple[int, int]:
    return node.start_mark.line + 1, node.start_mark.column + 1
