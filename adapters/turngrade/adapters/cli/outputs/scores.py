"""``NAME.scores.jsonl``: rows for Inspect's own ``precomputed_scores``, which applies them to the log."""

from __future__ import annotations

import json
from typing import IO

from turngrade.adapters.inspect import precomputed_row
from turngrade.core import Grade, Spec, Transcript


class ScoreRows:
    """Writes each grade at once."""

    def __init__(self, file: IO[bytes], names: tuple[str, ...]) -> None:
        self.file = file
        self.names = names

    def add(self, grade: Grade, transcript: Transcript | None) -> None:
        """Write the row of a sample; what has no id, such as a whole file, has no sample to score."""
        if grade.id is not None:
            self.file.write(json.dumps(precomputed_row(grade, self.names)).encode() + b"\n")

    def finish(self) -> None:
        """Nothing is left to be written."""


def open_output(file: IO[bytes], spec: Spec) -> ScoreRows:
    """The writer for an open file."""
    return ScoreRows(file, spec.grader_names)
