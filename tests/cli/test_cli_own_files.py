"""What turngrade wrote earlier, and what is not what its name says, beside transcripts."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.support import BAD, GOOD, Command

Write = Callable[..., Path]

LOG = Path(__file__).parents[1] / "data" / "inspect" / "epochs.eval"
EXPORT = Path(__file__).parents[1] / "data" / "langsmith" / "exports" / "bulk_export_like.parquet"

MOVE = "move them elsewhere"
OURS = "verdicts that turngrade wrote, and no transcripts"


class TestResultsBesideTranscripts:
    @pytest.fixture(autouse=True)
    def results(self, turngrade: Command, write: Write, spec: Path, chats: Path) -> None:
        write("logs/chats.jsonl", [GOOD, BAD])
        Path("logs/out").mkdir()
        names = ("rows.jsonl", "rows.parquet", "out/alone.parquet")
        turngrade(
            "grade", "spec.yaml", "chats.jsonl", *(arg for name in names for arg in ("-o", f"logs/{name}"))
        )

    def test_are_skipped_and_told(self, turngrade: Command) -> None:
        result = turngrade("grade", "spec.yaml", "logs", "-o", "-")
        assert result.code == 1
        assert [row["source"] for row in result.rows] == ["logs/chats.jsonl"] * 2
        for name in ("rows.jsonl", "rows.parquet", "out/alone.parquet"):
            assert f"logs/{name}: skipped: {OURS}" in result.err

    @pytest.mark.parametrize("name", ["rows.jsonl", "rows.parquet"])
    def test_are_an_error_where_they_are_named(self, turngrade: Command, name: str) -> None:
        result = turngrade("grade", "spec.yaml", f"logs/{name}", "-o", "-")
        assert (result.code, [row["error"] for row in result.rows]) == (3, [f"holds {OURS}"])

    def test_a_row_longer_than_what_is_looked_at_first(self, turngrade: Command, write: Write) -> None:
        head = (
            '{"source": "x", "id": "1", "epoch": null, "passed": true, "score": 1.0, "verdicts": [{"name": "'
        )
        write("logs/long.jsonl", head + "x" * (1 << 20) + '"}]}\n')
        assert f"logs/long.jsonl: skipped: {OURS}" in turngrade("grade", "spec.yaml", "logs").err

    def test_among_the_files_of_an_export_they_stop_it(self, turngrade: Command) -> None:
        Path("bulk").mkdir()
        for name in ("a.parquet", "b.parquet"):
            shutil.copy(EXPORT, Path("bulk", name))
        assert turngrade("grade", "spec.yaml", "bulk", "-o", "-").rows[0]["source"] == "bulk"
        shutil.copy("logs/rows.parquet", "bulk")
        result = turngrade("grade", "spec.yaml", "bulk", "-o", "-")
        assert result.code == 3
        assert [(row["source"], row["error"]) for row in result.rows] == [
            (
                "bulk",
                "holds verdicts that turngrade wrote (rows.parquet) among the files of an export; " + MOVE,
            )
        ]


@pytest.mark.usefixtures("spec")
def test_the_copy_of_a_log_is_skipped_unless_it_is_named(turngrade: Command) -> None:
    Path("logs").mkdir()
    for name in ("epochs.eval", "epochs-graded.eval", "other-graded.eval"):
        shutil.copy(LOG, Path("logs", name))
    for source in ("logs", "logs/*.eval"):
        result = turngrade("grade", "spec.yaml", source, "-o", "-")
        assert {row["source"] for row in result.rows} == {"logs/epochs.eval", "logs/other-graded.eval"}
        told = "logs/epochs-graded.eval: skipped: the copy of epochs.eval with scores; name it to read it"
        assert told in result.err
    named = turngrade("grade", "spec.yaml", "logs/epochs-graded.eval", "-o", "-")
    assert {row["source"] for row in named.rows} == {"logs/epochs-graded.eval"}


@pytest.mark.usefixtures("spec")
@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("bin.eval", b"\x93\x01\xff" * 9, "is no Inspect log, whatever its name says"),
        ("bin.parquet", b"\x93\x01\xff" * 9, "is no Parquet file, whatever its name says"),
        ("empty.parquet", b"", "is no Parquet file, whatever its name says"),
    ],
)
def test_what_is_not_what_its_name_says(
    turngrade: Command, write: Write, name: str, content: bytes, problem: str
) -> None:
    write(name, content)
    result = turngrade("grade", "spec.yaml", name, "-o", "-")
    assert (result.code, [row["error"] for row in result.rows]) == (3, [problem])


@pytest.mark.usefixtures("spec", "chats")
@pytest.mark.parametrize("content", [b"", b"\n", b" \t\r\n \n", b"\xef\xbb\xbf", b"\xef\xbb\xbf \n"])
@pytest.mark.parametrize("name", ["blank.json", "blank.jsonl"])
def test_a_blank_file_is_an_empty_one(turngrade: Command, write: Write, name: str, content: bytes) -> None:
    write(name, content)
    result = turngrade("grade", "spec.yaml", name)
    assert result.code == 5
    assert f"{name}: holds no transcripts" in result.err
    assert turngrade("grade", "spec.yaml", name, "chats.jsonl").code == 1
