"""Peak memory of `turngrade grade` on Parquet files of more and more transcripts: a million, in one process.

    python -m tests.benchmarks.million [--counts 100000 300000 1000000] [--folder FOLDER]

A transcript is 8 messages, 5 kB together. Each file is made, graded with ten graders in a process of its own,
results written, and deleted.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.parquet as pq
from tests.benchmarks.bench_grade import GRADERS
from tests.benchmarks.fresh import Call, Measured, measure

from turngrade.core import transcript_schema

MESSAGES, CHARS = 8, 625
GROUP = 10_000
"""Rows of a row group: 50 MB of text."""

WARM_UP_ROWS = 100


def texts(seed: int = 7) -> str:
    """A megabyte of words, from which all messages are cut."""
    source = random.Random(seed)
    vocabulary = [
        "".join(source.choices("abcdefghijklmnopqrstuvwxyz", k=source.randint(2, 11))) for _ in range(3000)
    ]
    return " ".join(source.choices(vocabulary, k=150_000))


def write(file: Path, count: int) -> Path:
    """Write so many transcripts, no two alike."""
    words = texts()
    schema = pa.schema([transcript_schema().field(name) for name in ("id", "messages")])
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for begin in range(0, count, GROUP):
            numbers = range(begin, min(begin + GROUP, count))
            writer.write_table(pa.Table.from_pylist([_row(number, words) for number in numbers], schema))
    return file


def _row(number: int, words: str) -> dict[str, object]:
    starts = ((number * MESSAGES + turn) * 131 % (len(words) - CHARS) for turn in range(MESSAGES))
    return {"id": str(number), "messages": [{"text": f"{number} {words[at : at + CHARS]}"} for at in starts]}


def peaks(counts: Sequence[int], folder: Path) -> Iterator[tuple[int, Measured]]:
    """Grade files of so many transcripts each; peak memory in MB, and bytes of the results."""
    spec = folder / "spec.json"
    spec.write_text(json.dumps({"graders": GRADERS}), "utf-8")
    first = write(folder / "first.parquet", WARM_UP_ROWS)
    for count in counts:
        file = write(folder / f"{count}.parquet", count)
        way = Call("tests.benchmarks.ways", "grade", (str(spec), str(file)), (str(spec), str(first)))
        yield count, measure({count: way}, 1)[count]
        file.unlink()


def main() -> None:
    """Measure, and print a line for each count."""
    parser = argparse.ArgumentParser(description="Peak memory against the number of transcripts.")
    parser.add_argument("--counts", type=int, nargs="+", default=[100_000, 300_000, 1_000_000])
    parser.add_argument("--folder", type=Path, help="where the files are made; some GB are needed")
    options = parser.parse_args()
    print("transcripts  peak MB  × the first  CPU, × the first for each transcript", flush=True)
    with TemporaryDirectory(dir=options.folder) as folder:
        first: tuple[int, Measured] | None = None
        for count, found in peaks(options.counts, Path(folder)):
            first = first or (count, found)
            memory = found.peak / first[1].peak
            each = (found.cpu / count) / (first[1].cpu / first[0])
            print(f"{count:11,}  {found.peak:7.0f}  {memory:11.2f}  {each:.2f}", flush=True)


if __name__ == "__main__":
    main()
