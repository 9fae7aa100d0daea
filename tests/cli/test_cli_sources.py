from __future__ import annotations

import json
import os
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.cli.support import BAD, GOOD, Command, Result, said

from turngrade.adapters.cli.reading import read
from turngrade.adapters.cli.sources import Notice, Project, SourceFile, resolve
from turngrade.core import Unreadable

Write = Callable[..., Path]


def graded(turngrade: Command, *sources: str | Path, stdin: bytes = b"") -> tuple[int, list[tuple[str, str]]]:
    """The exit code, and source and id of each row."""
    result = turngrade("grade", "spec.yaml", *sources, "-o", "-", stdin=stdin)
    return result.code, [(row["source"], row.get("error") or row["id"]) for row in result.rows]


@pytest.mark.usefixtures("spec", "chats")
class TestFiles:
    def test_a_file_keeps_the_name_that_it_was_given_by(self, turngrade: Command, tmp_path: Path) -> None:
        assert graded(turngrade, "chats.jsonl") == (1, [("chats.jsonl", "good"), ("chats.jsonl", "bad")])
        absolute = str(tmp_path / "chats.jsonl")
        assert graded(turngrade, absolute)[1] == [(absolute, "good"), (absolute, "bad")]

    def test_a_missing_file_is_an_error_row_and_the_others_are_graded(self, turngrade: Command) -> None:
        code, rows = graded(turngrade, "chat.jsonl", "chats.jsonl", "nowhere/x.eval")
        assert code == 3
        assert rows == [
            ("chat.jsonl", "no such file or folder; did you mean chats.jsonl?"),
            ("chats.jsonl", "good"),
            ("chats.jsonl", "bad"),
            ("nowhere/x.eval", "no such file or folder"),
        ]

    def test_a_file_named_twice_is_graded_once(self, turngrade: Command) -> None:
        Path("again.jsonl").symlink_to("chats.jsonl")
        assert len(graded(turngrade, "chats.jsonl", "./chats.jsonl", "*.jsonl", ".")[1]) == 2

    def test_a_file_of_unknown_kind_is_an_error(self, turngrade: Command, write: Write) -> None:
        write("package.json", {"name": "left-pad"})
        code, rows = graded(turngrade, "package.json", "chats.jsonl")
        assert code == 3
        assert rows[0][1].startswith(
            "is a file of unknown kind; expected an Inspect log, LangSmith runs, or plain"
        )
        assert len(rows) == 3

    @pytest.mark.parametrize("name", ["cut.json", "cut.jsonl"])
    def test_what_is_no_json_says_so(self, turngrade: Command, write: Write, name: str) -> None:
        write(name, '{"name": "left-pa')
        code, rows = graded(turngrade, name)
        assert code == 3
        assert rows[0][1].startswith("is not JSON: Unterminated string")

    def test_binary_is_told(self, turngrade: Command, write: Write) -> None:
        write("photo.json", b"\xff\xd8\xff\xe0 JFIF")
        assert graded(turngrade, "photo.json")[1][0][1].startswith("is not JSON: it is binary, or")

    def test_a_null_character_in_a_name(self, turngrade: Command) -> None:
        assert graded(turngrade, "a\0b")[0] == 3

    def test_an_empty_file_holds_nothing(self, turngrade: Command, write: Write) -> None:
        write("empty.jsonl", "")
        result = turngrade("grade", "spec.yaml", "empty.jsonl")
        assert result.code == 5
        assert "empty.jsonl: holds no transcripts" in result.err
        assert "nothing was graded" in result.err
        assert graded(turngrade, "empty.jsonl", "chats.jsonl")[0] == 1

    def test_the_faulty_line_of_a_file_is_an_error_row(self, turngrade: Command, write: Write) -> None:
        write("some.jsonl", '{"id": "a", "messages": []}\n{"id": \n')
        code, rows = graded(turngrade, "some.jsonl")
        assert (code, rows[0]) == (3, ("some.jsonl", "a"))
        assert rows[1][1].startswith("line 2: not JSON")


