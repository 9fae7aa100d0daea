"""A small version of the run on a million transcripts: five times as many take no more memory."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
from tests.benchmarks.million import CHARS, MESSAGES, peaks, write


def test_memory_does_not_grow_with_the_number_of_transcripts(tmp_path: Path) -> None:
    few, many = (found for _, found in peaks([1_000, 5_000], tmp_path))
    assert many.counted[0] > 4.9 * few.counted[0]
    assert many.peak < 1.15 * few.peak
    assert many.peak < 250


def test_no_two_transcripts_are_alike_and_each_is_5_kb(tmp_path: Path) -> None:
    rows = pq.read_table(write(tmp_path / "a.parquet", 300)).to_pylist()
    texts = ["".join(message["text"] for message in row["messages"]) for row in rows]
    assert len(set(texts)) == 300
    assert all(MESSAGES * CHARS <= len(text) <= 1.02 * MESSAGES * CHARS for text in texts)
