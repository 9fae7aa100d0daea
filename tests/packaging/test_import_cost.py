"""What an import pulls in, and what it costs."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.benchmarks import bench_startup

EXAMPLES = Path(__file__).parents[2] / "examples"

FRAMEWORKS = {"inspect_ai", "langsmith", "langchain_core", "langgraph", "pyarrow", "httpx", "requests"}
TERMINAL = {"typer", "click", "rich"}
READERS = {"isal", "zstandard"}


CLI, INSPECT, LANGSMITH, PLAIN = (
    f"turngrade.adapters.{name}" for name in ("cli", "inspect", "langsmith", "plain")
)
RARE = {
    "csv",
    "difflib",
    "email",
    "hashlib",
    "importlib.metadata",
    "multiprocessing",
    "pydantic",
    "re2",
    "tempfile",
    "yaml",
    *(f"{CLI}.{name}" for name in ("cluster", "crew", "github", "redaction", "remote", "writeback")),
    *(f"{INSPECT}.{name}" for name in ("json_log", "ranges", "writeback")),
    LANGSMITH,
    PLAIN,
    *(f"turngrade.core.{name}" for name in ("arrow", "batch", "schema", "spec_pattern", "yaml_source")),
}
"""What grading an Inspect log with a JSON spec and without options has no use for."""


def loaded_after(statement: str) -> set[str]:
    """The modules that a fresh interpreter has loaded after a statement."""
    code = f"{statement}\nimport json, sys\nprint(json.dumps([*sys.modules]))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    names: list[str] = json.loads(done.stdout.splitlines()[-1])
    return set(names)


def modules_after(statement: str) -> set[str]:
    """The same, without the modules of packages."""
    return {name.split(".")[0] for name in loaded_after(statement)}


def calling(*args: str, code: int) -> str:
    """A statement that runs the command, which ends with a code."""
    return (
        "import sys; from turngrade.adapters.cli import main\n"
        f"sys.argv = {['turngrade', *args]!r}\n"
        "try: main()\n"
        f"except SystemExit as stop: assert stop.code == {code}, stop.code"
    )


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
    # the first one writes the bytecode, as it is for a user
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = (subprocess.run(command, check=True, capture_output=True, env=env) for _ in range(5))
    return min(float(one.stdout) for one in done)


def test_core_loads_no_framework() -> None:
    assert modules_after("import turngrade.core") & (FRAMEWORKS | TERMINAL | READERS) == set()


def test_core_compiles_a_pattern_without_a_framework() -> None:
    statement = "from turngrade.core import compile_pattern; compile_pattern('a+').test('b')"
    assert modules_after(statement) & (FRAMEWORKS | TERMINAL | READERS) == set()


@pytest.mark.parametrize("name", ["cli", "inspect", "langsmith", "plain"])
def test_adapters_load_no_framework(name: str) -> None:
    assert modules_after(f"import turngrade.adapters.{name}") & FRAMEWORKS == set()


def test_grading_logs_and_runs_loads_no_framework() -> None:
    spec, logs = str(EXAMPLES / "no-refusal.yaml"), str(EXAMPLES / "logs")
    assert modules_after(calling("grade", "-q", spec, logs, code=1)) & FRAMEWORKS == set()


@pytest.fixture
def spec(tmp_path: Path) -> str:
    path = tmp_path / "spec.json"
    path.write_text(json.dumps(bench_startup.SPEC), "utf-8")
    return str(path)


def test_a_short_call_loads_nothing_that_it_has_no_use_for(spec: str) -> None:
    loaded = loaded_after(calling("grade", spec, str(bench_startup.SAMPLE), code=0))
    assert {f"{CLI}.table", f"{INSPECT}.eval_log"} <= loaded
    assert loaded & RARE == set()


def test_plain_messages_are_graded_without_a_reader_of_logs(spec: str, tmp_path: Path) -> None:
    chat = tmp_path / "chat.jsonl"
    chat.write_text('{"id": "1", "messages": [{"role": "assistant", "content": "Done."}]}\n', "utf-8")
    loaded = loaded_after(calling("grade", spec, str(chat), code=0))
    others = {f"{INSPECT}.read", "turngrade.adapters.langsmith.exports.read", "zstandard"}
    assert f"{PLAIN}.reader" in loaded
    assert loaded & (RARE - {PLAIN, LANGSMITH} | others) == set()


@pytest.mark.parametrize("name", sorted(name for name in RARE if name.startswith("turngrade.")))
def test_what_it_has_no_use_for_is_there(name: str) -> None:
    assert importlib.util.find_spec(name) is not None


def test_core_costs_little_more_than_its_libraries() -> None:
    """Some two thirds of what they cost, on a quiet machine."""
    own = import_cost("turngrade.core", "pydantic", "regex")
    libraries = import_cost("pydantic,regex")
    assert own < 2 * libraries


def test_the_command_starts_in_a_small_multiple_of_the_time_of_its_libraries() -> None:
    """Generous bounds, for a busy machine; `make bench` tells the figures."""
    help, grade = (row.figure for row in bench_startup.rows(small=True))
    assert help < 3
    assert grade < 5
