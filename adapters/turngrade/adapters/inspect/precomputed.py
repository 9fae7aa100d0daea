"""Rows for Inspect's own `precomputed_scores`, which applies a file of scores to a log. Needs no Inspect."""

from __future__ import annotations

from collections.abc import Iterable
from math import nan
from typing import Any

from turngrade.core import Grade

from .explanation import explain_grade
from .values import data_of, values_of


def precomputed_row(grade: Grade, names: Iterable[str] | None = None) -> dict[str, Any]:
    """One row of a file for `precomputed_scores`, as `turngrade grade -o NAME.scores.jsonl` writes it.

    Args:
        grade: The grade of one sample.
        names: The names of all graders of the spec, since every row needs the same keys. By default those
            that applied, which are the same ones unless the spec has stimuli.

    Returns:
        The keys ``id``, ``epoch``, ``value``, ``explanation`` and ``metadata``. The value of a sample that
        could not be read is NaN, which Inspect keeps out of the metrics.
    """
    if names is None:
        names = [verdict.name for verdict in grade.verdicts]
    return {
        "id": grade.id,
        "epoch": grade.epoch,
        "value": nan if grade.error is not None else values_of(grade, names),
        "explanation": explain_grade(grade),
        "metadata": {"grade": data_of(grade)},
    }
