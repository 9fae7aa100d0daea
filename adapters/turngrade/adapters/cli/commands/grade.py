"""``turngrade grade``: grade transcripts with a spec."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import click

from turngrade.adapters.cli.exit_codes import Exit
from turngrade.adapters.cli.grading import grade_all
from turngrade.adapters.cli.outputs import STDOUT, CannotWrite, OutputFiles, UnknownKind
from turngrade.adapters.cli.progress import progress
from turngrade.adapters.cli.rows import Rows, Show
from turngrade.adapters.cli.snippets import scopes_of
from turngrade.adapters.cli.sources import Notice, Source, SourceFile, resolve
from turngrade.adapters.cli.specs import load, tell_problems
from turngrade.adapters.cli.summary import plural, print_summary
from turngrade.adapters.cli.table import print_table
from turngrade.adapters.cli.tally import Tally
from turngrade.adapters.cli.terminal import drop_stdout, make_console, visible
from turngrade.adapters.cli.verbs import VERBS
from turngrade.core import Spec

HELP = f"""{VERBS["grade"]}

SPEC is a YAML or JSON file that lists graders. A SOURCE is a file, a folder,
a wildcard in quotes, or - for standard input; Inspect logs (.eval, .json),
LangSmith runs (.json, .jsonl, .parquet) and plain message lists (.jsonl) may
be mixed. Verdicts go to stdout, progress and summary to stderr.
"""

EXAMPLES = """\b
Examples:
  turngrade grade spec.yaml logs/ runs.jsonl
  turngrade grade spec.yaml 'logs/**/*.eval' -o grades.jsonl --show failed

\b
Exit codes: 0 all passed, 1 some failed, 2 interrupted, 3 some verdict or
source is an error, 4 bad usage or spec, 5 nothing graded.
"""


@dataclass(frozen=True, slots=True)
class Request:
    """A call of ``turngrade grade``.

    Args:
        spec: The spec file.
        sources: The SOURCE arguments.
        outputs: Files to write; ``-`` is stdout.
        stimulus: The Vally stimulus whose graders apply to every transcript.
        show: Which verdicts the table shows.
        quiet: Whether stderr is told errors only.
    """

    spec: str
    sources: tuple[str, ...]
    outputs: tuple[str, ...] = ()
    stimulus: str | None = None
    show: Show = "auto"
    quiet: bool = False


@click.command("grade", help=HELP, epilog=EXAMPLES, short_help=VERBS["grade"])
@click.argument("spec")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    metavar="FILE",
    help="Write the grades to a file, its kind by its suffix: .jsonl. Repeatable. - is JSONL on stdout, "
    "instead of the table.",
)
@click.option(
    "--show",
    type=click.Choice(get_args(Show)),
    default="auto",
    help="Which verdicts the table shows; auto: all of few, the failures of many.",
)
@click.option(
    "--stimulus",
    metavar="NAME",
    help="Apply the graders of this stimulus of a Vally eval file to every transcript.",
)
@click.option("-q", "--quiet", is_flag=True, help="No table and no summary, only what is wrong.")
def command(
    spec: str,
    sources: tuple[str, ...],
    outputs: tuple[str, ...],
    show: Show,
    stimulus: str | None,
    quiet: bool,
) -> int:
    """Parse the command line of ``turngrade grade``."""
    show = "none" if quiet or STDOUT in outputs else show
    return run(Request(spec, sources, outputs, stimulus, show, quiet))


def run(request: Request) -> int:
    """Grade, write and print what was asked for.

    Returns:
        The exit code.

    Raises:
        click.ClickException: The spec, or an output file, cannot be used.
    """
    spec = load(request.spec, request.stimulus)
    tell_problems(request.spec, spec)
    begun = time.monotonic()
    try:
        outcome = _grade(request, spec)
    except CannotWrite as error:
        click.echo(error, err=True)
        return Exit.ERROR
    _tell_table(request, outcome)
    if not request.quiet:
        print_summary(outcome.tally, time.monotonic() - begun, make_console(sys.stderr))
    return outcome.tally.exit_code()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What grading came to."""

    rows: Rows
    tally: Tally
    notices: list[Notice]


def _grade(request: Request, spec: Spec) -> Outcome:
    outcome = Outcome(Rows(request.show, scopes_of(spec)), Tally(), [])
    with tempfile.TemporaryDirectory(prefix="turngrade-") as spool, _outputs(request, spec) as files:
        sources = resolve(request.sources, Path(spool))
        _refuse_to_overwrite(request, sources)
        with progress(len(sources)) as meter:
            for grade, transcript in grade_all(spec, sources, outcome.notices, meter):
                outcome.tally.add(grade)
                outcome.rows.add(grade, transcript)
                if grade.verdicts or grade.error is not None:
                    files.add(grade, transcript)
        files.commit()
    return outcome


def _outputs(request: Request, spec: Spec) -> OutputFiles:
    try:
        return OutputFiles(request.outputs, spec)
    except (UnknownKind, CannotWrite) as error:
        raise click.BadParameter(str(error), param_hint="-o") from error


def _refuse_to_overwrite(request: Request, sources: Sequence[Source]) -> None:
    read = {request.spec: Path(request.spec).resolve()}
    read |= {source.name: source.path.resolve() for source in sources if isinstance(source, SourceFile)}
    for name in request.outputs:
        if name != STDOUT and Path(name).resolve() in read.values():
            raise click.BadParameter(
                f"{name} is read by the same call; write to another file", param_hint="-o"
            )


def _tell_table(request: Request, outcome: Outcome) -> None:
    try:
        print_table(outcome.rows.rows, make_console(sys.stdout))
    except BrokenPipeError:
        drop_stdout()
    for notice in outcome.notices:
        click.echo(f"{visible(notice.source)}: {notice.message}", err=True)
    if outcome.rows.hidden and request.show == "auto":
        hidden = plural(outcome.rows.hidden, "verdict")
        click.echo(f"{hidden} not shown here; --show all shows them, -o FILE keeps them", err=True)
