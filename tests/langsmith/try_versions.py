"""Run the tests of the LangSmith evaluators, feedback and reading with other releases of ``langsmith``.

    python tests/langsmith/try_versions.py                 # the oldest supported release and the newest
    python tests/langsmith/try_versions.py 0.8.16 0.11.2   # these

Each release gets an environment of its own in a temporary folder, so this takes minutes and needs a network.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).parents[2]

TESTS = [
    "test_loopback.py",
    "test_evaluator_results.py",
    "test_evaluator_experiments.py",
    "test_evaluator_parity.py",
    "test_output_evaluator.py",
    "test_project.py",
    "test_feedback.py",
]


def oldest() -> str:
    """The oldest release that ``pyproject.toml`` allows."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    (requirement,) = extras["langsmith"]
    return str(requirement).partition(">=")[2]


def try_release(release: str, folder: Path) -> bool:
    """Install a release (empty: the newest) and run the tests; says whether they pass."""
    venv.create(folder, with_pip=True)
    python = str(folder / "bin" / "python")
    wanted = f"langsmith=={release}" if release else "langsmith"
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-e", f"{ROOT}"]
    tools = ["pytest", "pytest-asyncio", "langchain-core", "hypothesis", "pyarrow"]
    if subprocess.run([*install, wanted, *tools], check=False).returncode:
        return False
    version = "import importlib.metadata as m; print('langsmith', m.version('langsmith'))"
    subprocess.run([python, "-c", version], check=True)
    tests = [f"tests/langsmith/{name}" for name in TESTS]
    # releases other than the pinned one may warn of other things
    command = [
        python,
        "-m",
        "pytest",
        "-q",
        "--no-header",
        "-o",
        "filterwarnings=default",
        "-W",
        "ignore",
        *tests,
    ]
    return subprocess.run(command, cwd=ROOT, check=False).returncode == 0


def main(releases: list[str]) -> int:
    """Try releases one after the other."""
    failed = []
    for release in releases or [oldest(), ""]:
        with tempfile.TemporaryDirectory() as folder:
            if not try_release(release, Path(folder)):
                failed.append(release or "the newest")
    print("failed:" if failed else "all passed", *failed)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
