"""What ``turngrade grade`` does: grade, write, print, and say how it went."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import Struct, field

from turngrade.adapters.cli.entries import CannotGrade, Entry, Graded, Job
from turngrade.adapters.cli.errors import Errors
from turngrade.adapters.cli.exit_codes import Exit
from turngrade.adapters.cli.failing import Failing
from turngrade.adapters.cli.outputs import STDOUT, CannotWrite, OutputFiles, UnknownKind
from turngrade.adapters.cli.parallel import streams
from turngrade.adapters.cli.progress import Meter, progress
from turngrade.adapters.cli.reading import may_have_threads
from turngrade.adapters.cli.rows import Rows, Show
from turngrade.adapters.cli.runner import on_github
from turngrade.adapters.cli.selection import only
from turngrade.adapters.cli.snippets import scopes_of
from turngrade.adapters.cli.sources import (
    EVERYTHING,
    Filters,
    Notice,
    Project,
    Source,
    SourceFile,
    resolve,
)
from turngrade.adapters.cli.specs import load, tell_problems
from turngrade.adapters.cli.spool import spooling
from turngrade.adapters.cli.summary import print_summary
from turngrade.adapters.cli.table import print_table
from turngrade.adapters.cli.tally import Tally
from turngrade.adapters.cli.terminal import make_console, visible
from turngrade.adapters.cli.wording import plural
from turngrade.core import Grade, Spec, Transcript

if TYPE_CHECKING:  # what only some options need costs start-up time, and is imported where they are given
    from turngrade.adapters.cli.cluster import Cluster
    from turngrade.adapters.cli.writeback import WriteBack, Written


class Request(Struct, frozen=True):
    """A call of ``turngrade grade``.

    Args:
        spec: The spec file.
        sources: The SOURCE arguments.
        outputs: Files to write; ``-`` is stdout.
        only: Names of the graders to use; none means all.
        limit: Number of transcripts after which to stop.
        stimulus: The Vally stimulus whose graders apply to every transcript.
        filters: Which traces of LangSmith projects are read.
        by_thread: Whether the LangSmith traces of a thread are one transcript.
        write_back: How verdicts are written to where the transcripts came from; None does not.
        jobs: Number of processes that grade.
        cluster: Where to grade, if not in these.
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
    filters: Filters = EVERYTHING
    by_thread: bool = False
    write_back: WriteBack | None = None
    jobs: int = 1
    cluster: Cluster | None = None
    redact: bool = False
    failing: Failing = field(default_factory=Failing)
    show: Show = "auto"
    quiet: bool = False


class Outcome(Struct, frozen=True):
    """What grading came to.

    Args:
        rows: The rows of the table.
        failures: The failures for GitHub.
        tally: The counts.
        notices: Sources that hold nothing to grade.
        errors: What could not be graded, for a call without a table and a summary.
        written: What became of writing back.
    """

    rows: Rows
    failures: Rows
    tally: Tally = field(default_factory=Tally)
    notices: list[Notice] = field(default_factory=list)
    errors: Errors = field(default_factory=Errors)
    written: list[Written] = field(default_factory=list)


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
    except (CannotGrade, CannotWrite) as error:
        click.echo(visible(str(error)), err=True)
        return Exit.ERROR
    _tell(request, outcome, time.monotonic() - begun)
    if not all(written.complete for written in outcome.written):
        return Exit.ERROR
    return request.failing.exit_code(outcome.tally)


def _grade(request: Request, spec: Spec) -> Outcome:
    scopes = scopes_of(spec)
    outcome = Outcome(Rows(request.show, scopes), Rows("failed" if on_github() else "none", scopes))
    with spooling() as spool, _outputs(request, spec) as files:
        sources = resolve(request.sources, spool, request.filters)
        _refuse_to_overwrite(request, sources)
        _refuse_filters(request, sources)
        if request.write_back is not None:
            from turngrade.adapters.cli.writeback import targets

            sources = targets(sources, request.write_back)
        if request.cluster is not None:
            from turngrade.adapters.cli.cluster import outside

            sources = outside(sources, request.cluster)
        with progress(sources, request.limit) as meter:
            _Desk(request, spec, outcome, files, meter).grade(sources)
        files.commit()
    return outcome


