"""`.eval` archives as they come: of every compression, in progress, updated, damaged and hostile."""

from __future__ import annotations

import json
import random
import struct
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import inspect_ai._util.zipfile as inspect_zip
import pytest
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.log._recorders.chunked import convert_eval_logs_to_chunked
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver
from isal import isal_zlib
from tests.inspect.archives import (
    DATA,
    HEADER,
    ZSTD,
    Row,
    log_with,
    members,
    read,
    sample,
    the_fault,
    transcripts,
    write,
)
from tests.inspect.mocking import mock, says

from turngrade.adapters.inspect import deflate, read_transcripts
from turngrade.adapters.inspect.archive import Member, Unpacker
from turngrade.adapters.inspect.archive import members as directory
from turngrade.adapters.inspect.problems import InvalidLog
from turngrade.core.transcript import Transcript, Unreadable


def texts(path: Path) -> list[str]:
    return [message.text for transcript in transcripts(path) for message in transcript.messages]


# --- compression and layout


@pytest.fixture(params=["isal", "zlib"])
def zlib_in_use(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fast package, and the standard library's module, which takes its place where there is no wheel."""
    monkeypatch.setattr(deflate, "ENGINE", isal_zlib if request.param == "isal" else zlib)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, ZSTD])
def test_compressions(tmp_path: Path, zlib_in_use: None, method: int) -> None:
    assert texts(log_with(tmp_path / "x.eval", sample("hé 🙂"), method=method)) == ["hé 🙂"]


def test_members_of_several_zstd_frames(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inspect_zip, "_MAX_INPUT_PER_FRAME", 1000)
    long = " ".join(str(number) for number in range(5000))
    path = log_with(tmp_path / "x.eval", sample(long), method=ZSTD)
    with path.open("rb") as file:
        data = file.read()
    assert data.count(b"\x28\xb5\x2f\xfd") > 10
    assert texts(path) == [long]


def test_a_member_that_is_written_again_counts_as_it_is_last(tmp_path: Path) -> None:
    name = "samples/a_epoch_1.json"
    parts = [(name, json.dumps(sample("old")).encode()), (name, json.dumps(sample("new")).encode())]
    assert texts(write(tmp_path / "x.eval", parts)) == ["new"]


@pytest.mark.parametrize("id", ["s/2", "a/../../b", "x_epoch_3", "ü 🙂", "sample", 7])
def test_ids_of_any_kind(tmp_path: Path, id: int | str) -> None:
    (transcript,) = transcripts(log_with(tmp_path / "x.eval", sample(id=id, epoch=2)))
    assert (transcript.id, transcript.epoch) == (str(id), 2)


def test_samples_come_by_epoch_and_id(tmp_path: Path) -> None:
    keys = [(10, 1), (9, 1), (9, 2), (100, 1), (10, 2)]
    path = log_with(tmp_path / "x.eval", *(sample(id=id, epoch=epoch) for id, epoch in keys))
    found = [(transcript.epoch, transcript.id) for transcript in transcripts(path)]
    assert found == [(1, "9"), (1, "10"), (1, "100"), (2, "9"), (2, "10")]


def test_metadata_is_kept(tmp_path: Path) -> None:
    (transcript,) = transcripts(log_with(tmp_path / "x.eval", sample(metadata={"stimulus": "greeting"})))
    assert transcript.metadata == {"stimulus": "greeting"}


def test_the_json_of_one_sample_is_in_memory_at_a_time(tmp_path: Path) -> None:
    size = 4_000_000
    samples = (sample(f"text {number}", id=number, store={"x": "y" * size}) for number in range(3))
    path = log_with(tmp_path / "x.eval", *samples, method=ZSTD)
    tracemalloc.start()
    assert [row.id for row in read_transcripts(path)] == ["0", "1", "2"]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1.5 * size


# --- what is legal in logs and not in JSON


@scorer(metrics=[mean()])
def unscored() -> Scorer:
    async def execute(state: TaskState, target: Target) -> Score:
        return Score.unscored(reason="no reason")

    return execute


