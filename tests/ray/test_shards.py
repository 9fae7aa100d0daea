"""What a worker does with one source; no cluster is needed for it."""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from turngrade.adapters.ray.shards import DONE, INCOMPLETE, ShardActor, _Grading, shard_name
from turngrade.adapters.ray.storage import Folder
from turngrade.core import Transcript, Unreadable, load_spec

pytest.importorskip("fsspec")

SPEC = load_spec([{"type": "transcript-not-contains", "config": {"value": "refund"}}])
OTHER = load_spec([{"type": "transcript-not-contains", "config": {"value": "promise"}}])


def read(source: str) -> Iterator[Transcript | Unreadable]:
    for line in Path(source).read_text("utf-8").splitlines():
        yield Unreadable(source, "is torn") if line == "torn" else Transcript.from_texts([line])


@pytest.fixture
def source(tmp_path: Path) -> str:
    (tmp_path / "run.txt").write_text("a refund\n😀\n", "utf-8")
    return str(tmp_path / "run.txt")


def graded(source: str, folder: Folder) -> dict[str, Any]:
    actor = pickle.loads(pickle.dumps(ShardActor(_Grading(SPEC, read), folder)))
    row: dict[str, Any] = actor({"name": "run-1", "source": pickle.dumps(source)})
    return row


def test_a_shard_has_a_row_for_each_grade(source: str, tmp_path: Path) -> None:
    folder = Folder(str(tmp_path / "out"))
    folder.make()
    assert graded(source, folder) == {
        "name": "run-1",
        "output": f"run-1{DONE}",
        "fault": None,
        "failure": None,
    }
    with folder.open(f"run-1{DONE}") as file:
        rows = [json.loads(line) for line in file]
    assert rows == [SPEC.grade(transcript).to_dict() for transcript in read(source)]


def test_a_source_that_was_not_all_read_has_a_shard_that_is_not_done(source: str, tmp_path: Path) -> None:
    folder = Folder(str(tmp_path / "out"))
    folder.make()
    whole = Path(source).read_text("utf-8")
    Path(source).write_text(f"torn\n{whole}", "utf-8")
    assert graded(source, folder)["output"] == f"run-1{INCOMPLETE}"
    assert folder.names() == {f"run-1{INCOMPLETE}"}
    Path(source).write_text(whole, "utf-8")
    assert graded(source, folder)["output"] == f"run-1{DONE}"
    assert folder.names() == {f"run-1{DONE}"}


def test_a_folder_that_is_not_there_is_told(source: str, tmp_path: Path) -> None:
    row = graded(source, Folder(str(tmp_path / "out")))
    assert row["fault"] == "No such file or directory"


def test_a_reader_that_fails_is_told_and_leaves_no_shard(tmp_path: Path) -> None:
    folder = Folder(str(tmp_path / "out"))
    folder.make()
    (tmp_path / "run.txt").write_bytes(b"\xff")
    row = graded(str(tmp_path / "run.txt"), folder)
    assert row["fault"] is None
    assert row["failure"].startswith("UnicodeDecodeError: ")
    assert folder.names() == frozenset()


def test_the_name_of_a_shard_depends_on_all_that_decides_its_rows(source: str) -> None:
    names = [shard_name(source, SPEC), shard_name(source, OTHER), shard_name(source, SPEC, True)]
    os.utime(source, (1, 1))
    names.append(shard_name(source, SPEC))
    assert len(set(names)) == len(names)
    assert all(name.startswith("run-") for name in names)
    assert shard_name(source, SPEC) == names[-1]


@pytest.mark.parametrize(
    ("source", "stem"),
    [
        ("s3://bucket/a/run [1]*.eval", "run_1_"),
        ("https://host/run.eval?X-Amz-Credential=AKIA&X-Amz-Signature=abc", "run"),
        ("/data/" + "\U00020000" * 60 + ".eval", "\U00020000" * 50),
        ("s3://bucket", "bucket"),
        ("?", "shard"),
    ],
)
def test_the_name_of_a_shard_is_one_of_a_file(source: str, stem: str) -> None:
    name = shard_name(source, SPEC)
    assert name.rpartition("-")[0] == stem
    assert len(f"{name}{INCOMPLETE}".encode()) <= 255
