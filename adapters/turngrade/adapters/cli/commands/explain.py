"""``turngrade explain``: a transcript with every hit, and why each verdict is what it is."""

from __future__ import annotations

import sys

import click

from turngrade.adapters.cli.choosing import candidates, choose
from turngrade.adapters.cli.exit_codes import Exit
from turngrade.adapters.cli.file_name import FILE
from turngrade.adapters.cli.redaction import Redactor
from turngrade.adapters.cli.specs import load, tell_problems
from turngrade.adapters.cli.terminal import make_console, visible
from turngrade.adapters.cli.verbs import VERBS
from turngrade.core import Grader, Spec, Transcript, Unreadable

HELP = f"""{VERBS["explain"]}

For each grader: what it tested, what it found where, which rule made the
verdict, and, where nothing matched, what change would have made it match. Then
the texts, each hit with the number of the graders that found it.
"""

EXAMPLES = """\b
Examples:
  turngrade explain spec.yaml logs/run.eval --id sample-7
  turngrade explain spec.yaml runs.jsonl --id 01a2 --grader order-id

\b
Exit codes: 0 explained, 3 a source cannot be read, 4 bad usage or spec, 5 the
sources hold no transcript.
"""


@click.command("explain", help=HELP, epilog=EXAMPLES, short_help=VERBS["explain"])
@click.argument("spec", type=FILE)
@click.argument("sources", type=FILE, nargs=-1, required=True, metavar="SOURCE...")
@click.option("--id", "id", metavar="ID", help="The transcript's id, or the start of it.")
@click.option("--epoch", type=int, metavar="N", help="Inspect's epoch, from 1.")
@click.option("--grader", "names", multiple=True, metavar="NAME", help="Explain this grader only.")
@click.option(
    "--context",
    default=200,
    type=click.IntRange(min=0),
    metavar="N",
    help="Show N characters around each hit (200).",
)
@click.option("--stimulus", metavar="NAME", help="Apply this stimulus of a Vally eval file.")
@click.option("--redact", is_flag=True, help="Replace what graders find by kind and length.")
def command(
    spec: str,
    sources: tuple[str, ...],
    id: str | None,
    epoch: int | None,
    names: tuple[str, ...],
    context: int,
    stimulus: str | None,
    redact: bool,
) -> int:
    """Explain one transcript."""
    from turngrade.adapters.cli.explanation import print_explanation

    loaded = load(spec, stimulus)
    tell_problems(spec, loaded)
    found = candidates(sources, id, epoch)
    if not found:
        return Exit.NOTHING_GRADED
    chosen = choose(found, id, epoch)
    redactor = Redactor(loaded) if redact else None
    if isinstance(chosen, Unreadable):
        message = chosen.message if redactor is None else redactor.redacted(chosen.message).text
        click.echo(f"{visible(chosen.source)}: {visible(message)}", err=True)
        return Exit.ERROR
    prepared = loaded.prepared(chosen)
    graders = _graders(loaded, prepared, names)
    grade = loaded.grade(chosen)
    if redactor is not None:
        grade, _ = redactor.apply(grade, prepared)
    print_explanation(grade, prepared, graders, context, make_console(sys.stdout), redactor)
    return Exit.PASSED


def _graders(spec: Spec, transcript: Transcript, names: tuple[str, ...]) -> list[Grader]:
    applying = spec.graders_for(transcript)
    for name in names:
        if name not in {grader.name for grader in applying}:
            known = ", ".join(visible(grader.name) for grader in applying)
            raise click.BadParameter(f"no grader {visible(name)!r}; it has: {known}", param_hint="--grader")
    return [grader for grader in applying if not names or grader.name in names]
