"""``turngrade export``: a spec as code that runs where this package cannot."""

from __future__ import annotations

import click

from turngrade.adapters.cli.exit_codes import Exit
from turngrade.adapters.cli.exporting import write_modules
from turngrade.adapters.cli.file_name import FILE
from turngrade.adapters.cli.outputs import CannotWrite
from turngrade.adapters.cli.selection import names_of
from turngrade.adapters.cli.specs import load, tell_problems
from turngrade.adapters.cli.terminal import visible
from turngrade.adapters.cli.verbs import VERBS
from turngrade.adapters.cli.wording import plural
from turngrade.core import Spec

HELP = f"""{VERBS["export"]}

LangSmith's hosted evaluators are single files of code, and this package cannot
be installed there. Each grader becomes a file of its own with perform_eval(run),
which needs nothing but Python's standard library. A grader that cannot be done
exactly that way is refused, by name and with the reason.
"""

EXAMPLES = """\b
Examples:
  turngrade export langsmith spec.yaml -o evaluators/
  turngrade export langsmith spec.yaml --only order-id

\b
Exit codes: 0 exported, 3 a file cannot be written, 4 bad usage or spec, or a
grader that cannot be exported.
"""


@click.command("export", help=HELP, epilog=EXAMPLES, short_help=VERBS["export"])
@click.argument("target", type=click.Choice(["langsmith"]), metavar="langsmith")
@click.argument("spec", type=FILE)
@click.option(
    "-o",
    "--output",
    "folder",
    type=FILE,
    metavar="FOLDER",
    help="Write NAME.py for each grader into FOLDER.",
)
@click.option(
    "--only", multiple=True, metavar="NAME", help="Export these graders only; * and ? are wildcards."
)
@click.option("--stimulus", metavar="NAME", help="Export with this stimulus of a Vally file.")
def command(target: str, spec: str, folder: str | None, only: tuple[str, ...], stimulus: str | None) -> int:
    """Export graders."""
    loaded = load(spec, stimulus)
    tell_problems(spec, loaded)
    names = names_of(loaded, only)
    if folder is None and len(names) != 1:
        raise click.UsageError(
            f"the spec has {plural(len(names), 'grader')}, and each becomes a file; "
            "name a folder with -o, or one grader with --only"
        )
    code = _code(loaded, names)
    if folder is None:
        click.echo(code[names[0]], nl=False)
        return Exit.PASSED
    try:
        files = write_modules(folder, code)
    except CannotWrite as error:
        click.echo(visible(str(error)), err=True)
        return Exit.ERROR
    for name, file in zip(code, files, strict=True):
        click.echo(f"{visible(name)}: {visible(file)}", err=True)
    return Exit.PASSED


def _code(spec: Spec, names: list[str]) -> dict[str, str]:
    """The source by grader name.

    Raises:
        click.ClickException: Graders cannot be exported; each is named.
    """
    from turngrade.adapters.langsmith import NotExportable, export_code

    try:
        return export_code(spec, names)
    except NotExportable as error:
        raise click.ClickException(visible(f"{error}\nnothing was written", newline="\n")) from error
