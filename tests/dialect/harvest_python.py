"""Prints the patterns in the Python files of a folder, as JSON lines ``{"pattern", "flags"}``.

    python -m tests.dialect.harvest_python .venv/lib/python3.11/site-packages > patterns.jsonl

Taken are literal first arguments of the functions of ``re`` and ``regex``; they are then read as
JavaScript's. The patterns stay their authors' own; nothing of this is to be committed.
"""

from __future__ import annotations

import ast
import json
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

FUNCTIONS = {"compile", "search", "match", "fullmatch", "findall", "finditer", "sub", "subn", "split"}
MODULES = {"re", "regex"}


def patterns(source: str) -> Iterator[str]:
    """The patterns in one file."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in FUNCTIONS
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id in MODULES
            and node.args
            and isinstance(node.args[0], ast.Constant)
            and isinstance(node.args[0].value, str)
        ):
            yield node.args[0].value


def main() -> None:
    """Prints the patterns of all files, each once."""
    warnings.simplefilter("ignore")
    seen: set[str] = set()
    for path in sorted(Path(sys.argv[1]).rglob("*.py")):
        for pattern in patterns(path.read_text(encoding="utf-8", errors="replace")):
            if pattern not in seen:
                seen.add(pattern)
                print(json.dumps({"pattern": pattern, "flags": ""}))


if __name__ == "__main__":
    main()
