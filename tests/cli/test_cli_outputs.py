from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.support import GOOD, Command, said

Write = Callable[..., Path]

BAD_ROW = {
    "source": "chats.jsonl",
    "id": "bad",
    "epoch": None,
    "passed": False,
    "score": 1 / 3,
    "verdicts": [
        {
            "name": "no-refund-promise",
            "type": "transcript-not-matches",
            "status": "fail",
            "passed": False,
            "score": 0.0,
            "evidence": "transcript matches pattern /(?i)refund (is|was) (approved|issued)/",
            "reason": None,
            "hits": [
                {
                    "message_index": 0,
                    "message_id": None,
                    "agent": None,
                    "field": "text",
                    "start": 5,
                    "end": 23,
                    "match": "refund is approved",
                    "groups": ["is", "approved"],
                }
            ],
            "matched": 1,
        },
        {
            "name": "order-id",
            "type": "output-matches",
            "status": "fail",
            "passed": False,
            "score": 0.0,
            "evidence": "Output does not match pattern /ORD-\\d{6}/",
            "reason": None,
            "hits": [],
            "matched": 0,
        },
        {
            "name": "polite",
            "type": "contains",
            "status": "pass",
            "passed": True,
            "score": 1.0,
            "evidence": "'please' found in output",
            "reason": None,
            "hits": [
                {
                    "message_index": None,
                    "message_id": None,
                    "agent": None,
                    "field": "text",
                    "start": 0,
                    "end": 6,
                    "match": "Please",
                    "groups": [],
                }
            ],
            "matched": 1,
        },
    ],
}


