"""How much of the work is done: by bytes, never less than before, and all of it at the end."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.cli.support import said

from turngrade.adapters.cli.extent import Extent
from turngrade.adapters.cli.reading import read
from turngrade.adapters.cli.sources import Notice, Project, SourceFile
from turngrade.core import Transcript, Unreadable

Write = Callable[..., Path]
DATA = Path(__file__).parents[1] / "data"


def source(path: Path) -> SourceFile:
    return SourceFile(str(path), path)


def parts_of(path: Path, *, by_thread: bool = False) -> tuple[list[float], list[float]]:
    """All parts that were told, and the one that held when each transcript came."""
    told: list[float] = []
    at: list[float] = []
    for item in read(source(path), by_thread=by_thread, on_read=told.append):
        assert isinstance(item, Transcript | Unreadable)
        at.append(told[-1])
    return told, at


def files(write: Write) -> Iterator[Path]:
    chats = [said(str(number), f"text {number}" * 50) for number in range(20)]
    yield write("chats.jsonl", chats)
    yield write("chats.json", {"messages": chats[0]["messages"]})
    yield write("list.json", "[" + ", ".join(map(str, chats)).replace("'", '"') + "]")
    yield from (DATA / "inspect" / name for name in ("epochs.eval", "inspect-0.3.260.eval"))
    yield DATA / "inspect" / "inspect-0.3.260.json"
    exports = DATA / "langsmith" / "exports"
    yield from (exports / name for name in ("runs_v1.jsonl", "runs_v2.jsonl", "bulk_export_like.parquet"))
    yield from (DATA / "langsmith" / name for name in ("langchain_batch.json", "gemini_chat.json"))


def test_every_reader_tells_parts_that_rise_to_1(write: Write) -> None:
    for path in files(write):
        told, at = parts_of(path)
        assert told == sorted(told), path
        assert told[0] > 0, path
        assert told[-1] == pytest.approx(1.0), path
        assert len(at) == len(set(at)) or path.suffix == ".json", path


def test_a_part_is_that_of_the_bytes(write: Write) -> None:
    rows = [said("long", "x" * 100_000), *(said(str(number), "short") for number in range(100))]
    _, at = parts_of(write("chats.jsonl", rows))
    assert 0.8 < at[0] < 0.95


def large_logs(folder: Path) -> Iterator[Path]:
    """The log of one sample, with 60 like it, in both of Inspect's formats."""
    header = json.loads((DATA / "inspect" / "inspect-0.3.260.json").read_text(encoding="utf-8"))
    sample = header.pop("samples")[0]
    samples = [{**sample, "id": number, "metadata": {"filler": "x" * 40_000}} for number in range(60)]
    yield folder / "large.json"
    (folder / "large.json").write_text(json.dumps({**header, "samples": samples}, indent=2), encoding="utf-8")
    yield folder / "large.eval"
    with zipfile.ZipFile(folder / "large.eval", "w") as archive:
        archive.writestr("header.json", json.dumps(header))
        for number, sample in enumerate(samples):
            archive.writestr(f"samples/{number}_epoch_1.json", json.dumps(sample))


def test_a_large_log_is_told_of_in_many_parts(tmp_path: Path) -> None:
    for path in list(large_logs(tmp_path)):
        told, at = parts_of(path)
        assert len(at) == 60
        assert len(set(told)) > 2, path
        assert told == sorted(told)
        assert at[30] == pytest.approx(0.5, abs=0.25), path


def test_turns_are_one_half_of_threads(tmp_path: Path) -> None:
    shutil.copy(DATA / "langsmith" / "exports" / "runs_v2.jsonl", tmp_path)
    told, at = parts_of(tmp_path / "runs_v2.jsonl", by_thread=True)
    assert told == sorted(told)
    assert at[0] > 0.5
    assert told[-1] == 1.0


def test_sources_count_by_their_bytes(write: Write) -> None:
    large, small = source(write("large", b"x" * 899)), source(write("small", b"x" * 99))
    extent = Extent([large, small])
    assert extent.part == 0.0
    extent.begin(large)
    extent.read(large, 0.5)
    assert extent.part == pytest.approx(0.45)
    extent.read(small, 1.0)  # in another process
    extent.read(large, 0.25)
    assert extent.part == pytest.approx(0.55)
    extent.begin(small)
    assert extent.part == 0.99  # read, and not yet all graded
    assert extent.ended == 1
    extent.end()
    assert (extent.part, extent.ended) == (1.0, 2)


def test_a_source_of_unknown_size_counts_as_the_mean(write: Write) -> None:
    known, unknown = source(write("known", b"x" * 99)), source(Path("nowhere"))
    extent = Extent([known, unknown])
    extent.read(known, 1.0)
    assert extent.part == pytest.approx(0.5)


def test_a_limit_may_end_the_work_before_the_sources_do(write: Write) -> None:
    only = source(write("chats", b"x" * 1000))
    extent = Extent([only], limit=4)
    extent.begin(only)
    extent.read(only, 0.01)
    extent.transcripts = 3
    assert extent.part == 0.75


def test_nobody_knows_how_much_a_project_holds() -> None:
    project = Project("langsmith:mine")
    extent = Extent([project])
    extent.begin(project)
    assert extent.part is None
    extent.end()
    assert extent.part == 1.0
    limited = Extent([project], limit=10)
    limited.transcripts = 1
    assert limited.part == 0.1


def test_what_holds_nothing_is_some_work_too() -> None:
    notices = [Notice("a", "holds nothing"), Notice("b", "holds nothing")]
    extent = Extent(notices)
    extent.begin(notices[0])
    extent.begin(notices[1])
    assert extent.part == 0.5
    assert Extent([]).part == 1.0
