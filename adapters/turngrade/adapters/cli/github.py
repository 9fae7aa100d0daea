"""GitHub Actions: the step summary, and annotations."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from turngrade.adapters.cli.rows import Row
from turngrade.adapters.cli.runner import say_to_runner
from turngrade.adapters.cli.tally import Tally
from turngrade.adapters.cli.terminal import visible
from turngrade.adapters.cli.wording import name_of, plural

MOST_ANNOTATIONS = 10
"""GitHub shows so many errors of one step."""

MOST_LINES = 500
"""Lines of the step summary, which GitHub refuses from 1 MiB on."""

MOST_BYTES = 1_000_000


def write_step_summary(tally: Tally, rows: list[Row]) -> None:
    """Append the report to the step summary, where the runner says where that is."""
    name = os.environ.get("GITHUB_STEP_SUMMARY")
    if not name:
        return
    from turngrade.adapters.cli.outputs.markdown import page

    most = MOST_LINES
    while len(text := page(tally, rows, most).encode()) > MOST_BYTES:
        most //= 2
    with Path(name).open("ab") as file:
        file.write(text)


def annotate(spec: str, rows: list[Row], *, err: bool) -> None:
    """Print an error annotation for each of the first things that did not pass.

    Args:
        spec: The spec file, to which the annotations are attached.
        rows: What did not pass.
        err: Print on stderr, because stdout is data.
    """
    notes = list(_notes(rows))
    for title, message in notes[: MOST_ANNOTATIONS - (len(notes) > MOST_ANNOTATIONS)]:
        say_to_runner(command("error", message, {"file": spec, "title": title}), err=err)
    if len(notes) > MOST_ANNOTATIONS:
        more = plural(len(notes) - MOST_ANNOTATIONS + 1, "more failure")
        say_to_runner(command("error", more, {"file": spec, "title": "turngrade"}), err=err)


def command(name: str, message: str, properties: Mapping[str, str | int | None]) -> str:
    """A workflow command, such as ``::error file=spec.yaml::message``."""
    listed = ",".join(
        f"{key}={_property(str(value))}" for key, value in properties.items() if value is not None
    )
    return f"::{name} {listed}::{_data(message)}"


def _notes(rows: list[Row]) -> Iterator[tuple[str, str]]:
    for row in rows:
        place = f"{name_of(row.grade)} {row.grade.source or ''}".strip()
        if row.grade.error is not None:
            yield "turngrade", f"{place}: {row.grade.error}"
        for verdict, snippet in row.lines:
            if verdict.status != "pass":
                hit = f"\n{snippet.place}: {snippet.before}»{snippet.hit}«{snippet.after}" if snippet else ""
                yield verdict.name, f"{place}: {verdict.evidence}{hit}"


def _data(text: str) -> str:
    return visible(text, newline="\n").replace("%", "%25").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
