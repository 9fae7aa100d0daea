"""Bulk exports in Parquet: every layout of files and columns, damaged files, and bounded memory."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.langsmith.recorded import EXPORTS, Run, all_traces

from turngrade.adapters.langsmith import read_transcripts, transcript_from_trace
from turngrade.adapters.langsmith.exports.parquet import read_parquet
from turngrade.adapters.langsmith.exports.spool import Spool
from turngrade.core import Transcript, Unreadable

TRACES = dict(all_traces())
JSON_COLUMNS = ("inputs", "outputs", "extra", "tags", "parent_run_ids", "events")

Texts = dict[str | None, list[str]]


def row(run: Run) -> dict[str, Any]:
    """A run as a row of the bulk export: JSON values are strings."""
    columns = {
        key: run.get(key)
        for key in ("id", "trace_id", "dotted_order", "name", "run_type", "status", "error", "start_time")
    }
    return columns | {key: json.dumps(run[key]) if run.get(key) is not None else None for key in JSON_COLUMNS}


def without_empty(value: Any) -> Any:
    """Parquet has no struct without fields."""
    if isinstance(value, dict):
        return {key: without_empty(item) for key, item in value.items() if item != {}}
    return [without_empty(item) for item in value] if isinstance(value, list) else value


def write(path: Path, rows: list[dict[str, Any]], **options: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows), path, **options)
    return path


def texts(items: Any) -> Texts:
    found: Texts = {}
    for item in items:
        assert isinstance(item, Transcript), item
        found[item.id] = [message.text for message in item.messages]
    return found


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    return [row(run) for runs in TRACES.values() for run in runs]


@pytest.fixture(scope="module")
def wanted() -> Texts:
    return texts(transcript_from_trace(runs) for runs in TRACES.values())


def test_all_recorded_traces(tmp_path: Path, rows: list[dict[str, Any]], wanted: Texts) -> None:
    assert texts(read_transcripts(write(tmp_path / "runs.parquet", rows, compression="zstd"))) == wanted


def test_traces_scattered_over_a_folder(tmp_path: Path, rows: list[dict[str, Any]], wanted: Texts) -> None:
    mixed = random.Random(7).sample(rows, len(rows))
    for number in range(5):
        day = tmp_path / "session_id=s" / "runs" / "year=2026" / "month=11" / f"day={number + 1}"
        write(day / f"{number}.parquet", mixed[number::5], row_group_size=7)
    assert texts(read_transcripts(tmp_path)) == wanted


def test_rows_that_do_not_fit_into_memory(tmp_path: Path, rows: list[dict[str, Any]], wanted: Texts) -> None:
    mixed = random.Random(7).sample(rows, len(rows))
    path = write(tmp_path / "runs.parquet", mixed, row_group_size=7)
    assert texts(read_parquet([path], "s", memory_limit=20_000)) == wanted


def test_few_columns(tmp_path: Path) -> None:
    few = ("id", "trace_id", "run_type", "outputs", "dotted_order")
    rows = [{key: row(run)[key] for key in few} for run in TRACES["openai_loop:0"]]
    (found,) = texts(read_transcripts(write(tmp_path / "runs.parquet", rows))).values()
    assert found == ["I'll search.", "Done: 42"]


@pytest.mark.parametrize(
    "name", ["openai_loop:0", "traceable_parallel:0", "js_aisdk_tool:0", "traceable_answer:0"]
)
def test_structs(tmp_path: Path, name: str) -> None:
    runs = TRACES[name]
    outputs = [without_empty(run["outputs"]) for run in runs]
    parents = [run.get("parent_run_ids") for run in runs]
    structs = zip(map(row, runs), outputs, parents, strict=True)
    rows = [{**columns, "outputs": output, "parent_run_ids": ids} for columns, output, ids in structs]
    (found,) = read_transcripts(write(tmp_path / "runs.parquet", rows))
    plain = transcript_from_trace(runs)
    assert isinstance(found, Transcript)
    assert found.messages == plain.messages
    assert found.output == plain.output


def test_ids_and_times_in_types_of_their_own(tmp_path: Path) -> None:
    runs = TRACES["openai_loop:0"]
    table = pa.Table.from_pylist([row(run) for run in runs])
    ids = pa.array([uuid.UUID(run["id"]).bytes for run in runs], pa.binary(16))
    times = pa.array([None] * len(runs), pa.timestamp("us", "UTC"))
    table = table.set_column(0, "id", ids).set_column(
        table.column_names.index("start_time"), "start_time", times
    )
    pq.write_table(table, tmp_path / "runs.parquet")
    (found,) = texts(read_transcripts(tmp_path / "runs.parquet")).items()
    assert found == (runs[0]["id"], ["I'll search.", "Done: 42"])


def test_a_broken_row_is_told_and_its_trace_is_not_graded(tmp_path: Path) -> None:
    rows = [row(run) for name in ("openai_loop:0", "langgraph_react:0") for run in TRACES[name]]
    rows[1]["outputs"] = '{"cut'
    broken, react = read_transcripts(write(tmp_path / "runs.parquet", rows))
    assert isinstance(broken, Unreadable)
    assert broken.id == rows[0]["trace_id"]
    assert broken.message == "row 2 of runs.parquet: outputs is no JSON."
    assert isinstance(react, Transcript)


def test_rows_without_an_id(tmp_path: Path) -> None:
    rows = [row(run) for run in TRACES["openai_loop:0"]]
    rows.append({**rows[0], "id": None, "trace_id": None, "dotted_order": None})
    found = list(read_transcripts(write(tmp_path / "runs.parquet", rows)))
    assert [type(item) for item in found] == [Transcript, Unreadable]


def test_damaged_files(tmp_path: Path) -> None:
    whole = (EXPORTS / "bulk_export_like.parquet").read_bytes()
    (tmp_path / "0.parquet").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "1.parquet").write_bytes(b"PAR1")
    write(tmp_path / "2.parquet", [{"a": 1, "b": 2}])
    (tmp_path / "3.parquet").write_bytes(whole)
    half, short, other, *rest = read_transcripts(tmp_path)
    for name, item in (("0.parquet", half), ("1.parquet", short)):
        assert isinstance(item, Unreadable)
        assert item.message.startswith(f"{name} cannot be read as Parquet: ")
    assert isinstance(other, Unreadable)
    assert other.message == "2.parquet holds no LangSmith runs: there is no column id among a, b."
    assert len(texts(rest)) == 4


def test_traces_of_a_folder_with_a_damaged_file_may_lack_runs(
    tmp_path: Path, rows: list[dict[str, Any]]
) -> None:
    write(tmp_path / "a.parquet", rows[::2])
    (tmp_path / "b.parquet").write_bytes(b"PAR1" + bytes(100))
    told, *found = read_transcripts(tmp_path)
    assert isinstance(told, Unreadable)
    reasons = {item.incomplete for item in found if isinstance(item, Transcript)}
    assert None not in reasons
    assert "a file of the export cannot be read, and may hold rows of this trace" in reasons


def test_damaged_pages(tmp_path: Path) -> None:
    data = bytearray((EXPORTS / "bulk_export_like.parquet").read_bytes())
    schema = pq.ParquetFile(EXPORTS / "bulk_export_like.parquet")
    names = schema.schema_arrow.names
    start = schema.metadata.row_group(0).column(names.index("outputs")).data_page_offset
    data[start : start + 40] = b"\xff" * 40
    (tmp_path / "runs.parquet").write_bytes(data)
    first, *lost = read_transcripts(tmp_path / "runs.parquet")
    assert isinstance(first, Unreadable)
    assert "runs.parquet cannot be read to its end" in first.message
    assert len(lost) == 4
    assert all(isinstance(item, Unreadable) and "rows of the trace" in item.message for item in lost)


def test_pyarrow_is_asked_for() -> None:
    script = (
        "import sys; sys.modules['pyarrow'] = None; sys.modules['pyarrow.parquet'] = None\n"
        "from turngrade.adapters.langsmith import read_transcripts\n"
        f"print([item.message for item in read_transcripts({str(EXPORTS / 'bulk_export_like.parquet')!r})])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "pip install 'turngrade[parquet]'" in done.stdout


def test_reading_imports_no_framework() -> None:
    script = (
        "import sys\n"
        "from turngrade.adapters.langsmith import is_export, read_transcripts\n"
        f"path = {str(EXPORTS / 'runs_v1.jsonl')!r}\n"
        "assert is_export(path) and len(list(read_transcripts(path))) == 4\n"
        "print([name for name in ('langsmith', 'langchain_core', 'pyarrow') if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_spool_gives_rows_back_in_order() -> None:
    with Spool(limit=50) as spool:
        for number in range(20):
            spool.add(f"trace {number % 3}", {"id": f"{number}", "text": "x" * 9, "n": number})
        assert [kept["n"] for kept in spool.pop("trace 1")] == list(range(1, 20, 3))
        spool.add("trace 0", {"n": 99})
        assert [kept["n"] for kept in spool.pop("trace 0")] == [*range(0, 20, 3), 99]
        assert spool.pop("trace 1") == []
