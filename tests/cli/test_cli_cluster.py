"""``grade --engine ray`` as far as it goes without a cluster: options, rows of shards, faults."""

from __future__ import annotations

import json
import pickle
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.support import SPEC, Command, said

from turngrade.adapters.cli.cluster import Cluster, _entry, _Rows, outside
from turngrade.adapters.cli.entries import Job
from turngrade.adapters.cli.sources import Notice, Source, SourceFile
from turngrade.core import load_spec

Write = Callable[..., Path]
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (["--address", "auto"], "--address goes with --engine ray"),
        (["--shards", "there"], "--shards goes with --engine ray"),
        (["--engine", "spark", "-o", "a.jsonl"], "'spark' is not 'ray'"),
        (["--engine", "ray"], "say where: -o FILE or --shards"),
        (["--engine", "ray", "-o", "-"], "say where: -o FILE or --shards"),
        (["--engine", "ray", "-o", "a.jsonl", "-j", "2"], "--engine ray and -j exclude each other"),
        (["--engine", "ray", "-o", "a.jsonl", "--write-back"], "--engine ray and --write-back exclude"),
        (["--engine", "ray", "-o", "a.html"], "--engine ray and -o FILE.html exclude each other"),
    ],
)
def test_options_that_do_not_go_together(
    options: list[str], fault: str, turngrade: Command, write: Write
) -> None:
    write("spec.yaml", SPEC)
    result = turngrade("grade", "spec.yaml", "chats", *options)
    assert result.code == 4
    assert fault in " ".join(result.err.split())


def test_ray_that_is_missing_is_told_before_any_work(
    turngrade: Command, write: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    write("spec.yaml", SPEC)
    write("chats.jsonl", [said("a", "text")])
    result = turngrade("grade", "spec.yaml", "chats.jsonl", "--engine", "ray", "-o", "a.jsonl")
    assert result.code == 4
    assert "pip install 'turngrade[ray]'" in " ".join(result.err.split())
    assert not (tmp_path / "a.jsonl").exists()


@pytest.mark.parametrize("redact", [False, True])
def test_the_rows_of_a_shard_are_the_grades(redact: bool) -> None:
    job = Job(load_spec(EXAMPLES / "no-pii.yaml"), redact=redact)
    rows = pickle.loads(pickle.dumps(_Rows(job)))
    count = 0
    for path in sorted((EXAMPLES / "logs").iterdir()):
        source = SourceFile(str(path), path)
        entries = [_entry(json.loads(json.dumps(row))) for row in rows(source)]
        expected = list(job.entries(source))
        assert [e if isinstance(e, Notice) else e[0] for e in entries] == [
            e if isinstance(e, Notice) else e[0] for e in expected
        ]
        count += len(entries)
    assert count > 5


def test_halves_of_characters_and_notices_come_back(tmp_path: Path, write: Write) -> None:
    spec = load_spec([{"type": "transcript-matches", "config": {"pattern": "."}}])
    path = tmp_path / write("half.jsonl", '{"messages": [{"role": "ai", "content": "\\ud83d"}]}')
    (row,) = map(dict, _Rows(Job(spec))(SourceFile("half.jsonl", path)))
    entry = _entry(json.loads(json.dumps(row)))
    assert not isinstance(entry, Notice)
    assert entry[0].verdicts[0].hits[0].match == "\ud83d"
    blank = tmp_path / write("blank.jsonl", "")
    (row,) = map(dict, _Rows(Job(spec))(SourceFile("blank.jsonl", blank)))
    assert _entry(row) == Notice("blank.jsonl", "holds no transcripts")


def test_a_file_that_the_worker_has_not_is_an_error_row() -> None:
    spec = load_spec([{"type": "transcript-matches", "config": {"pattern": "."}}])
    (row,) = _Rows(Job(spec))(SourceFile("chats.jsonl", Path("/no/such/chats.jsonl")))
    assert row["source"] == "chats.jsonl"
    assert row["error"].startswith("is not on the machine that was to grade it")


def test_shards_in_a_folder_that_is_graded_are_no_sources(tmp_path: Path) -> None:
    inside, beside = tmp_path / "a.shards" / "x.jsonl", tmp_path / "a.shards2.jsonl"
    sources: list[Source] = [SourceFile(str(path), path) for path in (inside, beside)]
    assert outside(sources, Cluster(None, str(tmp_path / "a.shards"))) == sources[1:]
    stored = [
        SourceFile(url, tmp_path, url=url) for url in ("s3://b/a.shards/x.jsonl", "s3://b/a.shards.jsonl")
    ]
    assert outside(stored, Cluster(None, "s3://b/a.shards/")) == stored[1:]
    assert outside([Notice("a", "b")], Cluster(None, "a")) == [Notice("a", "b")]
