"""What ``turngrade grade`` does: grade, write, print, and say how it went."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TypeAlias

import click

from turngrade.adapters.cli.exit_codes import Exit
from turngrade.adapters.cli.failing import Failing
from turngrade.adapters.cli.github import annotate, no_commands, on_github, write_step_summary
from turngrade.adapters.cli.outputs import STDOUT, CannotWrite, OutputFiles, UnknownKind
from turngrade.adapters.cli.progress import Meter, progress
from turngrade.adapters.cli.reading import read
from turngrade.adapters.cli.redaction import Redactor
from turngrade.adapters.cli.rows import Rows, Show
from turngrade.adapters.cli.selection import only
from turngrade.adapters.cli.snippets import scopes_of
from turngrade.adapters.cli.sources import Notice, Source, SourceFile, label_of, resolve
from turngrade.adapters.cli.specs import load, tell_problems
from turngrade.adapters.cli.summary import print_summary
from turngrade.adapters.cli.table import print_table
from turngrade.adapters.cli.tally import Tally
from turngrade.adapters.cli.terminal import drop_stdout, make_console, visible
from turngrade.adapters.cli.wording import plural
from turngrade.core import Grade, Spec, Transcript

Graded: TypeAlias = tuple[Grade, Transcript | None]
"""A grade with its transcript as it was graded; without one where it could not be read."""


@dataclass(frozen=True, slots=True)
class Request:
    """A call of ``turngrade grade``.

    Args:
        spec: The spec file.
        sources: The SOURCE arguments.
        outputs: Files to write; ``-`` is stdout.
        only: Names of the graders to use; none means all.
        limit: Number of transcripts after which to stop.
        stimulus: The Vally stimulus whose graders apply to every transcript.
        redact: Whether what graders find is taken out of everything shown and written.
        failing: What makes the call fail.
        show: Which verdicts the table shows.
        quiet: Whether stderr is told of faults only.
    """

    spec: str
    sources: tuple[str, ...]
    outputs: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    limit: int | None = None
    stimulus: str | None = None
    redact: bool = False
    failing: Failing = field(default_factory=Failing)
    show: Show = "auto"
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What grading came to: the rows of the table, the failures for GitHub, the counts, empty sources."""

    rows: Rows
    failures: Rows
    tally: Tally
    notices: list[Notice]


def run(request: Request) -> int:
    """Grade, write and print what was asked for.

    Returns:
        The exit code.

    Raises:
        click.ClickException: The spec, an option or an output file cannot be used.
    """
    spec = only(load(request.spec, request.stimulus), request.only)
    tell_problems(request.spec, spec)
    begun = time.monotonic()
    try:
        outcome = _grade(request, spec)
    except CannotWrite as error:
        click.echo(visible(str(error)), err=True)
        return Exit.ERROR
    _tell(request, outcome, time.monotonic() - begun)
    return request.failing.exit_code(outcome.tally)


def grade_all(
    spec: Spec, sources: Sequence[Source], notices: list[Notice], meter: Meter, limit: int | None = None
) -> Iterator[Graded]:
    """Grade the transcripts of all sources, in order.

    Args:
        spec: The spec.
        sources: What to read.
        notices: Is given the sources that hold nothing to grade.
        meter: Is told how the work goes on.
        limit: At most so many are wanted from any one source.
    """
    for source in sources:
        meter.source(label_of(source))
        for item in read(source, limit):
            if isinstance(item, Notice):
                notices.append(item)
                continue
            yield spec.grade(item), spec.prepared(item) if isinstance(item, Transcript) else None
            meter.transcript()


def _grade(request: Request, spec: Spec) -> Outcome:
    scopes = scopes_of(spec)
    failures = Rows("failed" if on_github() else "none", scopes)
    outcome = Outcome(Rows(request.show, scopes), failures, Tally(), [])
    redact = Redactor(spec).apply if request.redact else _as_it_is
    with tempfile.TemporaryDirectory(prefix="turngrade-") as spool, _outputs(request, spec) as files:
        sources = resolve(request.sources, Path(spool))
        _refuse_to_overwrite(request, sources)
        with progress(len(sources)) as meter:
            graded = grade_all(spec, sources, outcome.notices, meter, request.limit)
            for pair in islice(graded, request.limit):
                _take(outcome, files, *redact(*pair))
        files.commit()
    return outcome


def _take(outcome: Outcome, files: OutputFiles, grade: Grade, transcript: Transcript | None) -> None:
    outcome.tally.add(grade)
    outcome.rows.add(grade, transcript)
    outcome.failures.add(grade, transcript)
    if grade.verdicts or grade.error is not None:
        files.add(grade, transcript)


def _as_it_is(grade: Grade, transcript: Transcript | None) -> Graded:
    return grade, transcript


def _outputs(request: Request, spec: Spec) -> OutputFiles:
    try:
        return OutputFiles(request.outputs, spec)
    except (UnknownKind, CannotWrite) as error:
        raise click.BadParameter(visible(str(error)), param_hint="-o") from error


def _refuse_to_overwrite(request: Request, sources: Sequence[Source]) -> None:
    read_too = {Path(request.spec).resolve()}
    read_too |= {source.path.resolve() for source in sources if isinstance(source, SourceFile)}
    for name in request.outputs:
        path = Path(name).resolve()
        if name != STDOUT and (path in read_too or not read_too.isdisjoint(path.parents)):
            raise click.BadParameter(
                f"{name} is read by the same call; write to another file", param_hint="-o"
            )


def _print_table(rows: Rows) -> None:
    if not rows.rows:
        return
    try:
        with no_commands():
            print_table(rows.rows, make_console(sys.stdout))
    except BrokenPipeError:
        drop_stdout()


def _tell(request: Request, outcome: Outcome, seconds: float) -> None:
    _print_table(outcome.rows)
    for notice in outcome.notices:
        click.echo(f"{visible(notice.source)}: {notice.message}", err=True)
    if outcome.rows.hidden and request.show == "auto":
        hidden = plural(outcome.rows.hidden, "verdict")
        click.echo(f"{hidden} not shown here; --show all shows them, -o FILE keeps them", err=True)
    if not request.quiet:
        print_summary(outcome.tally, seconds, make_console(sys.stderr))
    if on_github():
        write_step_summary(outcome.tally, outcome.failures.rows)
        annotate(request.spec, outcome.failures.rows, err=STDOUT in request.outputs)
