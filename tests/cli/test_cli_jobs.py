"""``grade -j N``: the same bytes as with one process, and nothing lost when a process is."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.support import Command, Result, said

from turngrade.adapters.cli import parallel
from turngrade.adapters.cli.entries import Job
from turngrade.adapters.cli.parallel import streams
from turngrade.adapters.cli.sources import Notice, Source, SourceFile, label_of
from turngrade.core import load_spec

Write = Callable[..., Path]

SPEC = {"graders": [{"type": "transcript-matches", "name": "seven", "config": {"pattern": r"\b\d*7\b"}}]}


@pytest.fixture(autouse=True)
def files(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Files of very different lengths, one of them empty and one broken."""
    monkeypatch.chdir(tmp_path)
    write("spec.json", SPEC)
    for number, count in enumerate((300, 2, 0, 40, 1, 17)):
        rows = [said(f"{number}-{row}", f"text {row}") for row in range(count)]
        write(f"chats/{number}.jsonl", rows)
    write("chats/broken.json", '{"messages": ')
    return sorted(str(path) for path in Path("chats").iterdir())


def test_the_bytes_are_those_of_one_process(turngrade: Command) -> None:
    def graded(jobs: int) -> tuple[Result, list[bytes]]:
        names = [f"{jobs}.{suffix}" for suffix in ("csv", "xml", "html", "md")]
        outputs = [part for name in names for part in ("-o", name)]
        result = turngrade("grade", "spec.json", "chats", "-j", str(jobs), "-q", "-o", "-", *outputs)
        return result, [Path(name).read_bytes() for name in names[:2]]

    one, many = graded(1), graded(3)
    assert many == one
    assert one[0].code == 3
    assert len(one[0].rows) == 361
    assert "chats/2.jsonl: holds no transcripts" in one[0].err


def test_limit_and_redaction_are_those_of_one_process(turngrade: Command) -> None:
    options = ("--limit", "302", "--redact", "-o", "-", "-q")
    one = turngrade("grade", "spec.json", "chats", *options)
    assert turngrade("grade", "spec.json", "chats", "-j", "2", *options) == one
    assert len(one.rows) == 302
    assert "[seven: 1 character]" in one.out


def test_all_files_come_in_order_with_little_memory(
    files: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parallel, "KEPT", 1)
    sources: list[Source] = [SourceFile(name, Path(name)) for name in files]
    sources.insert(2, Notice("folder", "holds nothing"))
    job = Job(load_spec(SPEC))
    kept = []
    for (source, entries), (again, alone) in zip(
        streams(job, sources, 3), streams(job, sources, 1), strict=True
    ):
        assert source == again
        assert list(entries) == list(alone)
        kept.append(source)
    assert kept == sources


def test_a_process_that_is_killed_costs_its_file_alone(
    files: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = parallel._Worker.begin

    def killed(worker: Any, shard: Any) -> None:
        begin(worker, shard)
        if shard.source.name.endswith("3.jsonl"):
            os.kill(worker.process.pid, signal.SIGKILL)

    monkeypatch.setattr(parallel._Worker, "begin", killed)
    sources = [SourceFile(name, Path(name)) for name in files]
    counts = {}
    errors: dict[str, str] = {}
    for source, entries in streams(Job(load_spec(SPEC)), sources, 2):
        graded = [entry[0] for entry in entries if not isinstance(entry, Notice)]
        counts[label_of(source)] = len(graded)
        errors[label_of(source)] = " ".join(grade.error for grade in graded if grade.error)
    assert "the process that read it ended" in errors["chats/3.jsonl"]
    assert counts["chats/0.jsonl"] == 300
    assert counts["chats/5.jsonl"] == 17


def test_no_process_is_left(files: list[str]) -> None:
    sources = [SourceFile(name, Path(name)) for name in files]
    graded = streams(Job(load_spec(SPEC)), sources, 2)
    _, entries = next(graded)
    next(entries)
    from multiprocessing import active_children

    assert len(active_children()) == 2
    graded.close()
    assert active_children() == []
