"""A grade as numbers: one value for each grader, and the aggregate. Needs no Inspect."""

from __future__ import annotations

from collections.abc import Iterable
from math import nan
from typing import Any, Literal, TypeAlias

from turngrade.core import Grade

OnError: TypeAlias = Literal["incorrect", "unscored"]
"""What a verdict that is an error counts as: an incorrect answer, or a sample without a score."""

Values: TypeAlias = dict[str, str | int | float | bool | None]
"""The value of a score that has several; the type is Inspect's."""

AGGREGATE = "aggregate"
"""The key of the weighted aggregate, beside one key for each grader."""


def values_of(grade: Grade, names: Iterable[str], on_error: OnError = "incorrect") -> Values:
    """The value of each grader, 1 or 0, and of `AGGREGATE`; NaN for what is not scored.

    Every sample gets the same keys, because Inspect refuses to compute metrics otherwise. A grader that does
    not apply to a sample is NaN there, which Inspect leaves out of the metrics.

    Args:
        grade: The grade of one sample.
        names: The names of all graders of the spec.
        on_error: What an error counts as. Under ``"unscored"`` an aggregate that lacks a part is NaN too.
    """
    leave_out = on_error == "unscored"
    values: Values = dict.fromkeys(names, nan)
    for verdict in grade.verdicts:
        values[verdict.name] = nan if leave_out and verdict.status == "error" else int(verdict.passed)
    graded = bool(grade.verdicts) and not (leave_out and grade.status == "error")
    values[AGGREGATE] = grade.score if graded else nan
    return values


def data_of(grade: Grade) -> dict[str, Any]:
    """A grade as data for a score's metadata, without what the sample around it says already."""
    return {key: value for key, value in grade.to_dict().items() if key not in ("source", "id", "epoch")}
