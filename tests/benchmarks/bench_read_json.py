"""How fast `.json` logs are read within bounded memory, against the fastest streaming parser for Python.

That is ijson on yajl, in C. It has to build whole samples: scope ``run`` joins the conversation, the events
and the attachments. What it takes for the messages of the conversation alone is told for comparison.
"""

from __future__ import annotations

from pathlib import Path

from tests.benchmarks.bench_read_eval import CHARS, FEWER, TURNS, agreed, way
from tests.benchmarks.fresh import measure
from tests.benchmarks.logs import FOLDER, big_log, json_twin
from tests.benchmarks.table import Row


def rows(*, small: bool, folder: Path = FOLDER) -> list[Row]:
    """The figures: time against both, and memory."""
    samples, rounds = (20, 2) if small else (100, 4)
    log, fewer = (
        json_twin(big_log(count, TURNS, CHARS, folder=folder)) for count in (samples, samples // FEWER)
    )
    found = measure(
        {
            "turngrade": way("turngrade", log),
            "samples": way("ijson_samples", log),
            "messages": way("ijson_messages", log),
            "fewer": way("turngrade", fewer),
        },
        rounds,
    )
    ours, counted = found["turngrade"], agreed(found, "turngrade", "samples")
    whole, part = found["samples"].cpu / ours.cpu, found["messages"].cpu / ours.cpu
    return [
        Row("ijson, whole samples : read .json, scope run", whole, "x", 2, at_least=True, counted=counted),
        Row("ijson, the conversation alone : the same", part),
        Row("peak memory of reading .json", ours.peak, "MB", 100),
        Row(f"peak memory : with 1/{FEWER} of the samples", ours.peak / found["fewer"].peak, "x", 1.1),
    ]
