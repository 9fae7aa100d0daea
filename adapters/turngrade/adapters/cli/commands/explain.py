"""``turngrade explain``: a transcript with every hit, and why each verdict is what it is."""

from __future__ import annotations

import difflib
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import click

from turngrade.adapters.cli.exit_codes import Exit
from turngrade.adapters.cli.reading import read
from turngrade.adapters.cli.redaction import Redactor
from turngrade.adapters.cli.sources import Notice, label_of, resolve
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

SHOWN_IDS = 5
"""Ids that are named where none is like the one that was asked for."""


@click.command("explain", help=HELP, epilog=EXAMPLES, short_help=VERBS["explain"])
@click.argument("spec", type=click.Path())
@click.argument("sources", type=click.Path(), nargs=-1, required=True, metavar="SOURCE...")
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
    found = _transcripts(sources)
    if not found:
        return Exit.NOTHING_GRADED
    chosen = _choose(found, id, epoch)
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


def _transcripts(sources: tuple[str, ...]) -> list[Transcript | Unreadable]:
    found: list[Transcript | Unreadable] = []
    with tempfile.TemporaryDirectory(prefix="turngrade-") as spool:
        for source in resolve(sources, Path(spool)):
            for item in read(source):
                if isinstance(item, Notice):
                    click.echo(f"{visible(label_of(item))}: {item.message}", err=True)
                else:
                    found.append(item)
    return found


def _choose(
    found: Sequence[Transcript | Unreadable], id: str | None, epoch: int | None
) -> Transcript | Unreadable:
    """The one transcript that is meant.

    Raises:
        click.BadParameter: None is, or several are.
    """
    fitting = [item for item in found if epoch is None or item.epoch == epoch]
    if epoch is not None and not fitting:
        raise click.BadParameter(f"no transcript of epoch {epoch}{_epochs(found)}", param_hint="--epoch")
    if id is not None:
        exact = [item for item in fitting if item.id == id]
        fitting = exact or [item for item in fitting if (item.id or "").startswith(id)]
    if len(fitting) == 1:
        return fitting[0]
    if not fitting:
        of = "" if epoch is None else f" of epoch {epoch}"
        raise click.BadParameter(
            f"no transcript {visible(id or '')!r}{of}{_nearest(id, found)}", param_hint="--id"
        )
    some = "\n  ".join(_address(item) for item in fitting[:20])
    more = f"\n  … and {len(fitting) - 20:,} more" if len(fitting) > 20 else ""
    raise click.BadParameter(
        f"{len(fitting):,} transcripts fit; choose one:\n  {some}{more}", param_hint="--id"
    )


def _epochs(found: Sequence[Transcript | Unreadable]) -> str:
    epochs = sorted({item.epoch for item in found if item.epoch is not None})
    return f"; there are {', '.join(map(str, epochs))}" if epochs else "; no transcript has an epoch"


def _nearest(id: str | None, found: Sequence[Transcript | Unreadable]) -> str:
    near = difflib.get_close_matches(id or "", [item.id for item in found if item.id], n=3, cutoff=0.5)
    if near:
        return f"; did you mean {', '.join(map(visible, near))}?"
    ids = list(dict.fromkeys(item.id for item in found if item.id))
    more = f", and {len(ids) - SHOWN_IDS:,} more" if len(ids) > SHOWN_IDS else ""
    return f"; there are {', '.join(map(visible, ids[:SHOWN_IDS]))}{more}" if ids else "; none has an id"


def _address(item: Transcript | Unreadable) -> str:
    if isinstance(item, Unreadable) and item.id is None:
        return visible(f"(unreadable) {item.source}: {item.message}")
    epoch = f" --epoch {item.epoch}" if item.epoch is not None else ""
    return visible(f"--id {item.id}{epoch}  {item.source or ''}")


def _graders(spec: Spec, transcript: Transcript, names: tuple[str, ...]) -> list[Grader]:
    applying = spec.graders_for(transcript)
    for name in names:
        if name not in {grader.name for grader in applying}:
            known = ", ".join(visible(grader.name) for grader in applying)
            raise click.BadParameter(f"no grader {visible(name)!r}; it has: {known}", param_hint="--grader")
    return [grader for grader in applying if not names or grader.name in names]
