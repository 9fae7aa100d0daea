"""``turngrade lint``: what is wrong with specs."""

from __future__ import annotations

from pathlib import Path

import click

from turngrade.adapters.cli.exit_codes import Exit
from turngrade.adapters.cli.specs import problem_lines
from turngrade.adapters.cli.terminal import visible
from turngrade.adapters.cli.verbs import VERBS
from turngrade.adapters.cli.wording import plural

HELP = f"""{VERBS["lint"]}

Each finding is a line FILE:LINE:COLUMN: LEVEL: WHAT, and below it what to
write instead.
"""

EXAMPLES = """\b
Examples:
  turngrade lint spec.yaml
  turngrade lint --strict graders/*.yaml

\b
Exit codes: 0 no fault, 4 a fault (with --strict also a warning).
"""


@click.command("lint", help=HELP, epilog=EXAMPLES, short_help=VERBS["lint"])
@click.argument("specs", nargs=-1, required=True, metavar="SPEC...")
@click.option("--strict", is_flag=True, help="Treat warnings as faults.")
def command(specs: tuple[str, ...], strict: bool) -> int:
    """Check each spec."""
    from turngrade.core import InvalidSpec, load_spec

    faults = warnings = 0
    for name in specs:
        try:
            spec = load_spec(Path(name))
        except InvalidSpec as error:
            problems, notes = error.problems, tuple[str, ...]()
        else:
            problems, notes = spec.problems(), spec.warnings
        for line in problem_lines(name, problems):
            click.echo(line)
        for note in notes:
            click.echo(f"{name}: warning: {visible(note)}")
        faults, warnings = faults + len(problems), warnings + len(notes)
    counts = f"{plural(faults, 'fault')}, {plural(warnings, 'warning')}"
    click.echo(f"{plural(len(specs), 'spec')} checked: {counts}", err=True)
    return Exit.USAGE if faults or (strict and warnings) else Exit.PASSED
