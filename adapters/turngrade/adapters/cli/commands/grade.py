"""``turngrade grade``: grade transcripts with a spec."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, get_args

import click

from turngrade.adapters.cli.failing import Failing, FailOn, Rate
from turngrade.adapters.cli.file_name import FILE
from turngrade.adapters.cli.grading import Request, run
from turngrade.adapters.cli.moments import Moment
from turngrade.adapters.cli.outputs import STDOUT
from turngrade.adapters.cli.rows import Show
from turngrade.adapters.cli.sources import Filters
from turngrade.adapters.cli.verbs import VERBS

if TYPE_CHECKING:
    from turngrade.adapters.cli.cluster import Cluster
    from turngrade.adapters.cli.writeback import WriteBack

HELP = f"""{VERBS["grade"]}

A SOURCE is a file, a folder, a wildcard in quotes, an s3:// or other URL,
langsmith:PROJECT, or - for standard input: Inspect logs, LangSmith runs and
plain message lists. Verdicts go to stdout, progress and summary to stderr.
"""

EXAMPLES = """\b
Examples:
  turngrade grade spec.yaml 'logs/*.eval' runs.jsonl -o report.html
  turngrade grade spec.yaml langsmith:PROJECT --since 7d --write-back

\b
Exit codes: 0 all passed, 1 some failed, 2 interrupted, 3 an error, 4 bad
usage or spec, 5 nothing graded.
"""


@click.command("grade", help=HELP, epilog=EXAMPLES, short_help=VERBS["grade"])
@click.argument("spec", type=FILE)
@click.argument("sources", type=FILE, nargs=-1, required=True, metavar="SOURCE...")
@click.option(
    "-o",
    "--output",
    "outputs",
    type=FILE,
    multiple=True,
    metavar="FILE",
    help="Also write .html .jsonl .csv .parquet .xml (JUnit) .md .scores.jsonl "
    "(Inspect's precomputed_scores), or - (JSONL).",
)
@click.option("--only", multiple=True, metavar="NAME", help="Use these graders only; * and ? are wildcards.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Stop after N transcripts.")
@click.option("--stimulus", metavar="NAME", help="Apply this stimulus of a Vally file to all.")
@click.option(
    "--redact",
    is_flag=True,
    help="Replace what graders find by kind and length. Ids and names of sources stay.",
)
@click.option("--fail-under", type=Rate(), metavar="RATE", help="Exit with 0 if so many pass, such as 90%.")
@click.option(
    "--fail-on",
    type=click.Choice(get_args(FailOn)),
    default="fail",
    metavar="WHAT",
    help="What makes the call fail: fail, error, or never.",
)
@click.option(
    "--show",
    type=click.Choice(get_args(Show)),
    default="auto",
    metavar="WHICH",
    help="In the table: auto, all, failed, or none.",
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="Grade files in N processes; the results are the same.",
)
@click.option(
    "--engine",
    type=click.Choice(["ray"]),
    metavar="ray",
    help="Grade on a cluster; a rerun skips what is done.",
)
@click.option("--address", metavar="ADDR", help="Of the cluster; else one is found or started here.")
@click.option("--shards", metavar="FOLDER", help="Where a cluster keeps grades: FILE.shards, or this.")
@click.option("-q", "--quiet", is_flag=True, help="No table, no summary, only what is wrong.")
@click.option(
    "--write-back",
    is_flag=True,
    help="Put scores into Inspect logs (copies of them), or feedback on the runs of a project.",
)
@click.option("--in-place", is_flag=True, help="Write back into the logs themselves.")
@click.option("--dry-run", is_flag=True, help="Write nothing back, and print what would be.")
@click.option("--extend-trace-retention", is_flag=True, help="Let feedback keep traces longer, at a price.")
@click.option("--since", type=Moment(), metavar="WHEN", help="Of a project, from 2026-01-31 or 7d ago on.")
@click.option("--until", type=Moment(), metavar="WHEN", help="Of a project, before that time.")
@click.option("--root-name", metavar="NAME", help="Of a project, root runs of this name.")
@click.option("--tag", metavar="TAG", help="Of a project, root runs with this tag.")
@click.option(
    "--by", type=click.Choice(["thread"]), metavar="thread", help="Grade LangSmith threads, not traces."
)
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
    jobs: int,
    quiet: bool,
    by: str | None,
    **options: Any,
) -> int:
    """Parse the command line of ``turngrade grade``."""
    filters = Filters(*(options[name] for name in ("since", "until", "root_name", "tag")))
    write_back = _write_back(outputs, by, redact, options)
    cluster = _cluster(outputs, jobs, options)
    return run(
        Request(
            spec,
            sources,
            outputs=outputs,
            only=only,
            limit=limit,
            stimulus=stimulus,
            filters=filters,
            by_thread=by == "thread",
            write_back=write_back,
            jobs=jobs,
            cluster=cluster,
            redact=redact,
            failing=Failing(fail_on, fail_under),
            show="none" if quiet or STDOUT in outputs or (write_back and write_back.dry_run) else show,
            quiet=quiet,
        )
    )


def _write_back(
    outputs: tuple[str, ...], by: str | None, redact: bool, options: Mapping[str, Any]
) -> WriteBack | None:
    """What ``--write-back`` and the options beside it ask for; None without them.

    Raises:
        click.UsageError: They do not go together.
    """
    asked = [name for name in ("in_place", "dry_run", "extend_trace_retention") if options[name]]
    if not options["write_back"]:
        if asked:
            raise click.UsageError(f"--{asked[0].replace('_', '-')} goes with --write-back")
        return None
    if by is not None:
        raise click.UsageError("--by thread and --write-back exclude each other: feedback belongs to one run")
    if options["dry_run"] and STDOUT in outputs:
        raise click.UsageError("--dry-run and -o - exclude each other: both write to stdout")
    from turngrade.adapters.cli.writeback import WriteBack  # costs start-up time

    return WriteBack(**dict.fromkeys(asked, True), redacted=redact)


def _cluster(outputs: tuple[str, ...], jobs: int, options: Mapping[str, Any]) -> Cluster | None:
    """What ``--engine`` and the options beside it ask for; None without it.

    Raises:
        click.UsageError: They do not go together.
    """
    address, shards = options["address"], options["shards"]
    if options["engine"] is None:
        for name in ("address", "shards"):
            if options[name] is not None:
                raise click.UsageError(f"--{name} goes with --engine ray")
        return None
    if jobs > 1:
        raise click.UsageError("--engine ray and -j exclude each other: a cluster has workers of its own")
    if options["write_back"]:
        raise click.UsageError("--engine ray and --write-back exclude each other; -o keeps the verdicts")
    if any(name.lower().endswith((".html", ".htm")) for name in outputs):
        raise click.UsageError("--engine ray and -o FILE.html exclude each other: texts stay on the workers")
    files = [name for name in outputs if name != STDOUT]
    if shards is None and not files:
        raise click.UsageError("--engine ray keeps the grades of each source; say where: -o FILE or --shards")
    from turngrade.adapters.cli.cluster import Cluster  # costs start-up time

    return Cluster(address, shards or f"{files[0]}.shards")
