"""The code blocks of a page, and how they are tried out, top to bottom in one folder.

- A block with a title (```` ```yaml title="spec.yaml" ````) is a file. `tests.docs.drivers` runs some.
- A ``python`` block without a title is a script that must end well.
- A ``console`` block is commands behind ``$``, each with what it prints; ``...`` stands for
  anything in a line, or on a line of its own for any lines.
  A command may end with exit code 0 or 1, unless ``$ echo $?`` behind it tells another.
- Other blocks, such as ``sh`` for what needs the network, are only shown.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.docs.drivers import DRIVERS

_FENCE = re.compile(r"^```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_ROOT = Path(__file__).parents[2]
_WIDTH = 110


@dataclass(frozen=True)
class Snippet:
    """A fenced block.

    Args:
        language: The word behind the fence.
        title: The file that it is, if it is one.
        text: What it holds.
        page: The name of the page.
        line: Where it starts there.
    """

    language: str
    title: str | None
    text: str
    page: str
    line: int


def snippets_of(page: Path) -> Iterator[Snippet]:
    text = page.read_text("utf-8")
    for found in _FENCE.finditer(text):
        language, title, body = found.groups()
        yield Snippet(language, title, body, page.name, text.count("\n", 0, found.start()) + 1)


def try_out(snippet: Snippet, folder: Path) -> None:
    """Write the file, run the script, or run the commands and compare what they print."""
    if snippet.title is not None:
        (folder / snippet.title).write_text(snippet.text, "utf-8")
        _try_python(DRIVERS.get((snippet.page, snippet.title), ""), folder)
    elif snippet.language == "python":
        _try_python(snippet.text, folder)
    elif snippet.language == "console":
        _try_console(snippet.text, folder)


def _try_python(text: str, folder: Path) -> None:
    if text:
        done = _run([sys.executable, "-W", "error::DeprecationWarning:__main__", "-c", text], folder)
        assert done.returncode == 0, done.stdout


def _try_console(text: str, folder: Path) -> None:
    exit_code = 0
    for command, shown in _commands(text):
        if command == "echo $?":
            assert shown.strip() == str(exit_code)
            continue
        done = _run(["bash", "-c", command], folder)
        exit_code = done.returncode
        told = f"$ {command}\n{done.stdout}"
        assert exit_code in (0, 1) or f"$ {command}\n{shown}$ echo $?\n" in text, told
        if shown:
            assert re.fullmatch(_as_pattern(shown), _tidy(done.stdout)), told


def _commands(text: str) -> Iterator[tuple[str, str]]:
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield command, shown


def _as_pattern(shown: str) -> str:
    lines = (re.escape(line).replace(re.escape("..."), ".*") + r"\n" for line in _tidy(shown).splitlines())
    return "".join(r"(?:.*\n)*?" if line == r".*\n" else line for line in lines)


def _tidy(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines()) + "\n"


def _run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    scripts = str(Path(sys.executable).parent)
    env = {
        **os.environ,
        "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(_ROOT),
        "COLUMNS": str(_WIDTH),
    }
    return subprocess.run(
        command, cwd=folder, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
