from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from turngrade.adapters.plain import is_messages, read_transcripts
from turngrade.core import Transcript, Unreadable


def conversation(id: Any, *texts: str, **more: Any) -> dict[str, Any]:
    return {"id": id, "messages": [{"role": "assistant", "content": text} for text in texts], **more}


def write(path: Path, *values: Any) -> Path:
    path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    return path


def outline(path: Path) -> list[tuple[str | None, str | None] | str]:
    return [
        (item.id, item.output) if isinstance(item, Transcript) else item.message
        for item in read_transcripts(path)
    ]


def test_one_conversation_a_line(tmp_path: Path) -> None:
    path = write(tmp_path / "chats.jsonl", conversation("a", "x", "y"), conversation(7, "z"))
    assert outline(path) == [("a", "y"), ("7", "z")]
    assert {item.source for item in read_transcripts(path)} == {str(path)}
    assert is_messages(path)


def test_a_conversation_without_an_id_gets_its_number(tmp_path: Path) -> None:
    path = write(tmp_path / "chats.jsonl", {"messages": []}, conversation(None, "x"), conversation("c", "y"))
    assert outline(path) == [("1", None), ("2", "x"), ("c", "y")]


def test_metadata_is_carried_over(tmp_path: Path) -> None:
    path = write(
        tmp_path / "chats.jsonl",
        conversation("a", "x", metadata={"stimulus": "s"}),
        conversation("b", metadata=3),
    )
    assert [item.metadata for item in read_transcripts(path) if isinstance(item, Transcript)] == [
        {"stimulus": "s"},
        {},
    ]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".txt"])
@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ([conversation("a", "x"), conversation("b", "y")], [("a", "x"), ("b", "y")]),
        (conversation("a", "x"), [("a", "x")]),
        ([{"role": "user", "content": "q"}, {"role": "assistant", "content": "x"}], [("1", "x")]),
        ([], []),
    ],
)
def test_one_json_document(
    tmp_path: Path, document: Any, expected: list[Any], suffix: str, indent: int | None
) -> None:
    path = tmp_path / f"chats{suffix}"
    path.write_text(json.dumps(document, indent=indent), encoding="utf-8")
    assert outline(path) == expected


def test_blank_lines_a_bom_and_crlf_are_read_past(tmp_path: Path) -> None:
    path = tmp_path / "chats.jsonl"
    lines = [
        b"",
        json.dumps(conversation("a", "x")).encode(),
        b"   ",
        json.dumps(conversation("b", "y")).encode(),
    ]
    path.write_bytes(b"\xef\xbb\xbf" + b"\r\n".join(lines))
    assert outline(path) == [("a", "x"), ("b", "y")]
    assert is_messages(path)


def test_an_empty_file_has_no_transcripts(tmp_path: Path) -> None:
    path = write(tmp_path / "chats.jsonl")
    assert outline(path) == []
    assert not is_messages(path)


def test_a_lone_surrogate_comes_through(tmp_path: Path) -> None:
    path = tmp_path / "chats.jsonl"
    path.write_text(
        '{"id": "a", "messages": [{"role": "assistant", "content": "\\ud83d"}]}', encoding="utf-8"
    )
    assert outline(path) == [("a", "\ud83d")]


def test_faulty_lines_are_told_in_their_place_and_the_rest_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "chats.jsonl"
    lines = [
        '{"id": "a", "messages": [}',
        json.dumps(conversation("b", "x")),
        '{"id": "c", "text": "x"}',
        '"d"',
        '{"id": "e", "messages": "x"}',
        '{"id": "f", "messages": [{"role": "assistant", "content": 1}]}',
        json.dumps(conversation("g", "y")),
        '{"id": "h", "mess',
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    shape = 'expected {"id": …, "messages": [{"role": …, "content": …}]}, not'
    assert outline(path) == [
        "line 1: not JSON: Expecting value at column 26",
        ("b", "x"),
        f"line 3: {shape} an object with the keys id, text",
        f"line 4: {shape} a string",
        "line 5: messages: expected a list of messages, not a string",
        "line 6: messages[0].content: expected a string, a list of parts or null, not a number",
        ("g", "y"),
        "line 8: not JSON: Unterminated string starting at at column 13; the file seems to be cut off",
    ]
    assert [item.id for item in read_transcripts(path) if isinstance(item, Unreadable)] == [
        None,
        "c",
        None,
        "e",
        "f",
        None,
    ]


def test_a_faulty_item_of_a_list_does_not_hide_the_others(tmp_path: Path) -> None:
    path = tmp_path / "chats.json"
    path.write_text(
        json.dumps([conversation("a", "x"), 5, conversation("c", "y")], indent=1), encoding="utf-8"
    )
    found = outline(path)
    assert (found[0], found[2]) == (("a", "x"), ("c", "y"))
    assert "not a number" in str(found[1])


def test_a_document_that_is_cut_off_is_one_fault(tmp_path: Path) -> None:
    path = tmp_path / "chats.json"
    path.write_text(json.dumps([conversation("a", "x")] * 3, indent=2)[:-20], encoding="utf-8")
    assert outline(path) == [
        "not JSON: Expecting ',' delimiter at line 25 column 23; the file seems to be cut off"
    ]
    assert is_messages(path)


def test_deep_nesting_and_binary_are_told(tmp_path: Path) -> None:
    deep = tmp_path / "deep.json"
    deep.write_text("[" * 200_000, encoding="utf-8")
    binary = tmp_path / "binary.jsonl"
    binary.write_bytes(b'{"id": "a", "messages": "\xff\xfe"}\n' + json.dumps(conversation("b", "x")).encode())
    assert outline(deep) == ["not read: its JSON is nested too deeply"]
    assert outline(binary) == ["line 1: not UTF-8 text (byte 26); save the file as UTF-8", ("b", "x")]


def test_a_file_that_cannot_be_opened_is_unreadable(tmp_path: Path) -> None:
    missing = tmp_path / "missing.jsonl"
    assert outline(missing) == ["cannot be read: No such file or directory"]
    assert not is_messages(missing)
    assert outline(tmp_path) == ["cannot be read: Is a directory"]


def test_reading_is_lazy(tmp_path: Path) -> None:
    path = write(tmp_path / "chats.jsonl", conversation("a", "x"))
    with path.open("a", encoding="utf-8") as file:
        file.write("x" * 10_000_000)
    assert next(read_transcripts(path)).id == "a"


@pytest.mark.parametrize("text", ["[1, 2]", '{"a": 1}', "text", '"messages"', "{\n", "[]"])
def test_other_files_are_not_taken_for_message_lists(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(text, encoding="utf-8")
    assert not is_messages(path)


def test_a_first_line_longer_than_what_is_sniffed(tmp_path: Path) -> None:
    path = write(tmp_path / "chats.jsonl", conversation("a", "x" * (2 << 20)))
    assert is_messages(path)
    assert os.path.getsize(path) > 1 << 21


def test_ids_that_are_no_strings_are_written_as_in_json(tmp_path: Path) -> None:
    path = tmp_path / "ids.jsonl"
    path.write_text(
        "".join(f'{{"id": {id}, "messages": []}}\n' for id in ("true", "false", "7", "1.5", '"x"'))
    )
    assert [item.id for item in read_transcripts(path)] == ["true", "false", "7", "1.5", "x"]
