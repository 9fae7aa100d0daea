"""Exported runs: every shape gives the same transcripts, and what is broken does not hide the rest."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from tests.langsmith.recorded import DATA, EXPORTS, nested, runs_in, traces_in

from turngrade.adapters.langsmith import is_export, read_transcripts
from turngrade.adapters.langsmith.exports.documents import MESSAGES_ONLY
from turngrade.core import Transcript, Unreadable

LOOP = ["I'll search.", "Done: 42"]
REACT = ["Let me look", "Final: 42"]
TURNS = (["turn one reply"], ["turn two reply"])

SHAPES = {
    "bulk_export_like.parquet": [REACT, LOOP, *TURNS],
    "langsmith_fetch_trace.json": [REACT],
    "langsmith_fetch_trace_with_metadata.json": [REACT],
    "run_tree_nested.json": [REACT],
    "runs_v1.jsonl": [TURNS[1], TURNS[0], LOOP, REACT],
    "runs_v2.jsonl": [TURNS[1], TURNS[0], LOOP, REACT],
    "skill_cli_run_id.jsonl": [REACT, LOOP, *TURNS],
    "thread_preview_response.json": [[*TURNS[0], *TURNS[1]]],
}


def said(items: Iterable[Transcript | Unreadable]) -> list[list[str] | str]:
    """The texts of each transcript; the message of what could not be read."""
    return [
        item.message if isinstance(item, Unreadable) else [message.text for message in item.messages]
        for item in items
    ]


def read(path: Path) -> list[list[str] | str]:
    assert is_export(path)
    return said(read_transcripts(path))


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name: str) -> None:
    found = list(read_transcripts(EXPORTS / name))
    assert said(found) == SHAPES[name]
    assert [item.output for item in found if isinstance(item, Transcript)] == [
        texts[-1] for texts in SHAPES[name]
    ]
    assert {item.source for item in found} == {str(EXPORTS / name)}


def test_every_shape_is_tested() -> None:
    assert set(SHAPES) == {path.name for path in EXPORTS.iterdir()}


@pytest.mark.parametrize(
    ("name", "id", "thread"),
    [
        ("langsmith_fetch_trace.json", "langsmith_fetch_trace", None),
        ("langsmith_fetch_trace_with_metadata.json", "01a22e6c-1be5-7500-a4fe-9d73370d7cdf", None),
        ("thread_preview_response.json", "th-1", "th-1"),
    ],
)
def test_fetched_messages_are_known_to_be_incomplete(name: str, id: str, thread: str | None) -> None:
    (transcript,) = read_transcripts(EXPORTS / name)
    assert isinstance(transcript, Transcript)
    assert transcript.incomplete == MESSAGES_ONLY
    assert transcript.id == id
    assert transcript.metadata.get("thread_id") == thread


@pytest.mark.parametrize(
    "name", [name for name in SHAPES if not name.startswith(("langsmith_fetch", "thread"))]
)
def test_exports_of_all_runs_are_complete(name: str) -> None:
    assert all(
        isinstance(item, Transcript) and item.incomplete is None for item in read_transcripts(EXPORTS / name)
    )


def write(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def write_lines(path: Path, values: Iterable[Any]) -> Path:
    lines = (value if isinstance(value, str) else json.dumps(value) for value in values)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


class TestDocuments:
    runs = runs_in("openai_loop.json")

    @pytest.mark.parametrize("indent", [None, 1])
    @pytest.mark.parametrize("key", [None, "runs", "items"])
    def test_lists_of_runs(self, tmp_path: Path, key: str | None, indent: int | None) -> None:
        path = tmp_path / "runs.json"
        path.write_text(json.dumps({key: self.runs, "cursors": {}} if key else self.runs, indent=indent))
        assert read(path) == [LOOP]

    def test_list_of_trees(self, tmp_path: Path) -> None:
        trees = [nested(self.runs), nested(runs_in("langgraph_react.json"))]
        assert read(write(tmp_path / "trees.json", trees)) == [LOOP, REACT]

    def test_list_of_fetched_traces(self, tmp_path: Path) -> None:
        fetched = json.loads((EXPORTS / "langsmith_fetch_trace_with_metadata.json").read_text())
        assert read(write(tmp_path / "fetched.json", [fetched, fetched])) == [REACT, REACT]

    def test_run_with_messages_beside_its_outputs(self, tmp_path: Path) -> None:
        root = runs_in("langgraph_react.json")[0]
        fetched = {**root, "outputs": None, "messages": root["outputs"]["messages"]}
        assert read(write(tmp_path / "run.json", fetched)) == [REACT]

    def test_items_that_are_no_runs_are_told(self, tmp_path: Path) -> None:
        path = write(tmp_path / "runs.json", [*self.runs, {"name": "x"}, 7])
        broken, number, loop = read(path)
        assert loop == LOOP
        assert "item 5 of the list is no run" in broken
        assert "item 6 of the list is no run" in number

    @pytest.mark.parametrize(
        ("value", "message"),
        [
            (7, "holds a number, where runs"),
            ("seven", "holds a string"),
            (None, "holds null"),
            (True, "holds true"),
            ({}, "no LangSmith run: an object with the keys none"),
            ({"a": 1, "b": 2}, "the keys a, b"),
            ({"thread_id": "t", "previews": {}}, "select=all_messages"),
            ({"thread_id": "t", "previews": {"all_messages": "{"}}, "not JSON"),
            ({"thread_id": "t", "previews": {"all_messages": "7"}}, "no message: 7"),
        ],
    )
    def test_other_documents(self, tmp_path: Path, value: Any, message: str) -> None:
        (told,) = said(read_transcripts(write(tmp_path / "other.json", value)))
        assert message in told

    @pytest.mark.parametrize("content", [b"", b"{", b'{"id": "\xff"}', b"[" * 100_000])
    def test_files_that_are_no_json(self, tmp_path: Path, content: bytes) -> None:
        path = tmp_path / "broken.json"
        path.write_bytes(content)
        (told,) = read_transcripts(path)
        assert isinstance(told, Unreadable)
        assert "JSON" in told.message

    @pytest.mark.parametrize("cut", ["within a line", "two lines in one"])
    def test_runs_that_a_broken_line_may_have_held_are_known_to_be_missing(
        self, tmp_path: Path, cut: str
    ) -> None:
        lines = (EXPORTS / "runs_v1.jsonl").read_bytes().splitlines()
        whole = len(lines) - 6
        broken = lines[whole][:400] if cut == "within a line" else lines[whole] + lines[whole - 5] + b"\n"
        path = tmp_path / "cut.jsonl"
        path.write_bytes(b"\n".join([*lines[:whole], broken]))
        found = list(read_transcripts(path))
        read_all = [item for item in found if isinstance(item, Transcript)]
        (told,) = (item for item in found if isinstance(item, Unreadable))
        assert all(item.incomplete for item in read_all)
        assert "may have held a run of this trace" in " ".join(item.incomplete or "" for item in read_all)
        assert told.message.startswith(f"line {whole + 1} is not JSON")
        assert told.message.endswith("the file seems to be cut off here") == (cut == "within a line")

    def test_a_broken_line_of_a_known_trace_says_nothing_of_others(self, tmp_path: Path) -> None:
        lines = (EXPORTS / "runs_v1.jsonl").read_bytes().splitlines()
        path = tmp_path / "broken.jsonl"
        path.write_bytes(b"\n".join([lines[0][:-9], *lines[1:]]))
        found = list(read_transcripts(path))
        assert [type(item) for item in found].count(Unreadable) == 1
        assert not any(isinstance(item, Transcript) and item.incomplete for item in found)

    def test_file_that_is_not_there(self, tmp_path: Path) -> None:
        (told,) = said(read_transcripts(tmp_path / "none.json"))
        assert told == "cannot be read: No such file or directory"
        assert not is_export(tmp_path / "none.json")


class TestLines:
    def test_traces_may_be_interleaved(self, tmp_path: Path) -> None:
        loop, react = runs_in("openai_loop.json"), runs_in("langgraph_react.json")
        mixed = [run for pair in zip(reversed(react), loop * 4, strict=False) for run in pair][
            : 2 * len(loop)
        ]
        rest = [run for run in [*loop, *react] if run not in mixed]
        path = write_lines(tmp_path / "runs.jsonl", [*mixed, *rest])
        assert read(path) == [REACT, LOOP]

    def test_rows_without_ids_of_traces(self, tmp_path: Path) -> None:
        rows = [
            {
                "id": run["id"],
                "run_type": run["run_type"],
                "outputs": run.get("outputs"),
                "parent_run_id": parent,
            }
            for name in ("openai_loop.json", "langgraph_react.json")
            for run in runs_in(name)
            for parent in [(run.get("parent_run_ids") or [None])[-1]]
        ]
        assert read(write_lines(tmp_path / "runs.jsonl", rows)) == [LOOP, REACT]

    def test_trees_in_lines(self, tmp_path: Path) -> None:
        trees = [nested(traces_in(name)[0]) for name in ("openai_loop.json", "langgraph_react.json")]
        assert read(write_lines(tmp_path / "trees.jsonl", trees)) == [LOOP, REACT]

    def test_a_byte_order_mark_and_blank_lines(self, tmp_path: Path) -> None:
        lines = [json.dumps(run) for run in runs_in("openai_loop.json")]
        path = tmp_path / "runs.jsonl"
        path.write_text("\ufeff" + "\n\n  \n".join(lines), encoding="utf-8")
        assert read(path) == [LOOP]

    def test_lines_in_a_file_of_another_name(self, tmp_path: Path) -> None:
        assert read(write_lines(tmp_path / "runs.txt", runs_in("openai_loop.json"))) == [LOOP]

    def test_a_document_in_a_file_of_lines(self, tmp_path: Path) -> None:
        path = tmp_path / "runs.jsonl"
        path.write_text(json.dumps(runs_in("openai_loop.json"), indent=1))
        assert read(path) == [LOOP]
        assert read(write(tmp_path / "one.jsonl", runs_in("openai_loop.json"))) == [LOOP]

    def test_not_a_number(self, tmp_path: Path) -> None:
        runs = [
            {**run, "extra": {"metadata": {"score": float("nan")}}} for run in runs_in("openai_loop.json")
        ]
        assert read(write_lines(tmp_path / "runs.jsonl", runs)) == [LOOP]

    def test_a_broken_line_is_told_and_its_trace_is_not_graded(self, tmp_path: Path) -> None:
        loop = [json.dumps(run) for run in runs_in("openai_loop.json")]
        loop[-1] = loop[-1][:400]
        assert '"trace_id"' in loop[-1]
        path = write_lines(tmp_path / "runs.jsonl", ["{]", *loop, *runs_in("langgraph_react.json"), '{"cut'])
        first, broken, react, last = list(read_transcripts(path))
        assert isinstance(first, Unreadable)
        assert (first.id, first.message.split(":")[0]) == (None, "line 1 is not JSON")
        assert isinstance(broken, Unreadable)
        assert (broken.id, broken.message.split(":")[0]) == (
            runs_in("openai_loop.json")[0]["id"],
            "line 5 is not JSON",
        )
        assert said([react]) == [REACT]
        assert f"line {path.read_text().count(chr(10))} is not JSON" in said([last])[0]

    def test_lines_that_are_no_runs_are_told(self, tmp_path: Path) -> None:
        path = write_lines(tmp_path / "runs.jsonl", [*runs_in("openai_loop.json"), {"name": "x"}, 7])
        loop, other, number = read(path)
        assert loop == LOOP
        assert "no LangSmith run" in other
        assert isinstance(number, str)
        assert number.startswith("line 6: holds a number")


class TestSniffing:
    @pytest.mark.parametrize("path", sorted(DATA.glob("*_*.json")), ids=lambda path: str(path.stem))
    def test_recorded_runs(self, path: Path) -> None:
        assert is_export(path)

    @pytest.mark.parametrize(
        "content",
        [
            "",
            "no JSON",
            "7",
            "[]",
            "{}",
            '{"id": "a", "messages": [{"role": "assistant", "content": "x"}]}',
            '[{"role": "user", "content": "x"}]',
            '{"version": 2, "status": "success", "eval": {"run_id": "r", "task": "t"}, "samples": []}',
            '{"id": "a", "messages": [{"role": "user", "content": "\\"run_type\\": \\"llm\\""}]}',
        ],
    )
    def test_other_files(self, tmp_path: Path, content: str) -> None:
        path = tmp_path / "other.json"
        path.write_text(content)
        assert not is_export(path)

    @pytest.mark.parametrize(
        "path", sorted((DATA.parent / "inspect").glob("*.json")), ids=lambda path: str(path.stem)
    )
    def test_logs_of_inspect(self, path: Path) -> None:
        assert not is_export(path)

    def test_runs_with_much_before_their_type(self, tmp_path: Path) -> None:
        run = {"inputs": {"q": "x" * 200_000}, **runs_in("openai_loop.json")[0]}
        assert is_export(write(tmp_path / "run.json", run))

    def test_folders(self, tmp_path: Path) -> None:
        assert not is_export(tmp_path)
        day = tmp_path / "runs" / "year=2026" / "month=11" / "day=30"
        day.mkdir(parents=True)
        shutil.copy(EXPORTS / "bulk_export_like.parquet", day / "0.parquet")
        (day / "_SUCCESS").touch()
        assert is_export(tmp_path)
        (tmp_path / "log.json").touch()
        assert not is_export(tmp_path)
        assert is_export(tmp_path / "runs")