def rows(path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


@pytest.mark.usefixtures("spec", "chats")
class TestJsonLines:
    def test_a_row_for_each_transcript(self, turngrade: Command) -> None:
        result = turngrade("grade", "spec.yaml", "chats.jsonl", "-o", "out.jsonl")
        good, bad = rows("out.jsonl")
        assert bad == BAD_ROW
        assert list(bad) == list(BAD_ROW)
        assert (good["id"], good["passed"], good["score"]) == ("good", True, 1.0)
        assert "no-refund-promise" in result.out

    def test_rows_on_stdout_take_the_place_of_the_table(self, turngrade: Command) -> None:
        result = turngrade("grade", "spec.yaml", "chats.jsonl", "-o", "-", "-o", "out.jsonl")
        assert result.rows == rows("out.jsonl")
        assert "2 transcripts" in result.err

    def test_what_could_not_be_read_is_a_row_with_its_error(self, turngrade: Command) -> None:
        turngrade("grade", "spec.yaml", "nowhere.eval", "-o", "out.jsonl")
        assert rows("out.jsonl") == [
            {
                "source": "nowhere.eval",
                "id": None,
                "epoch": None,
                "passed": False,
                "score": 0.0,
                "verdicts": [],
                "error": "no such file or folder",
            }
        ]

    def test_every_character_survives(self, turngrade: Command, write: Write) -> None:
        text = "thanks \ud83d \u2028 \x00 \U0001f600 ORD-123456 é"
        write("spec.json", {"graders": [{"type": "transcript-matches", "config": {"pattern": "(?s).+"}}]})
        write("odd.jsonl", [said("\ud83d", text), said("é", text.replace("\ud83d", ""))])
        turngrade("grade", "spec.json", "odd.jsonl", "-o", "out.jsonl")
        first, second = rows("out.jsonl")
        assert first["id"] == "\ud83d"
        assert first["verdicts"][0]["hits"][0]["match"] == text
        assert '"id": "é"' in Path("out.jsonl").read_text(encoding="utf-8")
        assert second["verdicts"][0]["hits"][0]["match"] == text.replace("\ud83d", "")

    def test_a_call_that_grades_nothing_writes_an_empty_file(self, turngrade: Command) -> None:
        Path("nothing").mkdir()
        assert turngrade("grade", "spec.yaml", "nothing", "-o", "out.jsonl").code == 5
        assert Path("out.jsonl").read_bytes() == b""


@pytest.mark.usefixtures("spec", "chats")
class TestFilesAppearWholeOrNotAtAll:
    def test_a_new_file_has_the_mode_of_new_files(self, turngrade: Command) -> None:
        before = os.umask(0o027)
        try:
            turngrade("grade", "spec.yaml", "chats.jsonl", "-o", "out.jsonl")
        finally:
            os.umask(before)
        assert stat.S_IMODE(Path("out.jsonl").stat().st_mode) == 0o640

    def test_a_file_that_is_there_keeps_its_mode_and_its_link(self, turngrade: Command, write: Write) -> None:
        write("kept/old.jsonl", "old").chmod(0o600)
        Path("out.jsonl").symlink_to("kept/old.jsonl")
        turngrade("grade", "spec.yaml", "chats.jsonl", "-o", "out.jsonl")
        assert Path("out.jsonl").is_symlink()
        assert len(rows("kept/old.jsonl")) == 2
        assert stat.S_IMODE(Path("kept/old.jsonl").stat().st_mode) == 0o600
        assert os.listdir("kept") == ["old.jsonl"]

    def test_a_device_is_written_to_as_it_is(self, turngrade: Command) -> None:
        Path("null.jsonl").symlink_to("/dev/null")
        assert turngrade("grade", "spec.yaml", "chats.jsonl", "-o", "null.jsonl").code == 1
        assert not Path("/dev/null").is_file()

    def test_a_full_disk_is_an_error_and_leaves_what_was_there(
        self, turngrade: Command, write: Write
    ) -> None:
        write("old.jsonl", "old")
        Path("full.jsonl").symlink_to("/dev/full")
        result = turngrade("grade", "spec.yaml", "chats.jsonl", "-o", "old.jsonl", "-o", "full.jsonl")
        assert result.code == 3
        assert "full.jsonl: cannot be written: No space left on device" in result.err
        assert Path("old.jsonl").read_text() == "old"

    def test_an_interrupt_leaves_what_was_there(
        self, turngrade: Command, write: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        def interrupt(*_: Any) -> None:
            raise KeyboardInterrupt

        write("out.jsonl", "old")
        monkeypatch.setattr("turngrade.adapters.cli.outputs.jsonl.JsonLines.finish", interrupt)
        result = turngrade("grade", "spec.yaml", "chats.jsonl", "-o", "out.jsonl")
        assert (result.code, result.err.strip()) == (2, "interrupted")
        assert Path("out.jsonl").read_text() == "old"
        assert sorted(os.listdir(tmp_path)) == ["chats.jsonl", "out.jsonl", "spec.yaml"]


@pytest.mark.usefixtures("spec", "chats")
class TestOutputsThatCannotBe:
    @pytest.mark.parametrize(
        ("name", "problem"),
        [
            ("out.docx", "out.docx: the suffix says what is written, and must be one of .scores.jsonl"),
            ("out", "out: the suffix says what is written"),
            ("nowhere/out.jsonl", "nowhere/out.jsonl: cannot be written: No such file or directory"),
            ("s3://logs/o.jsonl", "s3://logs/o.jsonl: cannot be written: outputs are files on this machine"),
            ("folder.jsonl", "folder.jsonl: cannot be written: is a folder"),
            ("chats.jsonl", "chats.jsonl is read by the same call; write to another file"),
            ("./spec.yaml.jsonl", "is read by the same call"),
        ],
    )
    def test_are_bad_usage_before_any_work(self, turngrade: Command, name: str, problem: str) -> None:
        Path("folder.jsonl").mkdir()
        Path("spec.yaml.jsonl").symlink_to("spec.yaml")
        result = turngrade("grade", "spec.yaml", "chats.jsonl", "-o", "first.jsonl", "-o", name)
        assert (result.code, result.out) == (4, "")
        assert problem in " ".join(result.err.split())
        assert not Path("first.jsonl").exists()
        assert rows("chats.jsonl")[0] == GOOD


@pytest.mark.usefixtures("spec", "chats")
def test_a_library_that_is_missing_is_told_with_what_to_install(
    turngrade: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "turngrade.adapters.cli.outputs.parquet", raising=False)
    result = turngrade("grade", "spec.yaml", "chats.jsonl", "-o", "out.parquet")
    assert result.code == 4
    assert "out.parquet: cannot be written: " in " ".join(result.err.split())
    assert "pip install 'turngrade[parquet]'" in " ".join(result.err.split())
    assert not Path("out.parquet").exists()
