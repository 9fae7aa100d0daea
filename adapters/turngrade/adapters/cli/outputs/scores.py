"""``NAME.scores.jsonl``: rows for Inspect's own ``precomputed_scores``, which applies them to the log."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import IO, Any

from turngrade.core import Grade, Spec, Transcript


class ScoreRows:
    """Writes each grade at once.

    Args:
        file: Where to.
        row: Makes the row of a grade.
    """

    def __init__(self, file: IO[bytes], row: Callable[[Grade], dict[str, Any]]) -> None:
        self.file = file
        self.row = row

    def add(self, grade: Grade, transcript: Transcript | None) -> None:
        """Write the row of a sample; what has no id, such as a whole file, has no sample to score."""
        if grade.id is not None:
            self.file.write(json.dumps(self.row(grade)).encode() + b"\n")

    def finish(self) -> None:
        """Nothing is left to be written."""


def open_output(file: IO[bytes], spec: Spec) -> ScoreRows:
    """The writer for an open file."""
    from turngrade.adapters.inspect import precomputed_row

    names = spec.grader_names
    return ScoreRows(file, lambda grade: precomputed_row(grade, names))
