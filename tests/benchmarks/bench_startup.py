"""What it costs to start: the help, and a spec on one sample, against the import of two libraries."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.benchmarks.fresh import Command, measure
from tests.benchmarks.table import Row

SAMPLE = Path(__file__).parents[1] / "data" / "inspect" / "plain.eval"
SPEC = {"graders": [{"type": "transcript-not-matches", "config": {"pattern": r"(?i)\bsorry\b"}}]}


def rows(*, small: bool) -> list[Row]:
    """The figures; bytecode is there after the first round, as it is for a user."""
    with TemporaryDirectory() as work:
        spec = Path(work, "spec.json")
        spec.write_text(json.dumps(SPEC), "utf-8")
        ways = {
            "libraries": Command(("python", "-c", "import pydantic, regex"), Path(work)),
            "help": Command(("turngrade", "--help"), Path(work)),
            "grade": Command(("turngrade", "grade", str(spec), str(SAMPLE)), Path(work), codes=(0, 1)),
        }
        found = measure(ways, rounds=4 if small else 12)
    base = found["libraries"].cpu
    return [
        Row("turngrade --help : import pydantic, regex", found["help"].cpu / base, required=3),
        Row("turngrade grade, one sample : the same", found["grade"].cpu / base, required=3),
    ]
