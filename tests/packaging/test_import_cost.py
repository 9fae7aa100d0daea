"""What an import pulls in, and what it costs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.benchmarks import bench_startup

EXAMPLES = Path(__file__).parents[2] / "examples"

FRAMEWORKS = {"inspect_ai", "langsmith", "langchain_core", "langgraph", "pyarrow", "httpx", "requests"}
TERMINAL = {"typer", "click", "rich"}
READERS = {"isal", "zstandard"}


def modules_after(statement: str) -> set[str]:
    """The top-level modules that a fresh interpreter has loaded after a statement."""
    code = f"{statement}\nimport json, sys\nprint(json.dumps([*sys.modules]))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return {name.split(".")[0] for name in json.loads(done.stdout)}


def import_cost(modules: str, *prepared: str) -> float:
    """CPU milliseconds that an import takes when others are done already: the best of five interpreters."""
    code = (
        "import importlib, sys, time\n"
        "for name in sys.argv[2:]: importlib.import_module(name)\n"
        "start = time.process_time()\n"
        "for name in sys.argv[1].split(','): importlib.import_module(name)\n"
        "print((time.process_time() - start) * 1000)"
    )
    command = [sys.executable, "-c", code, modules, *prepared]
    return min(float(subprocess.run(command, check=True, capture_output=True).stdout) for _ in range(5))


def test_core_loads_no_framework() -> None:
    assert modules_after("import turngrade.core") & (FRAMEWORKS | TERMINAL | READERS) == set()


def test_core_compiles_a_pattern_without_a_framework() -> None:
    statement = "from turngrade.core import compile_pattern; compile_pattern('a+').test('b')"
    assert modules_after(statement) & (FRAMEWORKS | TERMINAL | READERS) == set()


@pytest.mark.parametrize("name", ["cli", "inspect", "langsmith", "plain"])
def test_adapters_load_no_framework(name: str) -> None:
    assert modules_after(f"import turngrade.adapters.{name}") & FRAMEWORKS == set()


def test_grading_logs_and_runs_loads_no_framework() -> None:
    spec = EXAMPLES / "no-refusal.yaml"
    statement = (
        "import sys; from turngrade.adapters.cli import main\n"
        f"sys.argv = ['turngrade', 'grade', '-q', {str(spec)!r}, {str(EXAMPLES / 'logs')!r}]\n"
        "try: main()\n"
        "except SystemExit as stop: assert stop.code == 1, stop.code"
    )
    assert modules_after(statement) & FRAMEWORKS == set()


def test_core_costs_no_more_than_three_times_its_libraries() -> None:
    own = import_cost("turngrade.core", "pydantic", "regex", "yaml")
    libraries = import_cost("pydantic,regex,yaml")
    assert own < 3 * libraries


def test_the_command_starts_in_a_small_multiple_of_the_time_of_its_libraries() -> None:
    """Generous bounds, for a busy machine; `make bench` tells the figures."""
    help, grade = (row.figure for row in bench_startup.rows(small=True))
    assert help < 3
    assert grade < 9
