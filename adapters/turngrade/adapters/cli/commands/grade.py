"""``turngrade grade``: grade transcripts with a spec."""

from __future__ import annotations

from typing import get_args

import click

from turngrade.adapters.cli.failing import Failing, FailOn, Rate
from turngrade.adapters.cli.grading import Request, run
from turngrade.adapters.cli.outputs import STDOUT
from turngrade.adapters.cli.rows import Show
from turngrade.adapters.cli.verbs import VERBS

HELP = f"""{VERBS["grade"]}

SPEC is a YAML or JSON file that lists graders. A SOURCE is a file, a folder,
a wildcard in quotes, langsmith:PROJECT, or - for standard input; Inspect logs
(.eval, .json), LangSmith runs (.json, .jsonl, .parquet) and plain message
lists (.jsonl) may be mixed. Verdicts go to stdout, progress and summary to
stderr.
"""

EXAMPLES = """\b
Examples:
  turngrade grade spec.yaml logs/ runs.jsonl --show failed
  turngrade grade spec.yaml 'logs/*.eval' -o report.html -o junit.xml

\b
Exit codes: 0 all passed, 1 some failed, 2 interrupted, 3 some verdict or
source is an error, 4 bad usage or spec, 5 nothing graded.
"""


@click.command("grade", help=HELP, epilog=EXAMPLES, short_help=VERBS["grade"])
@click.argument("spec")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    metavar="FILE",
    help="Also write .html, .jsonl, .csv, .parquet, .xml (JUnit), .md, or .scores.jsonl (for Inspect's "
    "precomputed_scores). Repeatable; - is JSONL on stdout.",
)
@click.option("--only", multiple=True, metavar="NAME", help="Use these graders only; * and ? are wildcards.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Stop after N transcripts.")
@click.option("--stimulus", metavar="NAME", help="Apply this stimulus of a Vally eval file to all.")
@click.option("--redact", is_flag=True, help="Replace what graders find by its kind and length.")
@click.option("--fail-under", type=Rate(), metavar="RATE", help="Exit with 0 if so many pass, such as 90%.")
@click.option(
    "--fail-on", type=click.Choice(get_args(FailOn)), default="fail", help="What makes the call fail."
)
@click.option(
    "--show",
    type=click.Choice(get_args(Show)),
    default="auto",
    help="The table: all of few, failures of many.",
)
@click.option("-q", "--quiet", is_flag=True, help="No table and no summary, only what is wrong.")
def command(
    spec: str,
    sources: tuple[str, ...],
    outputs: tuple[str, ...],
    only: tuple[str, ...],
    limit: int | None,
    stimulus: str | None,
    redact: bool,
    fail_under: float | None,
    fail_on: FailOn,
    show: Show,
    quiet: bool,
) -> int:
    """Parse the command line of ``turngrade grade``."""
    return run(
        Request(
            spec,
            sources,
            outputs=outputs,
            only=only,
            limit=limit,
            stimulus=stimulus,
            redact=redact,
            failing=Failing(fail_on, fail_under),
            show="none" if quiet or STDOUT in outputs else show,
            quiet=quiet,
        )
    )
