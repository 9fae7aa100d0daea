"""`.json` logs of every layout, whole and broken."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.inspect.archives import DATA, HEADER, read, sample, the_fault, transcripts

from turngrade.adapters.inspect import is_log, json_layout, json_log, read_transcripts
from turngrade.core.transcript import Transcript, Unreadable

LAYOUTS: dict[str, Callable[[dict[str, Any]], bytes]] = {
    "as Inspect writes": lambda log: json.dumps(log, indent=2).encode(),
    "not ASCII": lambda log: json.dumps(log, indent=2, ensure_ascii=False).encode(),
    "compact": lambda log: json.dumps(log, separators=(",", ":")).encode(),
    "one line": lambda log: json.dumps(log).encode(),
    "sorted": lambda log: json.dumps(log, indent=2, sort_keys=True).encode(),
    "indented by four": lambda log: json.dumps(log, indent=4).encode(),
    "indented by tabs": lambda log: json.dumps(log, indent="\t").encode(),
    "with a byte order mark": lambda log: b"\xef\xbb\xbf" + json.dumps(log, indent=2).encode(),
    "Windows line ends": lambda log: json.dumps(log, indent=2).replace("\n", "\r\n").encode(),
    "samples first": lambda log: json.dumps({"samples": log["samples"], **log}, indent=2).encode(),
}

TEXTS = ['}, {"id": 1}, ]', '\n  "samples": [\n    {', "\n    }\n  ]", "é 🙂 \u2028", "plain"]
"""What agents said: among it what looks like the structure of a log."""


def log_of(*samples: Any, **fields: Any) -> dict[str, Any]:
    return {**HEADER, "samples": list(samples), "reductions": [{"samples": []}], **fields}


@pytest.fixture(params=LAYOUTS)
def dump(request: pytest.FixtureRequest) -> Callable[[dict[str, Any]], bytes]:
    return LAYOUTS[request.param]


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def texts(path: Path) -> list[str]:
    return [message.text for transcript in transcripts(path) for message in transcript.messages]


def test_layouts(tmp_path: Path, dump: Callable[[dict[str, Any]], bytes]) -> None:
    log = log_of(*(sample(text, id=number) for number, text in enumerate(TEXTS)))
    path = write(tmp_path / "x.json", dump(log))
    assert texts(path) == TEXTS
    assert is_log(path)


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Logs are read in chunks of 1 MiB; here of less than a sample has, so that none needs to be big."""
    for module in (json_layout, json_log):
        monkeypatch.setattr(module, "CHUNK", 1000)


def test_samples_larger_than_a_chunk(
    tmp_path: Path, small_chunks: None, dump: Callable[[dict[str, Any]], bytes]
) -> None:
    long = ["é" * 1500, "x" * 5000, "short", *TEXTS]
    log = log_of(*(sample(text, id=number) for number, text in enumerate(long)))
    assert texts(write(tmp_path / "x.json", dump(log))) == long


def test_what_is_legal_in_logs_only(tmp_path: Path, dump: Callable[[dict[str, Any]], bytes]) -> None:
    if dump is LAYOUTS["not ASCII"]:
        pytest.skip("a lone surrogate has no UTF-8")
    odd = sample("half \ud83d", id=2, scores={"s": {"value": float("nan")}}, store={"x": float("inf")})
    log = log_of(sample("one", id=1), odd, sample("three", id=3), results={"x": float("nan")})
    assert texts(write(tmp_path / "x.json", dump(log))) == ["one", "half \ud83d", "three"]


def test_a_sample_of_another_shape_leaves_the_others(
    tmp_path: Path, dump: Callable[[dict[str, Any]], bytes]
) -> None:
    log = log_of(sample("one", id=1), {"id": 2, "epoch": 1, "messages": 7}, 5, sample("four", id=4))
    first, second, third, fourth = read(write(tmp_path / "x.json", dump(log)))
    assert isinstance(first, Transcript)
    assert isinstance(second, Unreadable)
    assert (second.id, second.epoch) == ("2", 1)
    assert second.message.startswith("samples[1]: not the shape of an Inspect sample")
    assert isinstance(third, Unreadable)
    assert third.message == "samples[2]: a sample must be a JSON object, not a number"
    assert isinstance(fourth, Transcript)


