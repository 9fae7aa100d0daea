"""A newcomer's first hour: the built wheel in an environment of its own, a new folder, and the quickstart."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
READ_ALONG = """
import sys
from pathlib import Path
from tests.docs.snippets import snippets_of, try_out

for snippet in snippets_of(Path(sys.argv[1])):
    print(f"line {snippet.line}", flush=True)
    try_out(snippet, Path.cwd())
"""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Python of a new environment with the wheel, installed as the quickstart says."""
    folder = tmp_path_factory.mktemp("newcomer")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    [wheel] = folder.glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", str(folder / "env")], check=True)
    python = folder / "env" / "bin" / "python"
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if (pins := ROOT / ".ci" / "constraints.txt").exists():
        install += ["-c", str(pins)]
    subprocess.run([*install, f"{wheel}[inspect,langsmith]"], check=True, capture_output=True)
    return python


class Newcomer:
    """Who types commands in a new folder and sees what comes back."""

    def __init__(self, python: Path, folder: Path) -> None:
        self.python, self.folder = python, folder
        self.env = {
            key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL"))
        }

    def types(self, *words: str, code: int = 0) -> str:
        """What a call of turngrade prints on both streams."""
        command = [str(self.python.with_name("turngrade")), *words]
        return self.run(command, code)

    def run(self, command: list[str], code: int = 0, **env: str) -> str:
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=self.env | env,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        assert done.returncode == code, f"{command}\n{done.stdout}"
        return done.stdout


@pytest.fixture
def newcomer(python: Path, tmp_path: Path) -> Newcomer:
    return Newcomer(python, tmp_path)


def test_nothing_comes_from_the_checkout(newcomer: Newcomer) -> None:
    where = "import turngrade.core, turngrade.adapters.cli; print(turngrade.core.__file__)"
    assert str(newcomer.python.parents[1]) in newcomer.run([str(newcomer.python), "-c", where])


def test_from_nothing_to_a_check_in_ci(newcomer: Newcomer) -> None:
    assert "turngrade.yaml" in newcomer.types("init")
    assert "0 faults, 0 warnings" in newcomer.types("lint", "--strict", "turngrade.yaml")
    assert "0 failed" in newcomer.types("test", "turngrade.yaml")
    assert "2 passed, 0 failed" in newcomer.types("grade", "turngrade.yaml", "sample.jsonl")

    said = [
        {"role": "assistant", "content": text} for text in ("We will refund you.", "Thank you, ORD-123456!")
    ]
    (newcomer.folder / "mine.jsonl").write_text(json.dumps({"id": "mine", "messages": said}) + "\n", "utf-8")
    shown = newcomer.types("grade", "turngrade.yaml", "mine.jsonl", "-o", "junit.xml", code=1)
    assert "»We will refund«" in shown
    assert (newcomer.folder / "junit.xml").is_file()
    why = newcomer.types("explain", "turngrade.yaml", "mine.jsonl", "--id", "mine")
    assert "We will refund" in why

    spec = newcomer.folder / "turngrade.yaml"
    spec.write_text(spec.read_text("utf-8").replace("pattern:", "patern:", 1), "utf-8")
    assert "did you mean 'pattern'?" in newcomer.types("lint", "turngrade.yaml", code=4)
    newcomer.types("grade", "turngrade.yaml", "mine.jsonl", code=4)


def test_the_quickstart_word_by_word(newcomer: Newcomer) -> None:
    shutil.copytree(ROOT / "examples", newcomer.folder / "examples")
    page = ROOT / "docs" / "quickstart.md"
    newcomer.run([str(newcomer.python), "-c", READ_ALONG, str(page)], PYTHONPATH=str(ROOT))
