"""SOURCE arguments that are URLs, against a real S3 server."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import s3fs  # type: ignore[import-untyped]
from inspect_ai.log import read_eval_log
from tests.cli.support import BAD, GOOD, Command, Result
from tests.s3_server import KEY, SECRET, S3Server

DATA = Path(__file__).parents[1] / "data"
PLAIN = (DATA / "inspect" / "plain.eval").read_bytes()
EXPORT = (DATA / "langsmith" / "exports" / "bulk_export_like.parquet").read_bytes()

pytestmark = pytest.mark.usefixtures("spec")


def graded(turngrade: Command, *sources: str) -> list[tuple[str, str]]:
    """Source and id of each row, or what is wrong."""
    result = turngrade("grade", "spec.yaml", *sources, "-o", "-")
    return [(row["source"], row.get("error") or row["id"]) for row in result.rows]


def lines(*conversations: object) -> bytes:
    return b"".join(json.dumps(each).encode() + b"\n" for each in conversations)


@pytest.fixture
def filled(s3: S3Server) -> S3Server:
    """A bucket with a folder of logs and chats."""
    s3.put("runs/one.eval", PLAIN)
    s3.put("runs/deep/chats.jsonl", lines(GOOD, BAD))
    s3.put("runs/notes.txt", b"nothing")
    s3.put("runs/.hidden/two.eval", PLAIN)
    return s3


@pytest.mark.usefixtures("filled")
class TestWhatIsFound:
    def test_a_log(self, turngrade: Command) -> None:
        assert graded(turngrade, "s3://logs/runs/one.eval") == [("s3://logs/runs/one.eval", "a")]

    def test_plain_messages(self, turngrade: Command) -> None:
        url = "s3://logs/runs/deep/chats.jsonl"
        assert graded(turngrade, url) == [(url, "good"), (url, "bad")]

    @pytest.mark.parametrize("folder", ["s3://logs", "s3://logs/", "s3://logs/runs", "s3://logs/runs/"])
    def test_a_folder(self, turngrade: Command, folder: str) -> None:
        assert graded(turngrade, folder) == [
            ("s3://logs/runs/deep/chats.jsonl", "good"),
            ("s3://logs/runs/deep/chats.jsonl", "bad"),
            ("s3://logs/runs/one.eval", "a"),
        ]

    @pytest.mark.parametrize(
        ("wildcard", "count"),
        [
            ("s3://logs/*", 3),
            ("s3://logs/runs/*.eval", 1),
            ("s3://logs/**/*.jsonl", 2),
            ("s3://logs/r*/deep", 2),
        ],
    )
    def test_a_wildcard(self, turngrade: Command, wildcard: str, count: int) -> None:
        assert len(graded(turngrade, wildcard)) == count

    def test_a_name_like_a_wildcard_is_a_name(self, turngrade: Command, s3: S3Server) -> None:
        url = s3.put("runs/one[1].eval", PLAIN)
        assert graded(turngrade, url) == [(url, "a")]

    def test_once_however_often_it_is_named(self, turngrade: Command) -> None:
        assert len(graded(turngrade, "s3://logs/runs/one.eval", "s3://logs/runs", "s3://logs/*")) == 3

    def test_a_signed_url(self, turngrade: Command, s3: S3Server) -> None:
        url = s3.signed("runs/one.eval")
        assert "Signature=" in url
        assert graded(turngrade, url) == [(f"{s3.endpoint}/logs/runs/one.eval?…", "a")]

    def test_several_processes_read_the_same(self, turngrade: Command) -> None:
        one = turngrade("grade", "spec.yaml", "s3://logs/runs", "-o", "-")
        two = turngrade("grade", "spec.yaml", "s3://logs/runs", "-o", "-", "-j", "2")
        assert two.out == one.out

    def test_explain(self, turngrade: Command) -> None:
        result = turngrade("explain", "spec.yaml", "s3://logs/runs/one.eval")
        assert result.code == 0
        assert "hello world" in result.out

    def test_nothing_is_left_on_the_disk(
        self, turngrade: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "spool").mkdir()
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "spool"))
        assert len(graded(turngrade, "s3://logs/runs")) == 3
        assert list((tmp_path / "spool").iterdir()) == []


class TestExports:
    def test_a_folder_of_parquet_files_is_one_export(self, turngrade: Command, s3: S3Server) -> None:
        s3.put("exports/id=1/part-0.parquet", EXPORT)
        s3.put("exports/_SUCCESS", b"")
        rows = graded(turngrade, "s3://logs/exports")
        assert [source for source, _ in rows] == ["s3://logs/exports"] * len(rows)
        assert len(rows) == 4

    def test_beside_other_files_too(self, turngrade: Command, s3: S3Server) -> None:
        s3.put("all/exports/part-0.parquet", EXPORT)
        s3.put("all/exports/part-1.parquet", EXPORT)
        s3.put("all/one.eval", PLAIN)
        rows = graded(turngrade, "s3://logs/all")
        assert [source.removeprefix("s3://logs/all/") for source, _ in rows] == ["exports"] * 4 + ["one.eval"]

    def test_verdicts_that_turngrade_wrote_are_skipped(
        self, turngrade: Command, s3: S3Server, tmp_path: Path
    ) -> None:
        s3.put("runs/one.eval", PLAIN)
        turngrade("grade", "spec.yaml", "s3://logs/runs", "-o", "v.parquet", "-o", "v.jsonl")
        s3.put("runs/old/v.parquet", (tmp_path / "v.parquet").read_bytes())
        s3.put("runs/v.jsonl", (tmp_path / "v.jsonl").read_bytes())
        result = turngrade("grade", "spec.yaml", "s3://logs/runs")
        assert "s3://logs/runs/old/v.parquet: skipped: verdicts that turngrade wrote" in result.err
        assert "s3://logs/runs/v.jsonl: skipped: verdicts that turngrade wrote" in result.err
        assert "1 transcript:" in result.err


class TestFaults:
    """An error row each, and the others are graded."""

    @pytest.mark.parametrize(
        ("url", "message"),
        [
            ("s3://nobucket/x.eval", "cannot be read: The specified bucket does not exist"),
            ("s3://nobucket/*.eval", "cannot be read: no such file or folder"),
            ("s3://nobucket", "cannot be read: no such file or folder"),
            ("s3://logs/nowhere.eval", "cannot be read: no such file or folder"),
            ("s3://shut/x.eval", "cannot be read: access denied (Forbidden)"),
            ("s3://", "cannot be read: Cannot traverse all of S3"),
            ("nostore://x/y.eval", "cannot be read: Protocol not known: nostore"),
            (
                "http://127.0.0.1:9/logs/",
                "cannot be read: folders on the web cannot be listed; name their files",
            ),
        ],
    )
    @pytest.mark.usefixtures("filled")
    def test_in_words(self, turngrade: Command, url: str, message: str) -> None:
        result = turngrade("grade", "spec.yaml", url, "s3://logs/runs/one.eval", "-o", "-")
        assert result.code == 3
        assert [(row["source"], row.get("error")) for row in result.rows] == [
            (url, message),
            ("s3://logs/runs/one.eval", None),
        ]
        assert KEY not in result.out + result.err
        assert SECRET not in result.out + result.err

    @pytest.mark.usefixtures("s3")
    def test_no_credentials(self, turngrade: Command, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("AWS_ACCESS_KEY_ID")
        monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
        s3fs.S3FileSystem.clear_instance_cache()
        assert graded(turngrade, "s3://logs/x.eval", "s3://logs/y.jsonl") == [
            (f"s3://logs/{name}", "cannot be read: no credentials for the store were found")
            for name in ("x.eval", "y.jsonl")
        ]

    @pytest.mark.usefixtures("s3")
    def test_a_folder_or_wildcard_without_transcripts_is_told(self, turngrade: Command, s3: S3Server) -> None:
        s3.put("empty/notes.txt", b"")
        result = turngrade("grade", "spec.yaml", "s3://logs/empty", "s3://logs/*.eval")
        assert result.code == 5
        assert "s3://logs/empty: the folder holds no transcripts (looked for .eval," in result.err
        assert "s3://logs/*.eval: the wildcard matches no file that holds transcripts" in result.err

    def test_a_page_of_the_web_is_no_log(self, turngrade: Command, s3: S3Server) -> None:
        s3.put("page.eval", b"<html>sign in</html>")
        assert graded(turngrade, "s3://logs/page.eval") == [
            ("s3://logs/page.eval", "not an Inspect log: no JSON object")
        ]


class TestWriteBack:
    def test_a_copy_beside_the_log(self, turngrade: Command, filled: S3Server) -> None:
        before = filled.get("runs/one.eval")
        result = turngrade("grade", "spec.yaml", "s3://logs/runs/*.eval", "--write-back")
        assert "wrote the scores of 1 sample into s3://logs/runs/one-graded.eval" in result.err
        assert filled.get("runs/one.eval") == before
        [sample] = read_eval_log("s3://logs/runs/one-graded.eval").samples or []
        assert "spec" in (sample.scores or {})
        again = turngrade("grade", "spec.yaml", "s3://logs/runs/*.eval", "--write-back")
        assert "s3://logs/runs/one-graded.eval: skipped: " in again.err
        assert [name for name in filled.names() if "one-" in name] == ["runs/one-graded.eval"]

    def test_in_place(self, turngrade: Command, filled: S3Server) -> None:
        result = turngrade("grade", "spec.yaml", "s3://logs/runs/one.eval", "--write-back", "--in-place")
        assert "wrote the scores of 1 sample into s3://logs/runs/one.eval" in result.err
        [sample] = read_eval_log("s3://logs/runs/one.eval").samples or []
        assert "spec" in (sample.scores or {})

    @pytest.mark.parametrize(
        ("url", "fault"),
        [
            ("s3://logs/runs/deep/chats.jsonl", "chats.jsonl does not end in .eval or .json"),
            ("http://127.0.0.1:9/one.eval", "one.eval is on the web, where nothing can be written"),
        ],
    )
    @pytest.mark.usefixtures("filled")
    def test_what_cannot_be_written_is_refused_before_any_work(
        self, turngrade: Command, url: str, fault: str
    ) -> None:
        result = turngrade("grade", "spec.yaml", url, "--write-back")
        assert result.code == 4
        assert fault in " ".join(result.err.split())


def test_a_process_of_its_own_ends_without_noise(filled: S3Server, process: Callable[..., Result]) -> None:
    result = process("grade", "spec.yaml", "s3://logs/runs", "-o", "-", "-j", "2")
    assert len(result.rows) == 3
    assert [line for line in result.err.splitlines() if "arning" in line or "Traceback" in line] == []
