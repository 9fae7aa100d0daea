"""``grade --engine ray`` on an object store, a real S3 server: logs and Parquet there, and the shards too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.s3_server import KEY, SECRET, S3Server

pytest.importorskip("ray")
pytest.importorskip("ray.cluster_utils")  # without Ray, the folder of this test is found as "ray"

from turngrade.adapters.cli.app import run
from turngrade.adapters.ray.shards import DONE, INCOMPLETE
from turngrade.core import Transcript, transcript_table

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

DATA = Path(__file__).parents[1] / "data" / "inspect"
SPEC = {"graders": [{"type": "transcript-not-contains", "config": {"value": "refund"}}]}
SHARDS = "s3://logs/runs/shards"
CALL = ("grade", "spec.json", "s3://logs/runs/", "--show", "none", "-q")


def parquet(*texts: str) -> bytes:
    sink = pa.BufferOutputStream()
    table = transcript_table(Transcript.from_texts([text], id=str(n)) for n, text in enumerate(texts))
    pq.write_table(table, sink)
    data: bytes = sink.getvalue().to_pybytes()
    return data


@pytest.fixture
def filled(s3: S3Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> S3Server:
    """A bucket of logs, Parquet, and a file that cannot be read; shards are not there."""
    monkeypatch.chdir(tmp_path)
    Path("spec.json").write_text(json.dumps(SPEC))
    for name in ("plain.eval", "epochs.eval", "inspect-0.3.260.json"):
        s3.put(f"runs/{name}", (DATA / name).read_bytes())
    s3.put("runs/rows [1].parquet", parquet("a refund", "no news", "😀"))
    s3.put("runs/torn.jsonl", b'{"messages": ')
    return s3


def shards(s3: S3Server) -> dict[str, Any]:
    """What is in the folder of shards, and when it was written."""
    return {key.removeprefix("runs/shards/"): s3.written(key) for key in s3.names() if "/shards/" in key}


def test_a_bucket_is_graded_as_by_one_process_and_a_rerun_skips_what_is_done(
    filled: S3Server, cluster: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*CALL, "-o", "one.jsonl"]) == 3
    told = capsys.readouterr().err
    clustered = (*CALL, "--engine", "ray", "--shards", SHARDS, "-o", "many.jsonl")
    assert run(clustered) == 3
    assert capsys.readouterr().err == told
    assert Path("many.jsonl").read_bytes() == Path("one.jsonl").read_bytes()
    first = shards(filled)
    assert sum(name.endswith(INCOMPLETE) for name in first) == 1
    assert sum(name.endswith(DONE) for name in first) == 5
    filled.put("runs/torn.jsonl", b'{"messages": []}')
    filled.put("runs/rows [1].parquet", parquet("another"))
    assert run(clustered) == 1
    again = shards(filled)
    new = {name for name in again if name not in first}
    assert {name[:4] for name in new} == {"torn", "rows"}
    assert all(again[name] == time for name, time in first.items())
    rows = [row for name in new for row in filled.get(f"runs/shards/{name}").splitlines()]
    assert len(rows) == 2


def test_faults_of_the_store_are_told(
    filled: S3Server, cluster: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    for place, fault in (
        ("s3://nobucket/shards", "The specified bucket does not exist"),
        ("s3://shut/shards", "Forbidden"),
        ("nostore://x/y", "Protocol not known: nostore"),
    ):
        assert run([*CALL, "--engine", "ray", "--shards", place]) == 3
        err = capsys.readouterr().err
        assert err.startswith("--engine ray: ")
        assert fault in err
        assert KEY not in err
        assert SECRET not in err
    assert "nobucket" not in filled.buckets()