@pytest.mark.usefixtures("spec")
class TestFoldersAndWildcards:
    @pytest.fixture
    def folder(self, write: Write) -> None:
        write("logs/b.jsonl", [GOOD])
        write("logs/a.jsonl", [said("first", "x")])
        write("logs/deep/er/c.ndjson", [BAD])
        write("logs/.hidden/d.jsonl", [GOOD])
        write("logs/.e.jsonl", [GOOD])
        write("logs/readme.txt", "no transcript")

    @pytest.mark.usefixtures("folder")
    def test_a_folder_is_searched_to_its_depth_in_order_of_the_names(self, turngrade: Command) -> None:
        expected = [("logs/a.jsonl", "first"), ("logs/b.jsonl", "good"), ("logs/deep/er/c.ndjson", "bad")]
        assert graded(turngrade, "logs") == (1, expected)

    @pytest.mark.usefixtures("folder")
    def test_wildcards(self, turngrade: Command) -> None:
        assert [id for _, id in graded(turngrade, "logs/*.jsonl")[1]] == ["first", "good"]
        assert [id for _, id in graded(turngrade, "logs/**/*.*json*")[1]] == ["first", "good", "bad"]
        assert [id for _, id in graded(turngrade, "l*")[1]] == ["first", "good", "bad"]

    def test_a_name_that_looks_like_a_wildcard_but_exists(self, turngrade: Command, write: Write) -> None:
        write("run[1].jsonl", [GOOD])
        assert graded(turngrade, "run[1].jsonl") == (0, [("run[1].jsonl", "good")])

    def test_what_is_not_for_grading_in_a_folder_is_skipped_and_told(
        self, turngrade: Command, write: Write
    ) -> None:
        write("logs/a.jsonl", [GOOD])
        write("logs/package.json", {"name": "left-pad"})
        result = turngrade("grade", "spec.yaml", "logs")
        assert result.code == 0
        assert "logs/package.json: skipped: not an Inspect log, LangSmith runs, or plain" in result.err

    @pytest.mark.parametrize("source", ["logs", "logs/*", "logs/*.*"])
    def test_what_would_wait_for_ever_in_a_folder_is_skipped_and_told(
        self, process: Callable[..., Result], write: Write, tmp_path: Path, source: str
    ) -> None:
        write("logs/a.jsonl", [GOOD])
        for name in ("b.jsonl", "c.parquet"):
            os.mkfifo(tmp_path / "logs" / name)
        result = process("grade", "spec.yaml", source, timeout=20)
        assert result.code == 0
        for name in ("b.jsonl", "c.parquet"):
            assert f"logs/{name}: skipped: no regular file; name it to read it" in result.err

    def test_a_link_to_nowhere_in_a_folder_is_an_error(self, turngrade: Command, write: Write) -> None:
        write("logs/a.jsonl", [GOOD])
        Path("logs/b.jsonl").symlink_to("gone.jsonl")
        code, rows = graded(turngrade, "logs")
        assert (code, [source for source, _ in rows]) == (3, ["logs/a.jsonl", "logs/b.jsonl"])

    def test_what_is_broken_in_a_folder_is_an_error(self, turngrade: Command, write: Write) -> None:
        write("logs/a.jsonl", [GOOD])
        write("logs/b.json", '{"version": 2, "sta')
        code, rows = graded(turngrade, "logs")
        assert (code, [source for source, _ in rows]) == (3, ["logs/a.jsonl", "logs/b.json"])

    @pytest.mark.parametrize("source", ["nothing", "nothing/*.eval"])
    def test_an_empty_folder_or_a_wildcard_without_a_match_grades_nothing(
        self, turngrade: Command, source: str
    ) -> None:
        Path("nothing").mkdir()
        result = turngrade("grade", "spec.yaml", source)
        assert (result.code, result.out) == (5, "")
        assert result.err.startswith(f"{source}: the ")
        assert "nothing was graded" in result.err

    def test_an_empty_folder_beside_others_does_not_hide_them(self, turngrade: Command, chats: Path) -> None:
        Path("nothing").mkdir()
        assert graded(turngrade, "nothing", "chats.jsonl")[0] == 1