def test_a_log_cut_short_anywhere_gives_its_whole_samples(
    tmp_path: Path, dump: Callable[[dict[str, Any]], bytes]
) -> None:
    whole = dump(log_of(*(sample(text, id=number) for number, text in enumerate(TEXTS))))
    path = tmp_path / "x.json"
    counts = []
    for length in [*range(1, len(whole) - 3, 97), len(whole) - 3]:
        rows = read(write(path, whole[:length]))
        good = [row for row in rows if isinstance(row, Transcript)]
        assert [row.messages[0].text for row in good] == TEXTS[: len(good)]
        assert isinstance(rows[-1], Unreadable)
        counts.append(len(good))
    assert counts == sorted(counts)
    assert counts[-1] == len(TEXTS)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the file is empty"),
        (b"  \n", "not an Inspect log: no JSON object"),
        (b"[1, 2]", "not an Inspect log: no JSON object"),
        (b'"text"', "not an Inspect log: no JSON object"),
        (b"{}", "not an Inspect log: it has no `eval`"),
        (b'{"runs": []}', "not an Inspect log: it has no `eval`"),
        (
            b'{"eval": {"task": "x"}, "samples": {}, "results": {"completed_samples": 2}}',
            "without its samples",
        ),
        (
            b'{"eval": {"task": "x"}, "samples": null, "results": {"completed_samples": 2}}',
            "without its samples",
        ),
        (b'{"eval" 5}', "a key without a value"),
        (b'{"eval": nonsense}', "broken JSON"),
        (b'{"a": ' + b"[" * 100_000, "broken JSON"),
        (b'{"a": ' + b"9" * 5000 + b"}", "broken JSON"),
        (b'{"a": "\xff\xfe"}', "not UTF-8"),
        ('{"eval": {}}'.encode("utf-16"), "not UTF-8"),
        (b"\x00\x01\x02\x03", "not an Inspect log"),
    ],
)
def test_what_is_no_log(tmp_path: Path, data: bytes, message: str) -> None:
    assert message in the_fault(write(tmp_path / "x.json", data)).message


def test_a_log_of_a_run_that_failed_before_its_first_sample_is_empty(tmp_path: Path) -> None:
    log = {**HEADER, "status": "error", "results": None, "samples": []}
    assert read(write(tmp_path / "x.json", json.dumps(log, indent=2).encode())) == []


@pytest.mark.parametrize("layout", ["as Inspect writes", "compact"])
def test_memory_does_not_grow_with_the_number_of_samples(
    tmp_path: Path, small_chunks: None, layout: str
) -> None:
    peaks = []
    for count in (10, 100):
        log = log_of(*(sample("x" * 20_000, id=number) for number in range(count)))
        path = write(tmp_path / "x.json", LAYOUTS[layout](log))
        tracemalloc.start()
        assert sum(1 for _ in read_transcripts(path)) == count
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.3 * peaks[0]


@pytest.mark.parametrize(
    "start",
    [
        b'{"id": "1", "run_type": "llm", "inputs": {}}',
        b'{"status": "success", "inputs": {"eval": "x"}, "task": 1}',
        b'[{"version": 2, "eval": {"task": "x"}}]',
        b"not JSON",
        b"",
    ],
)
def test_other_files_are_told_from_logs(tmp_path: Path, start: bytes) -> None:
    assert not is_log(write(tmp_path / "x.json", start))
    assert not is_log(tmp_path)
    assert not is_log(tmp_path / "nowhere.json")
    assert is_log(write(tmp_path / "x.eval", start))


def test_an_archive_by_another_name_is_a_log(tmp_path: Path) -> None:
    path = write(tmp_path / "x.json", (DATA / "plain.eval").read_bytes())
    assert is_log(path)
    assert texts(path) == ["hello world"]


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (None, "null"),
        (True, "true"),
        (1.5, "a number"),
        ("text", "a string"),
        ([], "a list"),
    ],
)
def test_what_is_no_sample_is_named_in_the_words_of_json(tmp_path: Path, value: Any, kind: str) -> None:
    (row,) = read(write(tmp_path / "x.json", json.dumps(log_of(value)).encode()))
    assert isinstance(row, Unreadable)
    assert row.message == f"samples[0]: a sample must be a JSON object, not {kind}"


@pytest.mark.parametrize("fields", [{"id": 1}, {"id": 1, "epoch": 1}, {"id": 1, "epoch": 1, "events": []}])
def test_an_object_without_messages_and_output_is_no_sample(
    tmp_path: Path, fields: dict[str, Any], dump: Callable[[dict[str, Any]], bytes]
) -> None:
    first, second = read(write(tmp_path / "x.json", dump(log_of(fields, sample("said")))))
    assert isinstance(first, Unreadable)
    assert (first.id, first.epoch) == ("1", 1)
    assert first.message == "samples[0]: not a sample: no messages and no output"
    assert isinstance(second, Transcript)


def test_a_sample_that_ended_before_anything_was_said_is_one(tmp_path: Path) -> None:
    nothing = {"id": 1, "epoch": 1, "messages": [], "output": None}
    (row,) = transcripts(write(tmp_path / "x.json", json.dumps(log_of(nothing)).encode()))
    assert (row.messages, row.output) == ((), None)
