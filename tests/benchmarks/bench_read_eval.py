"""How fast `.eval` logs are read, against decompressing them and against Inspect's own reader."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.benchmarks.fresh import Call, Measured, measure
from tests.benchmarks.logs import FOLDER, big_log
from tests.benchmarks.table import Row

DATA = Path(__file__).parents[1] / "data" / "inspect"
WARM_UP = {".eval": DATA / "plain.eval", ".json": DATA / "inspect-0.3.260.json"}
FEWER = 4
TURNS, CHARS = 30, 2000


def way(name: str, log: Path | str, one_in: int = 1) -> Call:
    """A function of `ways`, to be measured on a log."""
    warm_up = WARM_UP.get(Path(log).suffix, WARM_UP[".eval"])
    return Call("tests.benchmarks.ways", name, (str(log),), (str(warm_up),), one_in)


def rows(*, small: bool, folder: Path = FOLDER) -> list[Row]:
    """The figures: time against both, and memory."""
    samples, rounds = (40, 2) if small else (500, 6)
    log, fewer = (big_log(count, TURNS, CHARS, folder=folder) for count in (samples, samples // FEWER))
    found = measure(
        {
            "decompress": way("decompress", log),
            "turngrade": way("turngrade", log),
            "inspect": way("inspect", log, one_in=rounds),
            "fewer": way("turngrade", fewer),
        },
        rounds,
    )
    ours, inspect, counted = found["turngrade"], found["inspect"], agreed(found, "turngrade", "inspect")
    pure, scarce = found["decompress"], found["fewer"]
    return [
        Row("read .eval, scope run : decompress it", ours.cpu / pure.cpu, "x", 4, counted=counted),
        Row("read_eval_log : read .eval, scope run", inspect.cpu / ours.cpu, "x", 15, 25, at_least=True),
        Row("peak memory of reading .eval", ours.peak, "MB", 100),
        Row(f"peak memory : with 1/{FEWER} of the samples", ours.peak / scarce.peak, "x", 1.1),
    ]


def agreed(found: Mapping[str, Measured], *names: str) -> str:
    """What several ways counted, all the same."""
    first, *others = (found[name].counted for name in names)
    assert all(other == first for other in others), {name: found[name].counted for name in names}
    samples, messages, characters = first
    return f"{samples} samples, {messages} messages, {characters / 1e6:.1f} M characters"
