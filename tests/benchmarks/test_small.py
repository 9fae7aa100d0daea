"""The benchmarks with small logs: what is compared gives the same. How fast it is, `make bench` says."""

from __future__ import annotations

import importlib
import inspect
import json
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log
from tests.benchmarks import frameworks, growth, ways
from tests.benchmarks.__main__ import PREFIX, names
from tests.benchmarks.bench_grade import GRADERS
from tests.benchmarks.fresh import Call, Command, Measured, measure
from tests.benchmarks.logs import big_log, json_twin, many_logs
from tests.benchmarks.table import Row, markdown, write_into
from tests.benchmarks.web import Web

from turngrade.adapters.cli.app import run
from turngrade.adapters.inspect import read_transcripts, transcript_from_sample
from turngrade.core import Transcript, load_spec

COUNTED = (6, 30, 30 * 300)
"""Samples, messages, characters of the log."""


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return big_log(6, 5, 300, folder=tmp_path_factory.mktemp("benchmarks"))


def transcripts(log: Path) -> list[Transcript]:
    read = list(read_transcripts(log))
    assert all(isinstance(row, Transcript) for row in read)
    return [row for row in read if isinstance(row, Transcript)]


def test_every_way_counts_the_same(log: Path) -> None:
    twin = json_twin(log)
    assert ways.decompress(str(log)) == (COUNTED[0], 0, 0)
    assert ways.turngrade(str(log)) == ways.turngrade(str(twin)) == COUNTED
    assert ways.inspect(str(log)) == ways.inspect(str(twin)) == COUNTED
    assert ways.ijson_samples(str(twin)) == COUNTED
    assert ways.ijson_messages(str(twin)) == (0, *COUNTED[1:])


def test_transcripts_are_those_of_inspects_reader(log: Path) -> None:
    theirs = [
        transcript_from_sample(sample, source=str(log)) for sample in read_eval_log(str(log)).samples or []
    ]
    twin = json_twin(log)
    assert transcripts(log) == theirs
    for ours, expected in zip(transcripts(twin), theirs, strict=True):
        assert (ours.messages, ours.output) == (expected.messages, expected.output)


def test_a_folder_gives_what_its_logs_give(log: Path) -> None:
    assert ways.turngrade(str(many_logs(log, 3))) == tuple(3 * count for count in COUNTED)


def test_a_web_server_gives_what_the_disk_gives(log: Path) -> None:
    with Web(log.parent) as web:
        assert ways.turngrade(web.url(log)) == COUNTED
        assert web.sent <= 1.1 * log.stat().st_size
        asked = urllib.request.Request(web.url(log), headers={"Range": "bytes=2-5"})
        with urllib.request.urlopen(asked) as answer:
            assert (answer.status, answer.read()) == (206, log.read_bytes()[2:6])


def test_a_call_gives_the_verdicts_of_the_spec(log: Path, tmp_path: Path) -> None:
    spec = tmp_path / "spec.json"
    spec.write_text(json.dumps({"graders": GRADERS}), "utf-8")
    assert run(["grade", str(spec), str(log), "-o", str(tmp_path / "x.jsonl"), "--quiet"]) == 1
    rows = [json.loads(line) for line in (tmp_path / "x.jsonl").read_text("utf-8").splitlines()]
    expected = [load_spec(GRADERS).grade(transcript) for transcript in transcripts(log)]
    assert [row["verdicts"] for row in rows] == [
        json.loads(json.dumps(grade.to_dict()))["verdicts"] for grade in expected
    ]


def test_measuring_takes_the_best_of_each(log: Path, tmp_path: Path) -> None:
    counting = Call("tests.benchmarks.ways", "turngrade", (str(log),), warm_up=())
    found = measure({"call": counting, "command": Command(("turngrade", "--help"), tmp_path)}, 1)
    assert found["call"].counted == COUNTED
    assert found["call"].peak > 10
    assert 0 < found["command"].cpu < 60
    with pytest.raises(RuntimeError, match="exit code 4"):
        measure({"command": Command(("turngrade", "--nonsense"), tmp_path)}, 1)


def test_the_table_tells_how_figures_stand() -> None:
    rows = [
        Row("a : b", 3.456, required=4, goal=3, counted="5 samples"),
        Row("c : d", 61.26, required=15, goal=50, at_least=True),
        Row("e : f", 14.9, required=15, at_least=True),
        Row("memory", 123.4, "MB"),
    ]
    assert [row.standing for row in rows] == ["ok", "goal", "short", ""]
    assert markdown(rows).splitlines() == [
        "| what   | figure | required | goal   |       | counted   |",
        "| ------ | ------ | -------- | ------ | ----- | --------- |",
        "| a : b  | 3.46 x | ≤ 4 x    | ≤ 3 x  | ok    | 5 samples |",
        "| c : d  | 61.3 x | ≥ 15 x   | ≥ 50 x | goal  |           |",
        "| e : f  | 14.9 x | ≥ 15 x   |        | short |           |",
        "| memory | 123 MB |          |        |       |           |",
    ]


def test_a_part_of_a_page_is_replaced(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("a\n<!-- x: begin -->\nold\n<!-- x: end -->\nz\n", "utf-8")
    write_into(page, "x", "new\nlines")
    assert page.read_text("utf-8") == "a\n<!-- x: begin -->\nnew\nlines\n<!-- x: end -->\nz\n"
    with pytest.raises(ValueError, match="no part 'y'"):
        write_into(page, "y", "new")


def test_growth_is_told_as_ratios() -> None:
    def cost(load: growth.Load) -> Measured:
        seconds = 1 + 0.01 * (load.samples + load.turns + load.chars) + 0.001 * load.graders**2
        return Measured(seconds, seconds, peak=load.turns)

    measured = {
        load: cost(load)
        for quantity, values in growth.AXES.values()
        for load in growth.loads(quantity, values)
    }
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in growth.table(measured).splitlines()]
    off = {row[0]: int(row[3].removesuffix("%")) for row in rows[2:]}
    assert rows[2][:2] == ["samples", "50 · 100 · 200 · 400 · 800"]
    assert rows[2][2].startswith("1.0 · 1.0 · 1.1")
    assert rows[3][4] == "10 · 20 · 40 · 80 · 160"
    assert off["samples"] == off["turns a sample"] == off["characters a message"] == 0
    assert off["graders"] > 2


def test_the_graders_of_growth_are_as_many_as_asked_for() -> None:
    spec = load_spec(growth.spec(25))
    assert len({json.dumps(grader["config"]) for grader in growth.spec(25)}) == len(spec.graders) == 25


def test_every_benchmark_has_rows() -> None:
    for name in names():
        module = importlib.import_module(f"tests.benchmarks.{PREFIX}{name}")
        assert "small" in inspect.signature(module.rows).parameters


@pytest.mark.parametrize(
    "where",
    [
        frameworks.scorer,
        frameworks.evaluator,
        frameworks.evaluator_of_calls,
        frameworks.evaluator_of_loop,
    ],
)
def test_a_framework_grades_every_message(where: Callable[[int], tuple[int, int]]) -> None:
    cost, messages = where(2)
    assert cost > 0
    assert messages == 20


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_a_small_benchmark_runs(name: str) -> None:
    rows = importlib.import_module(f"tests.benchmarks.{PREFIX}{name}").rows(small=True)
    assert all(row.figure > 0 for row in rows)
