"""``grade -j N``: the same bytes as with one process, and nothing lost when a process is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.support import Command, Result, said

from turngrade.adapters.cli import crew, parallel
from turngrade.adapters.cli.entries import Job, Share
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
    monkeypatch.setattr(crew, "KEPT", 1)
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


def test_a_large_file_is_shared(
    turngrade: Command, write: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Its end is broken; the next file has one chunk and no second one."""
    large = write("large.jsonl", [said(str(number), f"text {number}") for number in range(200)])
    with large.open("a") as file:
        file.write('{"messages": \n')
    write("small.jsonl", [said("last", "text 7")])
    expected = turngrade("grade", "spec.json", "large.jsonl", "small.jsonl", "-q", "-o", "-")
    shares: list[Any] = []
    begin = crew._Worker.begin

    def noted(worker: Any, shard: Any) -> None:
        shares.append(shard.share)
        begin(worker, shard)

    monkeypatch.setattr(crew._Worker, "begin", noted)
    monkeypatch.setattr(parallel, "LARGE", 1000)
    for kept in (crew.KEPT, 1):
        monkeypatch.setattr(crew, "KEPT", kept)
        shares.clear()
        shared = turngrade("grade", "spec.json", "large.jsonl", "small.jsonl", "-q", "-o", "-", "-j", "3")
        assert shared == expected
        assert sorted((share.index, share.of) for share in shares) == [(0, 1), (0, 3), (1, 3), (2, 3)]
    assert len(expected.rows) == 202


def test_files_of_one_size_and_exports_are_not_shared(
    files: list[str], write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parallel, "LARGE", 100)
    rows = [said(str(number), "text") for number in range(50)]
    same = [SourceFile(str(path), path) for path in (write(f"{n}.jsonl", rows) for n in range(4))]
    assert all(shares == [Share()] for shares in parallel._shares(same, 2).values())
    assert parallel._shares(same[:1], 2) == {same[0]: [Share(0, 2), Share(1, 2)]}
    export = Path(__file__).parents[1] / "data" / "langsmith" / "exports" / "runs_v1.jsonl"
    runs = SourceFile(str(export), export)
    assert parallel._shares([runs], 2) == {runs: [Share()]}


def test_a_share_that_is_lost_costs_its_file_alone(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "LARGE", 1000)
    begin = crew._Worker.begin

    def killed(worker: Any, shard: Any) -> None:
        begin(worker, shard)
        if shard.share == Share(1, 2):
            os.kill(worker.process.pid, signal.SIGKILL)

    monkeypatch.setattr(crew._Worker, "begin", killed)
    large = write("large.jsonl", [said(str(number), "text 7") for number in range(300)])
    small = write("small.jsonl", [said("last", "text 7")])
    sources = [SourceFile(str(path), path) for path in (large, small)]
    graded = [list(entries) for _, entries in streams(Job(load_spec(SPEC)), sources, 2)]
    last = graded[0][-1]
    assert not isinstance(last, Notice)
    assert last[0].error == "the process that read it ended; is there enough memory?"
    assert len(graded[1]) == 1


def children_of(pid: int) -> list[int]:
    """The processes that a process has started and that are still there."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def is_alive(pid: int) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_call_that_is_ended_leaves_no_process(
    signum: signal.Signals, write: Write, environment: dict[str, str]
) -> None:
    rows = [said(str(number), "text 7 " * 200) for number in range(1000)]
    for number in range(8):
        write(f"many/{number}.jsonl", rows)
    command = [sys.executable, "-m", "turngrade.adapters.cli", "grade", "spec.json", "many", "-j", "2", "-q"]
    with subprocess.Popen(
        command, env=environment, stderr=subprocess.PIPE, start_new_session=True
    ) as process:
        while len(children := children_of(process.pid)) < 3:  # two workers, and Python's own tracker
            assert process.poll() is None
            time.sleep(0.01)
        if signum == signal.SIGINT:
            os.killpg(process.pid, signum)  # as a terminal does
        else:
            process.send_signal(signum)
        _, err = process.communicate(timeout=60)
    assert signum == signal.SIGKILL or err.strip() == b"interrupted"
    deadline = time.monotonic() + 60
    while any(map(is_alive, children)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(is_alive, children))


def test_a_process_that_is_killed_costs_its_file_alone(
    files: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = crew._Worker.begin

    def killed(worker: Any, shard: Any) -> None:
        begin(worker, shard)
        if shard.source.name.endswith("3.jsonl"):
            os.kill(worker.process.pid, signal.SIGKILL)

    monkeypatch.setattr(crew._Worker, "begin", killed)
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
