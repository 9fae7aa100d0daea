"""Parquet files of conversations: the same transcripts as from JSON Lines, and as went into a table."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from turngrade.adapters.plain import is_messages, parquet, read_transcripts
from turngrade.core import (
    AssistantMessage,
    Transcript,
    Unreadable,
    arrow,
    transcript_table,
    transcripts_of,
)

CHATS: list[dict[str, Any]] = [
    {
        "id": "a",
        "messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "😀 hello"}],
    },
    {"id": None, "messages": [{"role": "assistant", "content": None, "refusal": "No."}]},
    {"id": "c", "messages": [{"role": "wizard", "content": "x"}]},
    {"id": "d", "messages": []},
    {"id": "e", "messages": None},
]


def written(path: Path, table: pa.Table, **options: Any) -> str:
    pq.write_table(table, path, **options)
    return str(path)


def test_conversations_are_those_of_json_lines(tmp_path: Path) -> None:
    lines = tmp_path / "chats.jsonl"
    lines.write_text("".join(json.dumps(chat) + "\n" for chat in CHATS), "utf-8")
    file = written(tmp_path / "chats.parquet", pa.Table.from_pylist(CHATS))
    assert is_messages(file)
    read = list(read_transcripts(file))
    expected = [replace(item, source=file) for item in read_transcripts(lines)]
    assert [type(item) for item in read] == [type(item) for item in expected]
    for item, other in zip(read, expected, strict=True):
        if isinstance(item, Unreadable):
            assert isinstance(other, Unreadable)
            assert item.message in other.message
        else:
            assert item == other


def test_transcripts_come_back_from_their_table(tmp_path: Path) -> None:
    transcripts: list[Transcript | Unreadable] = [
        Transcript.from_texts(["one", "two"], id="1", source="a.eval"),
        Transcript((AssistantMessage("x", 0, agent="sub", raw_text="y"),), None, id="2", source="b", epoch=3),
        Unreadable("c", "is torn", id="3"),
    ]
    file = written(tmp_path / "t.parquet", transcript_table(transcripts), row_group_size=2)
    assert list(read_transcripts(file)) == transcripts


def test_rows_without_id_and_source_get_them(tmp_path: Path) -> None:
    file = written(tmp_path / "t.parquet", pa.table({"messages": [["one"], ["two"]], "more": [1, 2]}))
    assert [(t.id, t.source) for t in read_transcripts(file)] == [("1", file), ("2", file)]


def test_long_rows_are_read_a_few_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []

    def counted(batch: Any) -> Any:
        sizes.append(batch.num_rows)
        return transcripts_of(batch)

    monkeypatch.setattr(parquet, "transcripts_of", counted)
    monkeypatch.setattr(arrow, "CHUNK_BYTES", 10_000)
    rows = [[f"{number} {'x' * 3000}"] for number in range(10)]
    file = written(tmp_path / "t.parquet", pa.table({"messages": rows}))
    assert [t.messages[0].text for t in read_transcripts(file) if isinstance(t, Transcript)] == [
        row[0] for row in rows
    ]
    assert sizes == [2] * 5


def test_the_part_that_is_read_is_told(tmp_path: Path) -> None:
    file = written(tmp_path / "t.parquet", pa.table({"messages": [["a"]] * 4}))
    told: list[float] = []
    list(read_transcripts(file, on_read=told.append))
    assert told == [0.25, 0.5, 0.75, 1.0]


def test_columns_of_another_kind_are_told(tmp_path: Path) -> None:
    file = written(tmp_path / "t.parquet", pa.table({"messages": [1, 2]}))
    (item,) = read_transcripts(file)
    assert isinstance(item, Unreadable)
    assert "the column 'messages' must be a list of strings" in item.message


def test_a_damaged_file_gives_what_is_before_the_damage(tmp_path: Path) -> None:
    rows = [[f"{number} {'x' * 500}"] for number in range(1000)]
    options = {"row_group_size": 100, "compression": "none", "use_dictionary": False}
    file = written(tmp_path / "t.parquet", pa.table({"messages": rows}), **options)
    data = bytearray(Path(file).read_bytes())
    middle = len(data) // 2
    data[middle : middle + 60_000] = b"\xff" * 60_000
    Path(file).write_bytes(data)
    items = list(read_transcripts(file))
    good = [item for item in items if isinstance(item, Transcript)]
    assert [t.messages[0].text for t in good] == [row[0] for row in rows[: len(good)]]
    assert 100 <= len(good) < 1000
    assert isinstance(items[-1], Unreadable)
    assert "cannot be read to its end, row " in items[-1].message


def test_other_parquet_files_hold_no_messages(tmp_path: Path) -> None:
    assert not is_messages(written(tmp_path / "runs.parquet", pa.table({"id": ["a"], "inputs": ["{}"]})))
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(b"PAR1 and nothing more")
    assert not is_messages(broken)
