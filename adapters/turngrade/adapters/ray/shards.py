"""Files on shared storage, each graded to a file of its own, so that a rerun skips what is done."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeAlias

from turngrade.adapters.ray.datasets import actor_pool
from turngrade.core import Spec, SpecSource, Transcript, Unreadable, load_spec

Reader: TypeAlias = Callable[[str], Iterator[Transcript | Unreadable]]
"""Reads a source. It is sent to the workers, so it must be importable there."""


@dataclass(frozen=True, slots=True)
class ShardResult:
    """What became of one input file.

    Args:
        source: The input file.
        output: The JSONL file with one grade a transcript.
        grades: Number of grades in it.
        skipped: Whether it was there already, from a run that was stopped.
    """

    source: str
    output: str
    grades: int
    skipped: bool = False


def shard_path(folder: Path, source: str, spec: Spec) -> Path:
    """Where the grades of a source go: another file for another spec, so that no old grade is reused."""
    key = hashlib.sha256(json.dumps([source, spec.digest]).encode()).hexdigest()[:16]
    return folder / f"{Path(source).stem}-{key}.jsonl"


def grade_shards(
    sources: Sequence[str],
    spec: SpecSource,
    folder: str | os.PathLike[str],
    *,
    read: Reader,
    workers: int | tuple[int, int] | None = None,
) -> Iterator[ShardResult]:
    """Grade files on a cluster; each file is whole or absent, whatever dies while it is written.

    Args:
        sources: Paths that every worker can read.
        spec: As `turngrade.core.load_spec` takes it.
        folder: Where the grades go, on storage that every worker can write; made if it is missing.
        read: How a source is read.
        workers: As in `grade_dataset`.

    Yields:
        One result a source, in the order in which they are done.

    Raises:
        InvalidSpec: The spec cannot be used.
    """
    import ray.data  # pyright: ignore[reportMissingImports]

    loaded = load_spec(spec)
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    waiting = []
    for source in sources:
        path = shard_path(target, source, loaded)
        if path.exists():
            yield ShardResult(source, str(path), _count_lines(path), skipped=True)
        else:
            waiting.append({"source": source})
    if waiting:
        shards = ray.data.from_items(waiting, override_num_blocks=len(waiting))
        done = shards.map(
            ShardActor, fn_constructor_args=(loaded, str(target), read), compute=actor_pool(workers)
        )
        yield from (ShardResult(**row) for row in done.iter_rows())


class ShardActor:
    """Keeps the compiled spec on a worker while files come and go."""

    def __init__(self, spec: Spec, folder: str, read: Reader) -> None:
        self.spec = spec
        self.folder = Path(folder)
        self.read = read

    def __call__(self, row: dict[str, str]) -> dict[str, object]:
        """Grade one file."""
        source = row["source"]
        path = shard_path(self.folder, source, self.spec)
        count = _write_whole(
            path, (json.dumps(grade.to_dict()) for grade in map(self.spec.grade, self.read(source)))
        )
        return asdict(ShardResult(source, str(path), count))


def _write_whole(path: Path, lines: Iterable[str]) -> int:
    """Write a file under another name first: a worker may die at any line, or be run twice."""
    part = path.with_name(f".{path.name}.{os.getpid()}-{os.urandom(4).hex()}.part")
    count = 0
    try:
        with part.open("w", encoding="utf-8") as file:
            for line in lines:
                file.write(line + "\n")
                count += 1
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return count


def _count_lines(path: Path) -> int:
    with path.open("rb") as file:
        return sum(1 for _ in file)
