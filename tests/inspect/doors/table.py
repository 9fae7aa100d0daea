"""Tries every door of several Inspect releases, each in a new environment, and prints the table of the docs.

    python -m tests.inspect.doors.table [--write] [RELEASE ...]

`--write` puts the table into docs/inspect.md. Needs some minutes and the package index.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

RELEASES = ("0.3.242", "0.3.259", "0.3.270", "0.3.285")
"""The oldest that works, two in between, and the newest that was tested."""

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "inspect.md"
BEGIN, END = "<!-- doors: begin -->", "<!-- doors: end -->"


def probe(release: str, folder: Path) -> dict[str, str | None]:
    """Install a release and turngrade from this checkout, and try every door."""
    venv.create(folder / "venv", with_pip=True)
    python = str(folder / "venv" / "bin" / "python")
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, f"inspect-ai=={release}", str(ROOT)], check=True)
    work = folder / "work"
    work.mkdir()
    script = Path(__file__).with_name("probe.py")
    done = subprocess.run([python, str(script)], cwd=work, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"the probe of {release} failed:\n{done.stderr}")
    result: dict[str, str | None] = json.loads(done.stdout.splitlines()[-1])
    return result


def table(results: dict[str, dict[str, str | None]]) -> str:
    """The Markdown table of the releases and their doors."""
    doors = list(next(iter(results.values())))
    lines = ["| door | " + " | ".join(results) + " |", "| --- |" + " --- |" * len(results)]
    for door in doors:
        cells = ["yes" if result[door] is None else "no" for result in results.values()]
        lines.append(f"| {door} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main(arguments: list[str]) -> None:
    """Probe the releases and print the table; what failed goes to stderr."""
    releases = [argument for argument in arguments if not argument.startswith("--")] or list(RELEASES)
    results: dict[str, dict[str, str | None]] = {}
    for release in releases:
        with tempfile.TemporaryDirectory() as folder:
            results[release] = probe(release, Path(folder))
        for door, problem in results[release].items():
            if problem is not None:
                print(f"{release}, {door}: {problem}", file=sys.stderr)
    print(table(results))
    if "--write" in arguments:
        page = PAGE.read_text("utf-8")
        head, tail = page.split(BEGIN)[0], page.split(END)[1]
        PAGE.write_text(f"{head}{BEGIN}\n{table(results)}\n{END}{tail}", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
