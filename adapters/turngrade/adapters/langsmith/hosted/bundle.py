"""The modules that a hosted evaluator needs, as sources in the order of their imports."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path

ENTRY = "turngrade.adapters.langsmith.hosted.runtime"

STAND_INS = {
    "turngrade.core": "turngrade.adapters.langsmith.hosted.core_face",
    "turngrade.core.configs": "turngrade.adapters.langsmith.hosted.plain_models",
    "turngrade.core.dialect": "turngrade.adapters.langsmith.hosted.re_dialect",
    "turngrade.core.models": "turngrade.adapters.langsmith.hosted.plain_models",
}
"""Modules whose place another one takes, because they need more than the standard library."""

_PLAIN_STRUCT = "turngrade.adapters.langsmith.hosted.plain_struct"
_REPLACED = {"msgspec": _PLAIN_STRUCT, "msgspec.structs": _PLAIN_STRUCT}
"""Packages of which modules import names, and the module of this package that has the same names."""

_OWN = "turngrade"


@cache
def bundle() -> dict[str, str]:
    """The sources by module name; a module stands behind those that it imports. No comments, no docstrings.

    Raises:
        ImportError: A module needs something that is not in the standard library.
    """
    collector = _Collector()
    collector.collect(ENTRY)
    return collector.sources


@dataclass
class _Collector:
    sources: dict[str, str] = field(default_factory=dict)
    begun: set[str] = field(default_factory=set)

    def collect(self, name: str) -> None:
        """Add a module behind what it imports."""
        if name in self.begun:
            return
        self.begun.add(name)
        tree = _stripped(_replaced(ast.parse(_source(name))))
        for imported in _imports(tree, name):
            self.collect(imported)
        self.sources[name] = ast.unparse(tree)


def _source(name: str) -> str:
    spec = find_spec(STAND_INS.get(name, name))
    if spec is None or spec.origin is None:
        raise ImportError(f"no source of {name}")
    return Path(spec.origin).read_text(encoding="utf-8")


def _imports(tree: ast.Module, name: str) -> Iterator[str]:
    """This package's modules that a module imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                _check(alias.name, name)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if node.level or not module.startswith(f"{_OWN}."):
                _check("." * node.level + module, name)
                continue
            parts = [f"{module}.{alias.name}" for alias in node.names]
            submodules = [part for part in parts if module not in STAND_INS and _is_module(part)]
            yield from submodules if len(submodules) == len(parts) else [*submodules, module]


def _check(imported: str, name: str) -> None:
    if imported.split(".")[0] not in sys.stdlib_module_names:
        raise ImportError(f"{name} cannot be bundled: it imports {imported}")


def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # the parent is no package
        return False


def _replaced(tree: ast.Module) -> ast.Module:
    """The tree with imports from this package where it imports from one that is not there."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            node.module = _REPLACED.get(node.module or "", node.module)
    return tree


def _stripped(tree: ast.Module) -> ast.Module:
    """The tree without docstrings and without what only type checkers read."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            body = [child for child in node.body if not _is_for_readers(child)]
            node.body = body or [ast.Pass()]
    return ast.fix_missing_locations(tree)


def _is_for_readers(node: ast.stmt) -> bool:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING" and not node.orelse
