"""How time and memory of `turngrade grade` grow, and the table and the plot of docs/cost.md.

    python -m tests.benchmarks.growth [--rounds 2]

One of four quantities is varied at a time; the others stay as they are. Figures are of whole calls, results
written, without the start of the interpreter. The plot needs matplotlib, which is not in the ``dev`` extra.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from statistics import linear_regression
from tempfile import TemporaryDirectory
from typing import Any

from tests.benchmarks.bench_grade import GRADERS
from tests.benchmarks.bench_read_eval import WARM_UP
from tests.benchmarks.fresh import ROOT, Call, Measured, measure
from tests.benchmarks.logs import FOLDER, big_log
from tests.benchmarks.table import PAGE, write_into

REPEAT = 6
PLOT = ROOT / "docs" / "images" / "cost.svg"


@dataclass(frozen=True, slots=True)
class Load:
    """What is graded.

    Args:
        samples: Samples of the log.
        turns: Turns of each: a message of the assistant, a call of a tool, its answer.
        graders: Graders of the spec.
        chars: Characters of each message.
    """

    samples: int = 100
    turns: int = 20
    graders: int = 10
    chars: int = 1000


AXES: Mapping[str, tuple[str, Sequence[int]]] = {
    "samples": ("samples", (50, 100, 200, 400, 800)),
    "turns a sample": ("turns", (10, 20, 40, 80, 160)),
    "graders": ("graders", (5, 10, 20, 40, 80)),
    "characters a message": ("chars", (1000, 2000, 4000, 8000, 16_000)),
}

Points = Mapping[Load, Measured]


def loads(quantity: str, values: Sequence[int]) -> list[Load]:
    """The loads of one axis."""
    return [replace(Load(), **{quantity: value}) for value in values]


def spec(graders: int) -> list[dict[str, Any]]:
    """A spec of so many graders, no two alike."""
    made = []
    for number in range(graders):
        grader = GRADERS[number % len(GRADERS)]
        ((key, value),) = grader["config"].items()
        made.append({**grader, "name": f"{grader['name']}-{number}", "config": {key: f"{value}{number}"}})
    return made


def points(rounds: int, folder: Path = FOLDER) -> Points:
    """Measure all loads."""
    wanted = {load for quantity, values in AXES.values() for load in loads(quantity, values)}
    with TemporaryDirectory() as work:
        ways = {load: _way(load, Path(work), folder) for load in wanted}
        return measure(ways, rounds)


def _way(load: Load, work: Path, folder: Path) -> Call:
    log = big_log(load.samples, load.turns, load.chars, folder=folder)
    path = work / f"{load.graders}.json"
    path.write_text(json.dumps(spec(load.graders)), "utf-8")
    warm_up = (str(path), str(WARM_UP[".eval"]))
    return Call("tests.benchmarks.ways", "grade", (str(path), str(log)), warm_up, repeat=REPEAT)


def off_a_line(values: Sequence[int], times: Sequence[float]) -> float:
    """How far the time is off a straight line at most, as a part of what the line says."""
    slope, intercept = linear_regression(values, times)
    fitted = [intercept + slope * value for value in values]
    return max(abs(time - line) / line for time, line in zip(times, fitted, strict=True))


def table(measured: Points) -> str:
    """The figures in Markdown, a row for each axis."""
    lines = [
        "| varied | | time, × the first | off a straight line | peak memory, MB |",
        "|---|---|---|---|---|",
    ]
    for name, (quantity, values) in AXES.items():
        found = [measured[load] for load in loads(quantity, values)]
        times = [one.cpu for one in found]
        cells = (
            name,
            " · ".join(f"{value:,}" for value in values),
            " · ".join(f"{time / times[0]:.1f}" for time in times),
            f"{off_a_line(values, times):.0%}",
            " · ".join(f"{one.peak:.0f}" for one in found),
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def plot(measured: Points, target: Path) -> None:
    """Draw time and memory against each quantity."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "turngrade", "svg.fonttype": "none", "font.size": 9})
    from matplotlib import pyplot

    grey, blue = "#808080", "#4c78a8"  # of which both can be read on white and on black
    for setting in ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"):
        matplotlib.rcParams[setting] = grey
    figure, rows = pyplot.subplots(2, len(AXES), figsize=(10, 4.4), sharex="col", layout="constrained")
    for column, (name, (quantity, values)) in enumerate(AXES.items()):
        found = [measured[load] for load in loads(quantity, values)]
        times = [one.cpu / found[0].cpu for one in found]
        slope, intercept = linear_regression(values, times)
        upper, lower = rows[0][column], rows[1][column]
        upper.plot(
            [0, values[-1]], [intercept, intercept + slope * values[-1]], "--", color=grey, linewidth=1
        )
        upper.plot(values, times, "o", color=blue)
        lower.plot(values, [one.peak for one in found], "o-", color=blue)
        upper.set_ylim(bottom=0)
        lower.set_ylim(bottom=0, top=110)
        lower.set_xlabel(name)
    rows[0][0].set_ylabel("time, × the first")
    rows[1][0].set_ylabel("peak memory, MB")
    figure.savefig(target, transparent=True, metadata={"Date": None})


def main() -> None:
    """Measure, and write the table and the plot into the page."""
    parser = argparse.ArgumentParser(description="How time and memory grow.")
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    if find_spec("matplotlib") is None:
        parser.error("the plot needs matplotlib: pip install matplotlib")
    measured = points(options.rounds)
    print(json.dumps([{**asdict(load), "cpu": one.cpu, "peak": one.peak} for load, one in measured.items()]))
    plot(measured, PLOT)
    write_into(PAGE, "growth", table(measured))


if __name__ == "__main__":
    main()
