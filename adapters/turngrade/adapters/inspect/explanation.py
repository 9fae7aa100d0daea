"""A verdict, or a whole grade, in words for a reader of the log. Needs no Inspect."""

from __future__ import annotations

from collections.abc import Iterator

from turngrade.core import Grade, Verdict

from .citations import Citations


def explain_verdict(verdict: Verdict, cited: Citations | None = None) -> str:
    """The evidence with its mark, what it leaves out, and the hits.

    Args:
        verdict: The verdict.
        cited: Quotes the hits; without it there are none.
    """
    return "\n".join([str(verdict), *_more(verdict, cited)])


def explain_grade(grade: Grade, cited: Citations | None = None) -> str:
    """How many graders pass, and each verdict under its name.

    Args:
        grade: The grade.
        cited: Quotes the hits; without it there are none.
    """
    if grade.error is not None:
        return f"✘ {grade.error}"
    return "\n".join(_grade_lines(grade, cited))


def _grade_lines(grade: Grade, cited: Citations | None) -> Iterator[str]:
    if not grade.verdicts:
        yield "no grader applies"
        return
    passed = sum(verdict.passed for verdict in grade.verdicts)
    yield f"{passed} of {len(grade.verdicts)} graders pass, aggregate {grade.score:.4g}"
    # what is said of every verdict, that the transcript is incomplete, is said once
    told = [verdict.message for verdict in grade.verdicts]
    common = told[0] if told and len(told) > 1 and told == told[:1] * len(told) else None
    if common:
        yield common
    for verdict in grade.verdicts:
        mark, _, evidence = str(verdict).partition(" ")
        yield f"{mark} {verdict.name}: {evidence}"
        yield from _more(verdict, cited, told=common)


def _more(verdict: Verdict, cited: Citations | None, told: str | None = None) -> Iterator[str]:
    if verdict.reason in ("count_below_min", "count_above_max"):
        bound = "fewer" if verdict.reason == "count_below_min" else "more"
        yield f"{verdict.matched} matching messages are {bound} than allowed"
    if verdict.message and verdict.message != told:
        yield verdict.message
    if cited is not None:
        yield from cited.lines(verdict)
