"""Grading on a local Ray cluster of several nodes: the same rows as one process, none twice, none missing.

``TURNGRADE_RAY_TRANSCRIPTS=200000`` makes it large.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from turngrade.core import Transcript, Unreadable, batch_grader, load_spec, transcript_table

ray = pytest.importorskip("ray")
pytest.importorskip("ray.cluster_utils")  # without Ray, the folder of this test is found as "ray"

from turngrade.adapters.cli.app import run  # noqa: E402
from turngrade.adapters.ray import grade_dataset, grade_shards  # noqa: E402

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

SPEC: dict[str, Any] = {
    "graders": [
        {"type": "transcript-not-matches", "config": {"pattern": r"(?i)\brefund\b"}},
        {"type": "output-contains", "config": {"value": "order"}},
    ],
    "limits": {"timeout": 600},  # of the clock: a busy machine would give other verdicts
}
COUNT = int(os.environ.get("TURNGRADE_RAY_TRANSCRIPTS", "2000"))
FILES = 40
BLOCKS = 40


def texts_of(number: int) -> list[str]:
    refund = "your refund 😀" if number % 3 == 0 else "no news"
    return [f"step {number}", refund, f"order {number}" * (number % 2)]


def transcript(number: int) -> Transcript:
    return Transcript.from_texts(texts_of(number), id=str(number), source="made")


def slowly(block: Any) -> Any:
    """Give a node time to die in the middle."""
    time.sleep(0.2)
    return block


def read_slowly(source: str) -> Iterator[Transcript | Unreadable]:
    """Numbers from a file."""
    for line in Path(source).read_text().splitlines():
        yield transcript(int(line))
    time.sleep(0.2)


def kill_a_node(cluster: Any) -> None:
    cluster.remove_node(cluster.list_all_nodes()[-1], allow_graceful=False)
    assert len(cluster.list_all_nodes()) == 2


def in_order(rows: list[dict[str, Any]]) -> list[str]:
    return sorted(json.dumps(row, sort_keys=True) for row in rows)


def numbers_in(folder: Path) -> list[str]:
    """Files of numbers."""
    for part in range(FILES):
        numbers = range(part * COUNT // FILES, (part + 1) * COUNT // FILES)
        (folder / f"{part:02}.txt").write_text("\n".join(map(str, numbers)))
    return [str(path) for path in sorted(folder.glob("*.txt"))]


def test_a_dataset_gives_the_rows_of_one_process_although_a_node_dies(cluster: Any) -> None:
    table = transcript_table(transcript(number) for number in range(COUNT))
    expected = batch_grader(SPEC)(table).to_pylist()
    size = COUNT // BLOCKS
    dataset = ray.data.from_arrow([table.slice(at, size) for at in range(0, COUNT, size)])
    slow = dataset.map_batches(slowly, batch_format="pyarrow", batch_size=None)
    rows: list[dict[str, Any]] = []
    for batch in grade_dataset(slow, SPEC, workers=(1, 3)).iter_batches(batch_format="pyarrow"):
        if not rows:
            kill_a_node(cluster)
        rows.extend(batch.to_pylist())
    assert in_order(rows) == in_order(expected)


def test_files_are_graded_once_each_although_a_node_dies_and_a_rerun_skips_them(
    cluster: Any, tmp_path: Path
) -> None:
    sources = numbers_in(tmp_path)
    spec, folder = load_spec(SPEC), tmp_path / "out"
    results = []
    for result in grade_shards(sources, spec, folder, read=read_slowly, workers=(1, 3)):
        results.append(result)
        if len(results) == FILES // 4:
            kill_a_node(cluster)
    assert sorted(result.source for result in results) == sources
    assert sorted(result.output for result in results) == sorted(map(str, folder.glob("*.jsonl")))
    rows = [json.loads(line) for path in folder.glob("*.jsonl") for line in path.read_text().splitlines()]
    assert in_order(rows) == in_order([spec.grade(transcript(n)).to_dict() for n in range(COUNT)])
    Path(results[0].output).unlink()
    again = list(grade_shards(sources, spec, folder, read=read_slowly, workers=1))
    assert [result.source for result in again if not result.skipped] == [results[0].source]
    assert len(again) == FILES


def test_the_command_line_gives_the_bytes_of_one_process(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("spec.json").write_text(json.dumps(SPEC))
    Path("chats").mkdir()
    for part in range(5):
        rows = (
            {"id": f"{part}-{n}", "messages": [{"role": "assistant", "content": t} for t in texts_of(n)]}
            for n in range(20)
        )
        Path(f"chats/{part}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    Path("chats/broken.json").write_text('{"messages": ')
    Path("chats/empty.jsonl").touch()
    outputs = ("jsonl", "csv", "parquet")

    def graded(folder: str, *more: str) -> tuple[int, str]:
        Path(folder).mkdir(exist_ok=True)
        files = [part for suffix in outputs for part in ("-o", f"{folder}/grades.{suffix}")]
        code = run(["grade", "spec.json", "chats", "--show", "none", "-q", *files, *more])
        return code, capsys.readouterr().err

    one = graded("one")
    assert graded("many", "--engine", "ray") == one == (3, one[1])
    for suffix in outputs:
        assert Path(f"many/grades.{suffix}").read_bytes() == Path(f"one/grades.{suffix}").read_bytes()
    shards = {path.name: path.stat().st_mtime_ns for path in Path("many/grades.jsonl.shards").iterdir()}
    assert sum(name.endswith(".incomplete.jsonl") for name in shards) == 1
    assert len(shards) == 7
    Path("chats/broken.json").write_text(json.dumps({"messages": []}))
    assert graded("many", "--engine", "ray")[0] == 1
    again = {path.name: path.stat().st_mtime_ns for path in Path("many/grades.jsonl.shards").iterdir()}
    assert sum(again.get(name) == time for name, time in shards.items()) == 7
    assert len(again) == 8
