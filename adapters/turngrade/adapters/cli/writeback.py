"""``--write-back``: scores into Inspect logs, feedback into LangSmith projects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from turngrade.adapters.cli.entries import Graded
from turngrade.adapters.cli.extras import missing
from turngrade.adapters.cli.outputs import CannotWrite
from turngrade.adapters.cli.progress import Meter
from turngrade.adapters.cli.reading import kind_of
from turngrade.adapters.cli.remote import is_on_web
from turngrade.adapters.cli.sources import Notice, Project, Source, SourceFile, label_of
from turngrade.adapters.cli.terminal import visible
from turngrade.adapters.cli.wording import plural
from turngrade.core import Grade, Spec

if TYPE_CHECKING:
    from turngrade.adapters.langsmith import FeedbackReport

MOST = 50
"""Rows that are named one by one."""

WORKS_FOR = "--write-back works for Inspect logs and for langsmith:PROJECT"


class WriteBack(Struct, frozen=True):
    """How verdicts are written to where the transcripts came from.

    Args:
        in_place: Put the scores into the log itself, not into a copy beside it.
        dry_run: Write nothing, and say what would be written.
        extend_trace_retention: Let feedback move traces to LangSmith's longer, dearer retention.
        redacted: Whether the grades are without the texts that were found.
    """

    in_place: bool = False
    dry_run: bool = False
    extend_trace_retention: bool = False
    redacted: bool = False


class Written(Struct, frozen=True):
    """What became of writing back to one source.

    Args:
        lines: What to tell.
        complete: Whether all that was to be written is there.
        planned: Of a dry run: the rows that would be sent.
    """

    lines: tuple[str, ...]
    complete: bool = True
    planned: tuple[dict[str, Any], ...] = ()


def targets(sources: Sequence[Source], how: WriteBack) -> list[Source]:
    """The sources, checked for being such that can be written back to.

    A log that is the copy of another source, as an earlier call left it, is replaced and so not read.

    Raises:
        click.UsageError: A source is of a kind that nothing can be written back to.
    """
    for source in sources:
        problem = _problem(source)
        if problem is not None:
            raise click.UsageError(f"{WORKS_FOR}; {problem}")
    _check_options(sources, how)
    files = [source for source in sources if isinstance(source, SourceFile)]
    if how.in_place or not files:
        return list(sources)
    from turngrade.adapters.inspect import copy_beside

    copies = {copy_beside(_log(file)) for file in files}
    skipped = "skipped: it is the copy that is written"
    return [
        Notice(source.name, skipped) if isinstance(source, SourceFile) and _log(source) in copies else source
        for source in sources
    ]


def write_back(
    source: Source, graded: Iterator[Graded], spec: Spec, how: WriteBack, meter: Meter
) -> Written | None:
    """Write the grades of a source to where it came from.

    Args:
        source: Where the transcripts come from.
        graded: Its grades, which may be made while they are asked for. All of them are used up.
        spec: The spec that gives the grades.
        how: What is asked for.
        meter: Is told how the work goes on.

    Returns:
        What became of it; None where there is nothing to write to.
    """
    written = None
    try:
        if isinstance(source, Project):
            written = _feedback(source, graded, spec, how, meter)
        elif isinstance(source, SourceFile):
            written = _scores(source, graded, spec, how)
    except CannotWrite:  # of an output file, met while grading
        raise
    except (
        Exception
    ) as error:  # one source, whatever Inspect or LangSmith says of it, must not end the others
        written = Written((f"{label_of(source)}: not written back: {_why(source, error)}",), complete=False)
    for _ in graded:
        pass
    return written


def _problem(source: Source) -> str | None:
    """Why a source cannot be written back to; None where it can, or where reading will tell what is wrong."""
    if not isinstance(source, SourceFile):
        return None
    if source.url is not None:
        return _problem_of_url(source.url, visible(source.name))
    if source.name != str(source.path):
        return f"{visible(source.name)} is no file"
    try:
        kind = kind_of(source.path)
    except OSError:
        return None
    held = {"langsmith": "exported LangSmith runs", "plain": "plain message lists"}.get(kind or "")
    return None if held is None else f"{visible(source.name)} holds {held}"


def _problem_of_url(url: str, name: str) -> str | None:
    if is_on_web(url):
        return f"{name} is on the web, where nothing can be written"
    return None if url.endswith((".eval", ".json")) else f"{name} does not end in .eval or .json"


def _why(source: Source, error: Exception) -> str:
    """What went wrong. Of LangSmith, only texts that are known to hold no credentials are shown."""
    kind = type(error).__name__
    if isinstance(error, ImportError):
        return missing(error)
    if isinstance(source, Project) and kind != "LangSmithRequestFailed":
        return kind
    return str(error).removeprefix(f"{label_of(source)}: ") or kind


def _check_options(sources: Sequence[Source], how: WriteBack) -> None:
    kinds = {type(source) for source in sources}
    if how.in_place and SourceFile not in kinds:
        raise click.UsageError("--in-place is for Inspect logs, and no SOURCE is one")
    if how.redacted and SourceFile in kinds:
        raise click.UsageError("--redact has no use where scores go into a log, which holds all texts")
    if how.extend_trace_retention and Project not in kinds:
        raise click.UsageError("--extend-trace-retention is for langsmith:PROJECT, and no SOURCE is one")


def _scores(log: SourceFile, graded: Iterator[Graded], spec: Spec, how: WriteBack) -> Written:
    from turngrade.adapters.inspect import copy_beside, write_scores

    path = _log(log)
    count = 0

    def grades() -> Iterator[Grade]:
        nonlocal count
        for grade, _ in graded:
            count += grade.error is None
            yield grade

    if how.dry_run:
        for _ in grades():
            pass
        target = path if how.in_place else copy_beside(path)
        return Written((f"{path}: would write the scores of {plural(count, 'sample')} into {target}",))
    target = write_scores(path, grades(), spec=spec, in_place=how.in_place)
    return Written((f"{path}: wrote the scores of {plural(count, 'sample')} into {target}",))


def _log(source: SourceFile) -> str:
    """A log, as Inspect names it."""
    return source.url or str(source.path)


def _feedback(
    project: Project, graded: Iterator[Graded], spec: Spec, how: WriteBack, meter: Meter
) -> Written:
    from turngrade.adapters.langsmith import post_feedback

    report = post_feedback(
        (grade if transcript is None else (transcript, grade) for grade, transcript in graded),
        spec,
        project.project,
        extend_trace_retention=how.extend_trace_retention,
        dry_run=how.dry_run,
        on_progress=lambda report: meter.posted(report.posted + report.updated),
    )
    lost = [*report.failed, *report.missing]
    lines = [f"{project.name}: {_counts(report, how)}"]
    lines += [f"  not there: run {row.run_id}, {row.key}: {row.message}" for row in lost[:MOST]]
    if len(lost) > MOST:
        lines.append(f"  not there: {plural(len(lost) - MOST, 'more row')}")
    return Written(tuple(lines), not lost, tuple(row.to_dict() for row in report.planned))


def _counts(report: FeedbackReport, how: WriteBack) -> str:
    there = f"{report.present:,} there before"
    skipped = f"; {plural(report.skipped, 'transcript')} gave none" if report.skipped else ""
    if how.dry_run:
        rows = plural(len(report.planned), "row")
        return f"would send {rows} of feedback, {there}; nothing was sent{skipped}"
    corrected = f", {report.updated:,} corrected" if report.updated else ""
    lost = len(report.failed) + len(report.missing)
    missing = f", {lost:,} MISSING" if lost else ""
    rows = plural(report.posted, "row")
    return f"{rows} of feedback posted and seen on the server, {there}{corrected}{missing}{skipped}"
