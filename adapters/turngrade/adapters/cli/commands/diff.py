"""``turngrade diff``: the verdicts that flipped between two results."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from turngrade.adapters.cli.all_of import all_of
from turngrade.adapters.cli.comparing import (
    Collector,
    Comparison,
    Flip,
    InvalidResult,
    Result,
    Said,
    compare,
    read_result,
)
from turngrade.adapters.cli.exit_codes import Exit
from turngrade.adapters.cli.file_name import FILE
from turngrade.adapters.cli.specs import load, tell_problems
from turngrade.adapters.cli.table import STYLES
from turngrade.adapters.cli.terminal import Marks, make_console, marks_for, visible
from turngrade.adapters.cli.verbs import VERBS
from turngrade.adapters.cli.wording import plural

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

HELP = f"""{VERBS["diff"]}

OLD and NEW are .jsonl files that turngrade grade -o wrote. With SOURCE, OLD and
NEW are two specs, and both grade the same transcripts. Transcripts are the same
by source, id and epoch, or by id and epoch where the source has a new name.
"""

EXAMPLES = """\b
Examples:
  turngrade diff before.jsonl after.jsonl --fail-on-flip
  turngrade diff old.yaml new.yaml logs/

\b
Exit codes: 0 compared, 1 flips with --fail-on-flip, 3 a result cannot be
read, 4 bad usage or spec, 5 no verdict is in both.
"""

SPEC_SUFFIXES = frozenset({".json", ".yaml", ".yml"})


@click.command("diff", help=HELP, epilog=EXAMPLES, short_help=VERBS["diff"])
@click.argument("old", type=FILE)
@click.argument("new", type=FILE)
@click.argument("sources", type=FILE, nargs=-1, metavar="[SOURCE...]")
@click.option("--fail-on-flip", is_flag=True, help="Exit with 1 if a verdict flipped.")
def command(old: str, new: str, sources: tuple[str, ...], fail_on_flip: bool) -> int:
    """Compare two results."""
    if not sources and all(Path(name).suffix.lower() in SPEC_SUFFIXES for name in (old, new)):
        raise click.UsageError(
            f"two specs are compared on transcripts: add a SOURCE, as in turngrade diff {old} {new} logs/"
        )
    try:
        results = _graded(old, new, sources) if sources else (read_result(old), read_result(new))
    except InvalidResult as error:
        click.echo(visible(str(error)), err=True)
        return Exit.ERROR
    comparison = compare(*results)
    _print_flips(comparison.flips, make_console(sys.stdout))
    click.echo(_summary(comparison), err=True)
    if not comparison.same and not comparison.flips:
        return Exit.NOTHING_GRADED
    return Exit.FAILED if comparison.flips and fail_on_flip else Exit.PASSED


def _graded(old: str, new: str, sources: tuple[str, ...]) -> tuple[Result, Result]:
    """Grade the same transcripts with two specs."""
    specs = [load(old), load(new)]
    for name, spec in zip((old, new), specs, strict=True):
        tell_problems(name, spec)
    collectors = Collector(), Collector()
    for item in all_of(sources):
        for spec, collector in zip(specs, collectors, strict=True):
            collector.add(spec.grade(item).to_dict())
    return collectors[0].result, collectors[1].result


def _print_flips(flips: Sequence[Flip], console: Console) -> None:
    from rich import box
    from rich.table import Table

    if not flips:
        return
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    for title, share in (("Transcript", 4), ("Grader", 4), ("Old", 0), ("New", 0)):
        table.add_column(
            title, overflow="fold", no_wrap=not share, max_width=console.width // 4 if share else None
        )
    table.add_column("Evidence", overflow="fold", ratio=1)
    for flip in flips:
        _add_flip(table, flip, marks_for(console))
    console.print(table)


def _add_flip(table: Table, flip: Flip, marks: Marks) -> None:
    from rich.text import Text

    source, id, epoch, before = flip.key
    name = "" if id is None else f"{id} (epoch {epoch})" if epoch is not None and epoch > 1 else id
    name += f" (no. {before + 1} of this id)" if before else ""
    label = Text("\n").join(
        Text(visible(part), style=style) for part, style in ((name, "bold"), (source or "", "dim")) if part
    )

    def status(said: Said) -> Text:
        return Text(f"{marks.of(said.status)} {visible(said.status)}", style=STYLES.get(said.status, ""))

    evidence = Text(visible(flip.new.evidence))
    if flip.old.evidence != flip.new.evidence:
        evidence.append(f"\nwas: {visible(flip.old.evidence)}", style="dim")
    table.add_row(label, visible(flip.grader), status(flip.old), status(flip.new), evidence)


def _summary(comparison: Comparison) -> str:
    kinds = Counter(f"{visible(flip.old.status)} → {visible(flip.new.status)}" for flip in comparison.flips)
    parts = [f"{plural(len(comparison.flips), 'flip')}{': ' if kinds else ''}"]
    parts[0] += ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    parts.append(f"{comparison.same:,} the same")
    if comparison.only_old:
        parts.append(f"{comparison.only_old:,} only in the old result")
    if comparison.only_new:
        parts.append(f"{comparison.only_new:,} only in the new result")
    return "; ".join(parts)