@pytest.mark.usefixtures("spec", "chats")
class TestStreams:
    def test_standard_input(self, turngrade: Command) -> None:
        assert graded(turngrade, "-", stdin=Path("chats.jsonl").read_bytes()) == (
            1,
            [("-", "good"), ("-", "bad")],
        )

    def test_standard_input_that_is_empty_or_broken(self, turngrade: Command) -> None:
        assert graded(turngrade, "-", stdin=b"") == (5, [])
        assert graded(turngrade, "-", stdin=b"{")[0] == 3

    def test_a_pipe(self, turngrade: Command) -> None:
        os.mkfifo("pipe")
        writer = threading.Thread(target=lambda: Path("pipe").write_bytes(Path("chats.jsonl").read_bytes()))
        writer.start()
        assert graded(turngrade, "pipe") == (1, [("pipe", "good"), ("pipe", "bad")])
        writer.join()

    def test_the_copy_of_standard_input_is_removed(
        self, turngrade: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        spool = tmp_path / "spool"
        spool.mkdir()
        monkeypatch.setattr("tempfile.tempdir", str(spool))
        graded(turngrade, "-", stdin=b'{"id": "x", "messages": []}')
        assert list(spool.iterdir()) == []

    def test_where_there_is_no_room_for_its_copy_the_others_are_graded(
        self, turngrade: Command, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tempfile.tempdir", "nowhere")
        result = turngrade("grade", "spec.yaml", "-", "chats.jsonl", "-o", "-")
        first, *others = (json.loads(line) for line in result.out.splitlines())
        assert first["error"].startswith("cannot be read: No such file or directory: ")
        assert "nowhere" in first["error"]
        assert [row["id"] for row in others] == ["good", "bad"]

    def test_without_it_no_folder_is_made(self, turngrade: Command, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tempfile.tempdir", "nowhere")
        assert graded(turngrade, "chats.jsonl") == (1, [("chats.jsonl", "good"), ("chats.jsonl", "bad")])


@pytest.fixture
def nobody() -> Iterator[None]:
    """Give up root's right to read everything, where the tests run as root."""
    if os.getuid() != 0:
        yield
        return
    os.seteuid(65534)
    yield
    os.seteuid(0)


@pytest.fixture
def locked() -> Iterator[Path]:
    """A file that nobody may read, in a folder that everybody may."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "locked.jsonl")
        path.touch(0)
        Path(folder).chmod(0o755)
        yield path


def test_a_file_that_may_not_be_read(locked: Path, nobody: None) -> None:
    assert list(read(SourceFile("locked.jsonl", locked))) == [
        Unreadable("locked.jsonl", "cannot be read: Permission denied")
    ]


@pytest.fixture
def closed(locked: Path) -> Iterator[Path]:
    """A folder that nobody may look into, in one that everybody may."""
    folder = locked.parent / "deep"
    folder.mkdir(0)
    yield folder
    folder.chmod(0o700)


def test_a_folder_that_may_not_be_read(closed: Path, nobody: None) -> None:
    folder = closed.parent
    fault = Unreadable(str(closed), "cannot be read: Permission denied")
    assert fault in resolve([str(folder)], lambda: folder)
    assert resolve([str(closed)], lambda: folder) == [fault]


def test_what_arguments_resolve_to(tmp_path: Path) -> None:
    (tmp_path / "a.eval").touch()
    (tmp_path / "empty").mkdir()
    found = resolve(
        [f"{tmp_path}/a.eval", f"{tmp_path}/*.eval", f"{tmp_path}/empty", "langsmith:p", "no"],
        lambda: tmp_path,
    )
    assert found == [
        SourceFile(f"{tmp_path}/a.eval", tmp_path / "a.eval"),
        Notice(
            f"{tmp_path}/empty",
            "the folder holds no transcripts (looked for .eval, .json, .jsonl, .ndjson, .parquet)",
        ),
        Project("langsmith:p"),
        Unreadable("no", "no such file or folder"),
    ]


def test_a_link_to_itself_is_told_and_the_rest_is_graded(turngrade: Command, spec: Path, chats: Path) -> None:
    folder = chats.parent / "loop"
    folder.mkdir()
    (folder / "x.eval").symlink_to("x.eval")
    result = turngrade("grade", spec, folder, chats, "-o", "-")
    assert result.code == 3
    assert "Too many levels of symbolic links" in result.rows[0]["error"]
    assert [row["id"] for row in result.rows[1:]] == ["good", "bad"]
