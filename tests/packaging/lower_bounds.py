"""Installs the lowest versions that pyproject.toml allows, each set of extras in an environment of its own.

    python -m tests.packaging.lower_bounds [--python PYTHON] [--folder FOLDER] [SET ...]

The tests of the parts that a set is for must pass there. ``uv`` chooses the versions; without it on the path
it is installed for the occasion. Exit code 1 if a set cannot be installed, or fails.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
TOOLS = (
    "corvus-regex-ecma262",
    "hypothesis",
    "jsonschema",
    "markdown-it-py",
    "pytest",
    "pytest-asyncio",
    "pytest-xdist",
)


@dataclass(frozen=True)
class Set:
    """Extras that are installed together.

    Attributes:
        extras: The extras, in brackets.
        tests: The tests that need nothing else, and options of pytest.
        tools: What these tests need beside what all tests do.
    """

    extras: str
    tests: tuple[str, ...]
    tools: tuple[str, ...] = ()


S3 = ("flask", "flask-cors", "ijson", "moto[s3]")
"""For the tests that start a server of the kind of S3."""
LANGSMITH = (
    "evaluator_experiments", "evaluator_results", "exports", "exports_parquet", "feedback",
    "messages_fixtures", "project", "threads", "transport",
)  # fmt: skip
NEWER_INSPECT = tuple(
    f"--ignore=tests/inspect/test_{name}.py"
    for name in ("read_archives", "scanner", "scorers_values", "writeback", "writeback_stores")
)
"""Tests that themselves use what only newer releases of Inspect have, or Scout."""
NOT_SO = tuple(
    f"--deselect=tests/inspect/test_{name}"
    for name in (
        "messages.py::test_each_scope_holds_what_was_said",  # events hold what agents made of messages
        "read_stores.py::TestFaults::test_in_words",  # older s3fs takes a bucket for nothing
        "scorers_registry.py::test_the_entry_point_is_cheap",  # looks for the scanner, which needs Scout
        "scorers_safety.py::test_a_sample_that_cannot_be_read_is_a_failed_score",  # a score has no reason yet
    )
)
"""Tests of what is otherwise in the lowest releases."""
NOT_SO_TOLD = tuple(
    f"--deselect=tests/cli/test_cli_{name}"
    for name in (
        "page.py::test_the_page_says_what_help_says",  # older Click words its help differently
        "remote.py::TestFaults::test_in_words",  # older s3fs takes a bucket for nothing
        "report.py::TestInABrowser",  # needs a browser
    )
)
"""The same of the command line."""
NO_EXTRAS = tuple(
    f"--ignore=tests/{name}.py"
    for name in ("core/test_batch", "dialect/test_superset", "plain/test_plain_parquet")
)
"""Tests that need Arrow or RE2."""
SETS = {
    "core": Set("", ("core", "dialect", "plain", *NO_EXTRAS)),
    "parquet": Set("[parquet]", ("core/test_batch.py", "plain")),
    "langsmith": Set("[langsmith,parquet]", tuple(f"langsmith/test_{name}.py" for name in LANGSMITH)),
    "inspect": Set("[inspect,s3]", ("inspect", *NEWER_INSPECT, *NOT_SO), (*S3, "openai")),
    "scout": Set("[scout]", ("inspect/test_scanner.py",), S3),
    "ray": Set("[ray]", ("ray",)),
    "fast": Set("[fast]", ("core", "dialect", "--ignore=tests/core/test_batch.py")),
    "all": Set("[all]", ("cli", *NOT_SO_TOLD), S3),
}


def main() -> int:
    """Try the sets."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "sets", nargs="*", metavar="SET", help=f"out of {', '.join(SETS)}; default all of them"
    )
    parser.add_argument("--python", default=sys.executable, help="the interpreter")
    parser.add_argument("--folder", type=Path, help="for the environments, instead of a temporary one")
    options = parser.parse_args()
    failed = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        uv = shutil.which("uv") or _install_uv(folder)
        for name in options.sets or SETS:
            print(f"== {name}", flush=True)
            if not _works(uv, SETS[name], options.python, folder / name):
                failed.append(name)
    print(f"failed: {', '.join(failed)}" if failed else "all lowest versions work")
    return 1 if failed else 0


def _install_uv(folder: Path) -> str:
    home = folder / "uv"
    subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
    subprocess.run([str(home / "bin" / "python"), "-m", "pip", "install", "--quiet", "uv"], check=True)
    return str(home / "bin" / "uv")


def _works(uv: str, chosen: Set, python: str, home: Path) -> bool:
    interpreter = str(home / "bin" / "python")
    pip = [uv, "pip", "install", "--quiet", "--python", interpreter]
    lowest = ["--resolution", "lowest-direct", "--only-binary", ":all:", "--no-binary", "turngrade"]
    steps = [
        [uv, "venv", "--quiet", "--clear", "--python", python, str(home)],
        [*pip, *lowest, f"turngrade{chosen.extras} @ {ROOT.as_uri()}"],
        [*pip, *_pinned((*TOOLS, *chosen.tools))],  # after the others, which they leave as they are
    ]
    if any(subprocess.run(step, check=False).returncode for step in steps):
        return False
    print(_installed(uv, interpreter), flush=True)
    tests = [test if test.startswith("--") else f"tests/{test}" for test in chosen.tests]
    # older releases warn of what newer ones have mended
    run = [interpreter, "-m", "pytest", "-q", "-W", "default", "-p", "no:cacheprovider", *tests]
    return subprocess.run(run, cwd=ROOT, check=False).returncode == 0


def _pinned(tools: tuple[str, ...]) -> list[str]:
    """What the tests need, in the versions that CI has."""
    lines = (ROOT / ".ci" / "constraints.txt").read_text("utf-8").splitlines()
    pins = {name.lower(): version for name, _, version in (line.partition("==") for line in lines)}
    return [f"{tool}=={pins[tool.partition('[')[0]]}" for tool in tools]


def _installed(uv: str, interpreter: str) -> str:
    """The versions of what pyproject.toml names."""
    frozen = subprocess.run(
        [uv, "pip", "freeze", "--python", interpreter], check=True, capture_output=True, text=True
    )
    named = {name.lower() for name in re.findall(r'"([A-Za-z0-9-]+)(?:\[\w+\])?>=', _pyproject())}
    return " ".join(
        line for line in frozen.stdout.splitlines() if line.partition("==")[0].lower() in named - set(TOOLS)
    )


def _pyproject() -> str:
    return (ROOT / "pyproject.toml").read_text("utf-8")


if __name__ == "__main__":
    sys.exit(main())