def test_scores_that_are_no_number(tmp_path: Path) -> None:
    (log,) = eval(
        Task(dataset=[Sample(input="x", id="a")], solver=generate(), scorer=unscored()),
        model=mock([says("hello")]),
        log_dir=str(tmp_path),
        display="none",
    )
    assert b"NaN" in members(Path(log.location))["samples/a_epoch_1.json"]
    assert texts(Path(log.location)) == ["hello"]


def test_lone_surrogates(tmp_path: Path) -> None:
    said, reference = "half an emoji \ud83d", "attachment://" + "a1" * 16
    assert texts(log_with(tmp_path / "x.eval", sample(said))) == [said]
    attached = sample(reference, attachments={"a1" * 16: said}, output=None)
    assert texts(log_with(tmp_path / "x.eval", attached)) == [said]


def test_fields_of_unknown_types_are_passed_over(tmp_path: Path) -> None:
    events = [
        {"event": "sandbox", "output": "a string", "action": "exec"},
        {"event": "of-the-future", "output": [1], "name": {"a": 1}, "span_id": 7},
        *sample()["events"],
        "no event",
    ]
    assert texts(log_with(tmp_path / "x.eval", sample(events=events))) == ["hello"]


def test_without_events_a_transcript_is_incomplete(tmp_path: Path) -> None:
    (transcript,) = transcripts(log_with(tmp_path / "x.eval", sample(events=[])))
    assert [message.text for message in transcript.messages] == ["hello"]
    assert transcript.incomplete == (
        "the sample holds no events, so messages outside its final conversation are unknown"
    )


def test_attachments_that_are_missing_make_a_transcript_incomplete(tmp_path: Path) -> None:
    reference = "attachment://" + "a1" * 16
    (whole,) = transcripts(
        log_with(tmp_path / "x.eval", sample(reference, attachments={"a1" * 16: "found"}, output=None))
    )
    assert [message.text for message in whole.messages] == ["found"]
    assert whole.incomplete is None
    (cut,) = transcripts(log_with(tmp_path / "x.eval", sample(reference)))
    assert [message.text for message in cut.messages] == [reference]
    assert cut.incomplete is not None
    assert "attachments that the sample does not hold" in cut.incomplete
    (quoted,) = transcripts(log_with(tmp_path / "x.eval", sample("attachment:// is a prefix")))
    assert quoted.incomplete is None


# --- logs that are not finished


def test_a_log_that_is_being_written(tmp_path: Path) -> None:
    seen: list[Row] = []

    @solver
    def looks() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            if state.sample_id == "c":
                (path,) = tmp_path.glob("*.eval")
                assert "header.json" not in members(path)
                seen.extend(read(path))
            return await generate(state)

        return solve

    eval(
        Task(dataset=[Sample(input="x", id=id) for id in "abc"], solver=looks()),
        model=mock([says("one"), says("two"), says("three")]),
        log_dir=str(tmp_path),
        display="none",
        max_samples=1,
        log_buffer=1,
    )
    assert [(row.id, isinstance(row, Transcript)) for row in seen] == [("a", True), ("b", True)]


def test_a_log_without_samples_says_so(tmp_path: Path) -> None:
    (log,) = eval(
        Task(dataset=[Sample(input="x", id="a")], solver=generate(), scorer=unscored()),
        model=mock([says("one")]),
        log_dir=str(tmp_path),
        display="none",
        log_samples=False,
    )
    assert "written without its samples" in the_fault(Path(log.location)).message


def test_a_log_whose_run_has_just_begun_is_empty(tmp_path: Path) -> None:
    start = {"version": 2, "eval": HEADER["eval"], "plan": {}}
    assert read(write(tmp_path / "x.eval", {"_journal/start.json": json.dumps(start).encode()})) == []
    failed = {**HEADER, "status": "error", "results": None}
    assert read(write(tmp_path / "y.eval", {"header.json": json.dumps(failed).encode()})) == []


def test_chunked_samples_are_refused_in_words(tmp_path: Path) -> None:
    convert_eval_logs_to_chunked(str(DATA / "epochs.eval"), str(tmp_path))
    rows = read(tmp_path / "epochs.eval")
    assert [(row.id, row.epoch) for row in rows] == [("a", 1), ("b", 1), ("a", 2), ("b", 2)]
    assert all(isinstance(row, Unreadable) and "stored in chunks" in row.message for row in rows)


