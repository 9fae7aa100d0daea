"""Who may import whom: sources flow one way, and frameworks stay inside their own adapter."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

import turngrade.adapters
import turngrade.core

CORE = Path(turngrade.core.__path__[0])
ADAPTERS = Path(turngrade.adapters.__path__[0])
ADAPTER_NAMES = sorted(path.parent.name for path in ADAPTERS.glob("*/__init__.py"))
OWNERS = {"inspect_ai": "inspect", "langsmith": "langsmith", "typer": "cli", "click": "cli"}


@dataclass(frozen=True)
class Import:
    """One import in a module.

    Args:
        file: The module, under the folder ``turngrade``.
        line: Where the import stands.
        module: The full name of what is imported; for ``from a import b`` it is ``a.b``.
        at_import_time: Whether it runs when the module is imported.
    """

    file: str
    line: int
    module: str
    at_import_time: bool


@cache
def imports_of(folder: Path) -> list[Import]:
    return [found for path in sorted(folder.rglob("*.py")) for found in imports_in(path)]


def imports_in(path: Path) -> Iterator[Import]:
    package = ".".join(("turngrade", *path.relative_to(turngrade_folder(path)).parts[:-1]))
    tree = ast.parse(path.read_text("utf-8"))
    lazy = {
        id(node)
        for scope in ast.walk(tree)
        if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef) or is_type_checking(scope)
        for node in ast.walk(scope)
    }
    for node in ast.walk(tree):
        for module in modules_of(node, package):
            yield Import(str(path), getattr(node, "lineno", 0), module, id(node) not in lazy)


def turngrade_folder(path: Path) -> Path:
    return next(parent for parent in path.parents if parent.name == "turngrade")


def is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def modules_of(node: ast.AST, package: str) -> list[str]:
    match node:
        case ast.Import():
            return [alias.name for alias in node.names]
        case ast.ImportFrom():
            parts = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*parts, *([node.module] if node.module else [])])
            return [f"{base}.{alias.name}" for alias in node.names]
        case ast.Constant(value=str(text)) if text.startswith("turngrade.adapters."):
            return [text]  # for importlib.import_module
        case _:
            return []


def adapter_of(module: str) -> str | None:
    parts = module.split(".")
    return parts[2] if parts[:2] == ["turngrade", "adapters"] and len(parts) > 2 else None


def test_the_walk_sees_imports() -> None:
    assert any(found.module.startswith("regex") for found in imports_of(CORE))
    assert any(found.module.startswith("turngrade.core.") for found in imports_of(ADAPTERS))


def test_core_imports_no_adapter() -> None:
    assert [found for found in imports_of(CORE) if found.module.startswith("turngrade.adapters")] == []


def test_core_needs_only_its_four_libraries() -> None:
    libraries = {"msgspec", "pydantic", "pydantic_core", "regex", "yaml"}
    allowed = set(sys.stdlib_module_names) | {"turngrade"} | libraries
    others = [found for found in imports_of(CORE) if found.module.split(".")[0] not in allowed]
    assert {found.module.split(".")[0] for found in others} == {"pyarrow", "re2"}  # extras
    assert [found for found in others if found.at_import_time] == []


@pytest.mark.parametrize("name", [name for name in ADAPTER_NAMES if name != "cli"])
def test_adapters_do_not_import_each_other(name: str) -> None:
    others = {*ADAPTER_NAMES} - {name}
    assert [found for found in imports_of(ADAPTERS / name) if adapter_of(found.module) in others] == []


def test_cli_uses_the_other_adapters_by_their_public_faces() -> None:
    foreign = [f for f in imports_of(ADAPTERS / "cli") if adapter_of(f.module) not in (None, "cli")]
    deep = [f for f in foreign if len(f.module.split(".")) > 4 or f.module.split(".")[-1].startswith("_")]
    assert deep == []


def test_cli_imports_the_other_adapters_only_when_it_needs_them() -> None:
    foreign = [f for f in imports_of(ADAPTERS / "cli") if adapter_of(f.module) not in (None, "cli")]
    assert [f for f in foreign if f.at_import_time and f.module.count(".") > 2] == []


@pytest.mark.parametrize(("framework", "owner"), OWNERS.items())
def test_frameworks_stay_in_their_adapter(framework: str, owner: str) -> None:
    users = [f for f in imports_of(ADAPTERS) + imports_of(CORE) if f.module.split(".")[0] == framework]
    assert [f for f in users if not Path(f.file).is_relative_to(ADAPTERS / owner)] == []


def test_nobody_imports_tests_or_examples() -> None:
    found = imports_of(CORE) + imports_of(ADAPTERS)
    assert [f for f in found if f.module.split(".")[0] in ("tests", "examples", "support")] == []
