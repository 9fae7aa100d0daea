"""Every kind of file that is read, in one call."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.cli.support import GOOD, Command

from turngrade.adapters.cli.reading import kind_of

DATA = Path(__file__).parents[1] / "data"
INSPECT = DATA / "inspect"
LANGSMITH = DATA / "langsmith"

KINDS = {
    INSPECT / "epochs.eval": ("inspect", 4),
    INSPECT / "inspect-0.3.46.eval": ("inspect", 3),
    INSPECT / "inspect-0.3.260.json": ("inspect", 3),
    LANGSMITH / "openai_loop.json": ("langsmith", 1),
    LANGSMITH / "exports" / "runs_v1.jsonl": ("langsmith", 4),
    LANGSMITH / "exports" / "run_tree_nested.json": ("langsmith", 1),
    LANGSMITH / "exports" / "bulk_export_like.parquet": ("langsmith", 4),
    LANGSMITH / "exports" / "langsmith_fetch_trace.json": ("langsmith", 1),
}

SPEC = {"graders": [{"type": "transcript-matches", "config": {"pattern": r"\w"}}]}


@pytest.mark.parametrize("path", KINDS, ids=lambda path: path.name)
def test_the_kind_shows_in_the_content(path: Path, tmp_path: Path) -> None:
    assert kind_of(path) == KINDS[path][0]
    if path.suffix != ".parquet":
        renamed = tmp_path / f"renamed{path.suffix}"
        shutil.copy(path, renamed)
        assert kind_of(renamed) == KINDS[path][0]


@pytest.mark.parametrize(
    ("name", "kind"), [("epochs.eval", "inspect"), ("exports/bulk_export_like.parquet", "langsmith")]
)
def test_an_archive_is_known_under_any_name(name: str, kind: str, tmp_path: Path) -> None:
    path = tmp_path / "download"
    shutil.copy((INSPECT if kind == "inspect" else LANGSMITH) / name, path)
    assert kind_of(path) == kind


def test_all_kinds_in_one_call(turngrade: Command, write: Callable[..., Path], tmp_path: Path) -> None:
    for path in KINDS:
        shutil.copy(path, tmp_path)
    plain = write("chats.jsonl", [GOOD])
    write("spec.json", SPEC)
    names = [path.name for path in KINDS]
    result = turngrade("grade", "spec.json", *names, plain.name, "-o", "-")
    assert result.code == 0, result.err
    expected = {path.name: count for path, (_, count) in KINDS.items()} | {"chats.jsonl": 1}
    assert Counter(row["source"] for row in result.rows) == expected
    assert list(dict.fromkeys(row["source"] for row in result.rows)) == [*names, plain.name]
    assert {row["epoch"] for row in result.rows if row["source"] == "epochs.eval"} == {1, 2}


def test_a_folder_of_all_kinds(turngrade: Command, write: Callable[..., Path], tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    for path in KINDS:
        shutil.copy(path, tmp_path / "logs")
    write("spec.json", SPEC)
    result = turngrade("grade", "spec.json", "logs", "-o", "-")
    assert Counter(row["source"] for row in result.rows) == {
        f"logs/{path.name}": count for path, (_, count) in KINDS.items()
    }


@pytest.mark.parametrize("keep", [0, 1, 100, 4000, -1])
def test_a_log_that_is_cut_off_is_an_error_and_the_others_are_graded(
    turngrade: Command, write: Callable[..., Path], keep: int
) -> None:
    whole = (INSPECT / "epochs.eval").read_bytes()
    write("cut.eval", whole[:keep])
    write("chats.jsonl", [GOOD])
    write("spec.json", SPEC)
    result = turngrade("grade", "spec.json", "cut.eval", "chats.jsonl", "-o", "-")
    assert result.code == 3
    assert any("error" in row for row in result.rows if row["source"] == "cut.eval")
    assert result.rows[-1]["id"] == "good"
    assert "Traceback" not in result.err


def test_a_log_on_standard_input(turngrade: Command, write: Callable[..., Path]) -> None:
    write("spec.json", SPEC)
    result = turngrade("grade", "spec.json", "-", "-o", "-", stdin=(INSPECT / "epochs.eval").read_bytes())
    assert [(row["source"], row["id"]) for row in result.rows] == [
        ("-", "a"),
        ("-", "b"),
        ("-", "a"),
        ("-", "b"),
    ]


class TestBulkExports:
    @pytest.fixture
    def export(self, tmp_path: Path) -> Path:
        """The rows of each trace spread over two days, as Hive paths."""
        rows = pq.read_table(LANGSMITH / "exports" / "bulk_export_like.parquet").to_pylist()
        for day in (1, 2):
            folder = tmp_path / "downloads" / "export" / f"year=2026/month=1/day={day}"
            folder.mkdir(parents=True)
            pq.write_table(pa.Table.from_pylist(rows[day - 1 :: 2]), folder / "runs.parquet")
        return tmp_path / "downloads"

    def test_a_folder_is_one_export(
        self, turngrade: Command, write: Callable[..., Path], export: Path
    ) -> None:
        write("spec.json", SPEC)
        whole = LANGSMITH / "exports" / "bulk_export_like.parquet"
        rows = turngrade("grade", "spec.json", whole, "-o", "-").rows
        spread = turngrade("grade", "spec.json", "downloads/export", "-o", "-")
        assert spread.code == 0, spread.err
        assert {row["source"] for row in spread.rows} == {"downloads/export"}
        assert by_id(spread.rows) == by_id(rows)

    def test_it_is_found_beside_other_files(
        self, turngrade: Command, write: Callable[..., Path], export: Path
    ) -> None:
        write("spec.json", SPEC)
        write("downloads/chats.jsonl", [GOOD])
        (export / "export" / "_SUCCESS").touch()
        result = turngrade("grade", "spec.json", "downloads", "-o", "-")
        assert Counter(row["source"] for row in result.rows) == {
            "downloads/chats.jsonl": 1,
            "downloads/export": 4,
        }

    def test_no_output_goes_into_it(
        self, turngrade: Command, write: Callable[..., Path], export: Path
    ) -> None:
        write("spec.json", SPEC)
        result = turngrade("grade", "spec.json", "downloads/export", "-o", "downloads/export/grades.parquet")
        assert result.code == 4
        assert "is read by the same call" in result.err


def by_id(rows: list[dict[str, Any]]) -> dict[str, Any]:
    return {row["id"]: row["verdicts"] for row in rows}
