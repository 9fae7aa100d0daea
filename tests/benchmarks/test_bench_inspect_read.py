"""Reading a log costs little more than decompressing it; memory does not grow with the samples."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.benchmarks.bench_inspect_read import measure
from tests.benchmarks.big_log import big_log


@pytest.mark.slow
def test_bench_reading_logs(tmp_path: Path) -> None:
    few = measure(big_log(tmp_path, 60, 30, 2000), rounds=4)
    many = measure(big_log(tmp_path, 240, 30, 2000), rounds=4, ways=("decompress", "turngrade"))
    # CPU time: what else runs on the machine counts less
    assert few["turngrade"].found == few["read_eval_log"].found == (60, 1800)
    assert many["turngrade"].cpu < 6 * many["decompress"].cpu
    assert few["read_eval_log"].cpu > 12 * few["turngrade"].cpu
    assert many["turngrade"].peak < 100
    assert many["turngrade"].peak < 1.2 * few["turngrade"].peak
