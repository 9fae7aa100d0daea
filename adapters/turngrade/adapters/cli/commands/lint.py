"""``turngrade lint``: what is wrong with specs."""

from __future__ import annotations

import click

from turngrade.adapters.cli.exit_codes import Exit
from turngrade.adapters.cli.file_name import FILE
from turngrade.adapters.cli.verbs import VERBS
from turngrade.adapters.cli.wording import plural

HELP = f"""{VERBS["lint"]}

Each finding is a line FILE:LINE:COLUMN: LEVEL: PATH: WHAT [RULE], without what
it has not (a finding about the whole file has no place), and below it the
pattern with a caret, and what to write instead. docs/lint.md has a section
for each rule.
"""

EXAMPLES = """\b
Examples:
  turngrade lint spec.yaml
  turngrade lint --strict --ignore dot-gap graders/*.yaml

\b
Exit codes: 0 no fault, 4 a fault (with --strict also a warning).
"""


@click.command("lint", help=HELP, epilog=EXAMPLES, short_help=VERBS["lint"])
@click.argument("specs", type=FILE, nargs=-1, required=True, metavar="SPEC...")
@click.option("--strict", is_flag=True, help="Treat warnings as faults.")
@click.option("--ignore", "ignored", multiple=True, metavar="RULE", help="Leave out warnings of this rule.")
@click.option(
    "--format",
    "kind",
    type=click.Choice(["text", "json", "github", "sarif"]),
    default="text",
    help="How findings are written.",
)
def command(specs: tuple[str, ...], strict: bool, ignored: tuple[str, ...], kind: str) -> int:
    """Check each spec."""
    from turngrade.adapters.cli.linting import RULES, lint_file
    from turngrade.adapters.cli.linting.formats import FORMATS
    from turngrade.adapters.cli.runner import say_to_runner

    known = {"spec", *(rule.name for rule in RULES)}
    for name in ignored:
        if name not in known:
            raise click.BadParameter(
                f"no rule {name!r}; there are {', '.join(sorted(known))}", param_hint="--ignore"
            )
    findings = [one for name in specs for one in lint_file(name, frozenset(ignored))]
    say = say_to_runner if kind == "github" else click.echo
    for line in FORMATS[kind](findings):
        say(line)
    faults = sum(one.level == "error" for one in findings)
    warnings = len(findings) - faults
    counts = f"{plural(faults, 'fault')}, {plural(warnings, 'warning')}"
    click.echo(f"{plural(len(specs), 'spec')} checked: {counts}", err=True)
    return Exit.USAGE if faults or (strict and warnings) else Exit.PASSED