# --- damage


def test_one_broken_sample_leaves_the_others(tmp_path: Path) -> None:
    path = log_with(tmp_path / "x.eval", sample("one", id="s0"), b'{"id": "s1", "epoch"', b"[1]", b"", b"{}")
    good, *broken = read(path)
    assert isinstance(good, Transcript)
    assert [(row.id, row.epoch) for row in broken] == [("s1", 1), ("s2", 1), ("s3", 1), ("s4", 1)]
    messages = [row.message for row in broken if isinstance(row, Unreadable)]
    assert messages[0].startswith("samples/s1_epoch_1.json: broken JSON: ")
    assert messages[1].endswith("a sample must be a JSON object, not a list")
    assert messages[3].endswith("it is not an Inspect sample")


@pytest.mark.parametrize(
    "data",
    [
        b'{"id": "a", "epoch": 1, "messages": 5}',
        b'{"id": "a", "epoch": 1, "metadata": [NaN]}',
        b'{"id": "a", "epoch": 1, "attachments": [1], "x": NaN}',
        b'{"id": "a", "epoch": 1, "events": {"a": 1}, "transcript": [1]}',
        b'{"id": "a", "epoch": 1, "x": ' + b"[" * 100_000,
        b'{"id": "a", "epoch": 1, "x": ' + b"9" * 5000 + b', "y": NaN}',
        b'{"id": "a", "epoch": 1, "messages": [{"role": "assistant", "content": {"a": 1}}]}',
        b'{"id": "\xff", "epoch": 1}',
    ],
)
def test_hostile_samples_are_told_not_raised(tmp_path: Path, data: bytes) -> None:
    (row,) = read(log_with(tmp_path / "x.eval", data))
    assert isinstance(row, Unreadable)
    assert row.id is not None


def test_spans_that_are_each_others_parents(tmp_path: Path) -> None:
    events = [
        {"event": "span_begin", "id": "a", "parent_id": "b", "type": "agent", "name": "A"},
        {"event": "span_begin", "id": "b", "parent_id": "a", "type": "agent", "name": "B"},
        {**sample()["events"][0], "span_id": "a"},
    ]
    assert texts(log_with(tmp_path / "x.eval", sample(events=events))) == ["hello"]


def test_an_archive_cut_short_anywhere_gives_its_whole_samples(tmp_path: Path) -> None:
    whole = (DATA / "epochs.eval").read_bytes()
    with (DATA / "epochs.eval").open("rb") as file:
        ends = [member.offset for member in directory(file)][2:6]
    path = tmp_path / "x.eval"
    for length in range(len(whole) // 50, len(whole), len(whole) // 50):
        path.write_bytes(whole[:length])
        *rows, fault = read(path)
        assert isinstance(fault, Unreadable)
        assert all(isinstance(row, Transcript) for row in rows)
        expected = sum(length >= end for end in ends)
        assert len(rows) == expected
        noun = "sample" if expected == 1 else "samples"
        assert f"; {expected} whole {noun} could be read" in fault.message


@pytest.mark.parametrize("name", ["epochs.eval", "inspect-0.3.142.eval"])
def test_flipped_bytes_are_noticed(tmp_path: Path, zlib_in_use: None, name: str) -> None:
    source = DATA / name
    whole = source.read_bytes()
    right = {(row.id, row.epoch): row.messages for row in transcripts(source)}
    path = tmp_path / "x.eval"
    chance = random.Random(4)
    faults = 0
    for _ in range(300):
        at = chance.randrange(len(whole))
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << chance.randrange(8)]) + whole[at + 1 :])
        for row in read(path):
            if isinstance(row, Unreadable):
                faults += 1
            else:
                # a flip in the directory may rename a sample, and never changes what it says
                assert row.messages in right.values()
    assert faults > 100