class _Desk:
    """Takes the grades of source after source, and hands each to all who want it."""

    def __init__(
        self, request: Request, spec: Spec, outcome: Outcome, files: OutputFiles, meter: Meter
    ) -> None:
        self.request = request
        self.spec = spec
        self.outcome = outcome
        self.files = files
        self.meter = meter
        self.left = request.limit

    def grade(self, sources: Sequence[Source]) -> None:
        """Grade all sources, in order, until there are as many transcripts as are wanted."""
        request = self.request
        job = Job(self.spec, request.by_thread, request.redact, request.limit)
        if request.cluster is not None:
            from turngrade.adapters.cli.cluster import streams as cluster_streams

            entries_of = cluster_streams(job, sources, request.cluster, self.meter.read)
        else:
            entries_of = streams(job, sources, request.jobs, self.meter.read)
        with closing(entries_of) as graded:
            for source, entries in graded:
                self.meter.source(source)
                self.take_all(source, entries)
                if self.left == 0:
                    return

    def take_all(self, source: Source, entries: Iterator[Entry]) -> None:
        """Use up what there is of a source."""
        graded = self.taken(entries)
        if self.request.write_back is None:
            for _ in graded:
                pass
            return
        from turngrade.adapters.cli.writeback import write_back

        written = write_back(source, graded, self.spec, self.request.write_back, self.meter)
        if written is not None:
            self.outcome.written.append(written)

    def taken(self, entries: Iterator[Entry]) -> Iterator[Graded]:
        """The grades of a source; each was handed on when it comes."""
        for entry in entries:
            if isinstance(entry, Notice):
                self.outcome.notices.append(entry)
                continue
            self.hand_on(*entry)
            yield entry
            if self.left == 0:
                return

    def hand_on(self, grade: Grade, transcript: Transcript | None) -> None:
        """Hand a grade to all who want it."""
        self.outcome.tally.add(grade)
        self.outcome.rows.add(grade, transcript)
        self.outcome.failures.add(grade, transcript)
        if self.request.quiet:
            self.outcome.errors.add(grade)
        if grade.verdicts or grade.error is not None:
            self.files.add(grade, transcript)
        if self.left is not None:
            self.left -= 1
        self.meter.transcript()


def _outputs(request: Request, spec: Spec) -> OutputFiles:
    try:
        return OutputFiles(request.outputs, spec)
    except (UnknownKind, CannotWrite) as error:
        raise click.BadParameter(visible(str(error)), param_hint="-o") from error


def _refuse_to_overwrite(request: Request, sources: Sequence[Source]) -> None:
    read_too = {_real(request.spec)}
    read_too |= {_real(source.path) for source in sources if isinstance(source, SourceFile)}
    for name in request.outputs:
        path = _real(name)
        if name != STDOUT and (path in read_too or not read_too.isdisjoint(path.parents)):
            raise click.BadParameter(
                f"{name} is read by the same call; write to another file", param_hint="-o"
            )


def _real(path: str | Path) -> Path:
    """The path without links; `Path.resolve` raises where links go around in a circle."""
    return Path(os.path.realpath(path))


def _refuse_filters(request: Request, sources: Sequence[Source]) -> None:
    """Filters that nothing would obey must not look as if they had been obeyed."""
    projects = [source for source in sources if isinstance(source, Project)]
    if request.filters != EVERYTHING and not projects:
        raise click.UsageError("--since, --until, --root-name and --tag are for langsmith:PROJECT")
    if request.by_thread and not any(map(may_have_threads, sources)):
        raise click.UsageError("--by thread is for LangSmith runs, and no SOURCE holds any")


def _print_table(rows: Rows) -> None:
    if not rows.rows:
        return
    print_table(rows.rows, make_console(sys.stdout))


def _tell(request: Request, outcome: Outcome, seconds: float) -> None:
    _print_table(outcome.rows)
    for row in (row for written in outcome.written for row in written.planned):
        click.echo(json.dumps(row))
    for notice in outcome.notices:
        click.echo(f"{visible(notice.source)}: {notice.message}", err=True)
    for line in outcome.errors.lines():
        click.echo(line, err=True)
    if outcome.rows.hidden and request.show == "auto":
        hidden = plural(outcome.rows.hidden, "verdict")
        click.echo(f"{hidden} not shown here; --show all shows them, -o FILE keeps them", err=True)
    if not request.quiet:
        print_summary(outcome.tally, seconds, make_console(sys.stderr))
    for written in outcome.written:
        if not (request.quiet and written.complete):
            click.echo(visible("\n".join(written.lines), newline="\n"), err=True)
    if on_github():
        from turngrade.adapters.cli.github import annotate, write_step_summary

        write_step_summary(outcome.tally, outcome.failures.rows)
        annotate(request.spec, outcome.failures.rows, err=STDOUT in request.outputs)
