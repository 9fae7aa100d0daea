"""The page on clusters: its columns are those of the schemas, and its engines give what one process gives."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.docs.snippets import snippets_of

from turngrade.core import batch_grader, transcript_schema, verdict_schema

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "scale.md"
SNIPPETS = {snippet.title: snippet.text for snippet in snippets_of(PAGE) if snippet.title}

ENGINES = {
    "with_ray.py": ("ray.data", "ray-verdicts"),
    "with_spark.py": ("pyspark", "spark-verdicts"),
    "with_polars.py": ("polars", "polars-verdicts.parquet"),
    "with_duckdb.py": ("duckdb", "duckdb-verdicts.parquet"),
}


def is_installed(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ImportError:
        return False


@pytest.mark.parametrize(
    ("head", "schema"), [("transcripts", transcript_schema), ("verdicts", verdict_schema)]
)
def test_the_tables_have_every_column(head: str, schema: Callable[[], pa.Schema]) -> None:
    table = PAGE.read_text("utf-8").partition(f"| column of {head} | what it is |\n")[2].partition("\n\n")[0]
    named = re.findall(r"`(\w+)`", " ".join(line.split("|")[1] for line in table.splitlines()))
    assert named == schema().names


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    execute("make_transcripts.py", tmp_path)
    return tmp_path


def execute(title: str, folder: Path) -> None:
    (folder / title).write_text(SNIPPETS[title], "utf-8")
    env = {**os.environ, "PYSPARK_PYTHON": sys.executable, "RAY_ADDRESS": "local"}
    done = subprocess.run(
        [sys.executable, title], cwd=folder, env=env, text=True, capture_output=True, timeout=300
    )
    assert done.returncode == 0, done.stderr[-4000:]


def in_order(rows: list[dict[str, Any]]) -> list[str]:
    return sorted(json.dumps(row, sort_keys=True) for row in rows)


@pytest.mark.slow
@pytest.mark.parametrize("title", ENGINES)
def test_an_engine_gives_the_rows_of_one_process(title: str, folder: Path) -> None:
    package, output = ENGINES[title]
    if not is_installed(package):
        pytest.skip(f"{package} is not installed")
    execute(title, folder)
    grader = batch_grader(folder / "examples" / "no-refund-promise.yaml")
    expected = grader(pq.read_table(folder / "transcripts"))
    assert in_order(pq.read_table(folder / output).to_pylist()) == in_order(expected.to_pylist())


@pytest.mark.slow
def test_shards_in_python(folder: Path) -> None:
    if not is_installed("ray.data"):
        pytest.skip("ray is not installed")
    execute("with_shards.py", folder)
    (shard,) = (folder / "shards").glob("inspect-*.jsonl")
    assert len(shard.read_text("utf-8").splitlines()) == 4
