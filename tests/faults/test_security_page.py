"""SECURITY.md: every promise has tests, and they are there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROWS = re.findall(r"^\| (.+?) \| (`tests/.*`) \|$", (ROOT / "SECURITY.md").read_text("utf-8"), re.MULTILINE)
TESTS = sorted({test for _, tests in ROWS for test in re.findall(r"`([^`]+)`", tests)})


def test_every_promise_names_tests() -> None:
    page = (ROOT / "SECURITY.md").read_text("utf-8")
    promises = page.split("| promise | tests |")[1].split("\n\n")[0].splitlines()[2:]
    assert len(promises) == len(ROWS) >= 15


@pytest.mark.parametrize("test", TESTS)
def test_a_test_that_is_named_is_there(test: str) -> None:
    file, *names = test.split("::")
    body: list[ast.stmt] = ast.parse((ROOT / file).read_text("utf-8")).body
    for name in names:
        found = [
            node for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name
        ]
        assert found, f"{file} has no {name}"
        body = found[0].body
    assert names[-1].startswith("test_")


@pytest.mark.parametrize(
    "module", re.findall(r"python -m (tests\.faults\.\w+)", (ROOT / "SECURITY.md").read_text())
)
def test_a_script_that_is_named_is_there(module: str) -> None:
    assert 'if __name__ == "__main__":' in (ROOT / f"{module.replace('.', '/')}.py").read_text("utf-8")
