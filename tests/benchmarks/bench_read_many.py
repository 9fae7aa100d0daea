"""How fast a folder of a thousand logs is read, and a log on a web server, by ranges."""

from __future__ import annotations

from pathlib import Path

from tests.benchmarks.bench_read_eval import CHARS, TURNS, agreed, way
from tests.benchmarks.fresh import measure
from tests.benchmarks.logs import FOLDER, big_log, many_logs
from tests.benchmarks.table import Row
from tests.benchmarks.web import Web


def rows(*, small: bool, folder: Path = FOLDER) -> list[Row]:
    """The figures: time against Inspect's reader and against one log, and what goes over the wire."""
    return [*_folder(small, folder), *_remote(small, folder)]


def _folder(small: bool, folder: Path) -> list[Row]:
    logs, samples, rounds = (50, 2, 2) if small else (1000, 2, 4)
    many = many_logs(big_log(samples, 5, 500, folder=folder), logs)
    one = big_log(logs * samples, 5, 500, folder=folder)
    found = measure(
        {
            "turngrade": way("turngrade", many),
            "inspect": way("inspect", many, one_in=rounds),
            "one": way("turngrade", one),
        },
        rounds,
    )
    ours = found["turngrade"]
    return [
        Row(
            f"read_eval_log : read a folder of {logs} small logs",
            found["inspect"].cpu / ours.cpu,
            required=15,
            goal=25,
            at_least=True,
            counted=agreed(found, "turngrade", "inspect"),
        ),
        Row(f"folder of {logs} logs : the same samples in one", ours.cpu / found["one"].cpu),
        Row("peak memory of reading the folder", ours.peak, "MB", 100),
    ]


def _remote(small: bool, folder: Path) -> list[Row]:
    log = big_log(20 if small else 500, TURNS, CHARS, folder=folder)
    with Web(log.parent) as web:
        found = measure({"local": way("turngrade", log), "remote": way("turngrade", web.url(log))}, 2)
        fetched = web.sent / 2
    return [
        Row(
            "read .eval from a web server : from the disk",
            found["remote"].cpu / found["local"].cpu,
            counted=agreed(found, "local", "remote"),
        ),
        Row("bytes fetched by ranges : bytes of the log", fetched / log.stat().st_size, required=1.1),
        Row("peak memory of reading it from there", found["remote"].peak, "MB", 100),
    ]
