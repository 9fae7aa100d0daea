"""Grading on a local Ray cluster of several nodes: the same rows as one process, none twice, none missing."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from turngrade.core import Transcript, Unreadable, batch_grader, load_spec, transcript_table

ray = pytest.importorskip("ray")
pytest.importorskip("ray.cluster_utils")  # without Ray, the folder of this test is found as "ray"

from ray.cluster_utils import Cluster  # noqa: E402

from turngrade.adapters.ray import grade_dataset, grade_shards, shard_path  # noqa: E402

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

SPEC: dict[str, Any] = {
    "graders": [
        {"type": "transcript-not-matches", "config": {"pattern": r"(?i)\brefund\b"}},
        {"type": "output-contains", "config": {"value": "order"}},
    ]
}
COUNT = int(os.environ.get("TURNGRADE_RAY_TRANSCRIPTS", "2000"))
FILES = 20


def transcript(number: int) -> Transcript:
    texts = [
        f"step {number}",
        "your refund" if number % 3 == 0 else "no news",
        f"order {number}" * (number % 2),
    ]
    return Transcript.from_texts(texts, id=str(number), source="made")


def read_slowly(source: str) -> Iterator[Transcript | Unreadable]:
    """Numbers from a file, slowly enough for a node to die in the middle."""
    for line in Path(source).read_text().splitlines():
        yield transcript(int(line))
    time.sleep(0.2)


@pytest.fixture
def cluster() -> Iterator[Any]:
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    for _ in range(2):
        made.add_node(num_cpus=1)
    ray.init(address=made.address, log_to_driver=False, logging_level="ERROR")
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield made
    ray.shutdown()
    made.shutdown()


def kill_a_node_soon(cluster: Any, seconds: float) -> threading.Thread:
    def kill() -> None:
        time.sleep(seconds)
        cluster.remove_node(cluster.list_all_nodes()[-1], allow_graceful=False)

    thread = threading.Thread(target=kill)
    thread.start()
    return thread


def in_order(rows: list[dict[str, Any]]) -> list[str]:
    return sorted(json.dumps(row, sort_keys=True) for row in rows)


def test_a_dataset_gives_the_rows_of_one_process_although_a_node_dies(cluster: Any) -> None:
    table = transcript_table(transcript(number) for number in range(COUNT))
    expected = batch_grader(SPEC)(table).to_pylist()
    dataset = ray.data.from_arrow([table.slice(at, 100) for at in range(0, COUNT, 100)])
    killer = kill_a_node_soon(cluster, 3)
    rows = grade_dataset(dataset, SPEC, workers=(1, 3)).take_all()
    killer.join()
    assert in_order(rows) == in_order(expected)


def test_files_are_graded_once_each_although_a_node_dies_and_a_rerun_skips_them(
    cluster: Any, tmp_path: Path
) -> None:
    for part in range(FILES):
        numbers = range(part * COUNT // FILES, (part + 1) * COUNT // FILES)
        (tmp_path / f"{part}.txt").write_text("\n".join(map(str, numbers)))
    sources = [str(path) for path in sorted(tmp_path.glob("*.txt"))]
    spec, folder = load_spec(SPEC), tmp_path / "out"
    killer = kill_a_node_soon(cluster, 3)
    results = list(grade_shards(sources, spec, folder, read=read_slowly, workers=(1, 3)))
    killer.join()
    assert sorted(result.source for result in results) == sources
    rows = [json.loads(line) for path in folder.glob("*.jsonl") for line in path.read_text().splitlines()]
    assert in_order(rows) == in_order([spec.grade(transcript(n)).to_dict() for n in range(COUNT)])
    shard_path(folder, sources[0], spec).unlink()
    again = {r.source: r.skipped for r in grade_shards(sources, spec, folder, read=read_slowly, workers=1)}
    assert [source for source, skipped in again.items() if not skipped] == [sources[0]]
    assert not list(folder.glob("*.part"))