def _damage(path: Path, field: str, value: int) -> Path:
    """Change a field in the directory entry of the archive's second member."""
    offset = {"flags": 8, "method": 10, "crc": 16, "compressed": 20, "size": 24, "offset": 42}[field]
    data = bytearray(path.read_bytes())
    at = [i for i in range(len(data)) if data.startswith(b"PK\x01\x02", i)][1]
    struct.pack_into("<H" if field in ("flags", "method") else "<I", data, at + offset, value)
    path.write_bytes(bytes(data))
    return path


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, ZSTD])
@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("flags", 1, "the member is encrypted"),
        ("method", 14, "compressed by method 14, which Inspect does not use"),
        ("crc", 0, "its checksum does not match"),
        ("compressed", 1 << 20, "cut short within this member"),
        ("size", 10, "damaged member"),
        ("size", 1 << 20, "damaged member"),
        ("size", (1 << 31) - 1, "the member holds 2,147,483,647 bytes; the limit is 1,073,741,824"),
        ("offset", 3, "no header where the archive's directory says"),
    ],
)
def test_damaged_directories(
    tmp_path: Path, zlib_in_use: None, method: int, field: str, value: int, message: str
) -> None:
    path = _damage(log_with(tmp_path / "x.eval", sample(), method=method), field, value)
    (row,) = read(path)
    assert isinstance(row, Unreadable)
    assert message in row.message
    assert (row.id, row.epoch) == ("a", 1)


@pytest.mark.parametrize(
    "name", ["sbmples/b_epoch_1.json", "samples/a_epoch_1.json", "samples/c_epoch_1.json"]
)
def test_a_damaged_name_in_the_directory_is_told(tmp_path: Path, name: str) -> None:
    path = log_with(tmp_path / "x.eval", sample("one", id="a"), sample("two", id="b"))
    whole = path.read_bytes()
    at = whole.rindex(b"samples/b_epoch_1.json")
    path.write_bytes(whole[:at] + name.encode() + whole[at + len(name) :])
    rows = read(path)
    assert all(row.id == "a" for row in rows if isinstance(row, Transcript))
    told = [row.message for row in rows if isinstance(row, Unreadable)]
    assert told == [f"{name}: damaged member: its own header calls it 'samples/b_epoch_1.json'"]


def test_many_names_for_one_member_are_told(tmp_path: Path) -> None:
    path = log_with(tmp_path / "x.eval", sample("one", id="aa"), sample("two", id="bb"))
    whole = path.read_bytes()
    entry = whole.rindex(b"PK\x01\x02")
    data = bytearray(whole)
    data[entry + 42 : entry + 46] = struct.pack("<I", whole.index(b"PK\x03\x04", 10))  # where aa begins
    path.write_bytes(bytes(data))
    good, told = read(path)
    assert isinstance(good, Transcript)
    assert isinstance(told, Unreadable)
    assert "its own header calls it 'samples/aa_epoch_1.json'" in told.message


def _deflated(data: bytes) -> tuple[bytes, int]:
    packer = zlib.compressobj(9, wbits=-15)
    return packer.compress(data) + packer.flush(), zipfile.ZIP_DEFLATED


def _zstandard(data: bytes) -> tuple[bytes, int]:
    import zstandard

    packer = zstandard.ZstdCompressor().compressobj()
    return packer.compress(data) + packer.flush(), ZSTD


@pytest.mark.parametrize("pack", [_deflated, _zstandard])
def test_a_member_that_holds_far_more_than_it_claims(
    tmp_path: Path, zlib_in_use: None, pack: Callable[[bytes], tuple[bytes, int]]
) -> None:
    packed, method = pack(bytes(50_000_000))
    path = tmp_path / "x"
    header = struct.pack("<4s5H3I2H", b"PK\x03\x04", 20, 0, method, 0, 0, 0, len(packed), 1000, 1, 0)
    path.write_bytes(header + b"x" + packed)
    member = Member("x", 0, method, len(packed), 1000, 0)
    with path.open("rb") as file, pytest.raises(InvalidLog, match="damaged member"):
        Unpacker(file).read(member)


def test_a_zip_that_is_no_log(tmp_path: Path) -> None:
    path = write(tmp_path / "x.eval", {"readme.txt": b"hello"})
    assert the_fault(path).message == "a zip archive, but not an Inspect log"
    empty = write(tmp_path / "y.eval", {})
    assert the_fault(empty).message == "a zip archive, but not an Inspect log"
