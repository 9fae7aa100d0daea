"""Files on shared or object storage, each graded to a file of its own, so that a rerun skips what is done."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import IO, Any, TypeAlias

from turngrade.adapters.ray.datasets import actor_pool
from turngrade.adapters.ray.storage import Folder, forget_listings, version_of
from turngrade.core import Spec, SpecSource, Transcript, Unreadable, load_spec
from turngrade.core.version import version

Reader: TypeAlias = Callable[[str], Iterator[Transcript | Unreadable]]
"""Reads a source. It is sent to the workers, so it must be importable there."""

Work: TypeAlias = Callable[[Any], Iterable[Mapping[str, Any]]]
"""Gives the rows of a source. It is sent to the workers, and kept there."""

DONE = ".jsonl"
INCOMPLETE = ".incomplete.jsonl"
"""The end of the name of a shard in which something could not be read: it is graded again by a rerun."""

_LONGEST_STEM = 50
"""Characters of the name of a source in that of its shard, which may have 255 bytes."""

_UNUSUAL = re.compile(r"[^\w.-]+")
"""What is a wildcard somewhere, or has a meaning in a URL."""

_EXCEPTION = re.compile(r"[\w.]+(?:Error|Exception|Exit|Interrupt)\b")


class ClusterFailed(RuntimeError):
    """The cluster did not do the work; the message says why. What is done is kept."""


@dataclass(frozen=True, slots=True)
class ShardResult:
    """What became of one input file.

    Args:
        source: The input file.
        output: The JSONL file with one grade a transcript.
        skipped: Whether it was there already, from an earlier run.
    """

    source: str
    output: str
    skipped: bool = False


def shard_name(source: str, spec: Spec, *more: object) -> str:
    """What the shard of a source is called, without the end of the name.

    Another content of the source, another spec and another release of turngrade give another name, so that
    no old grade is taken for a new one.

    Args:
        source: A path or a URL.
        spec: The spec.
        more: What else decides what is in the shard.
    """
    parts = [source, version_of(source), spec.digest, version(), *map(repr, more)]
    key = hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]
    stem = _UNUSUAL.sub("_", PurePosixPath(source.partition("?")[0]).stem)[:_LONGEST_STEM]
    return f"{stem or 'shard'}-{key}"


def grade_shards(
    sources: Sequence[str],
    spec: SpecSource,
    folder: str | os.PathLike[str],
    *,
    read: Reader,
    workers: int | tuple[int, int] | None = None,
) -> Iterator[ShardResult]:
    """Grade files on a cluster; each file of grades is whole or absent, whatever dies while it is written.

    Args:
        sources: Paths or URLs that every worker can read.
        spec: As `turngrade.core.load_spec` takes it.
        folder: Where the grades go: a path that every worker can write to, or a URL that fsspec knows; made
            if it is missing. The file of a source that could not be read, or not all of it, is called
            ``….incomplete.jsonl``, and its source is graded again by a rerun.
        read: How a source is read.
        workers: As in `turngrade.adapters.ray.grade_dataset`.

    Yields:
        One result a source, in the order in which they are done.

    Raises:
        InvalidSpec: The spec cannot be used.
        OSError: The folder cannot be made, or not be written to.
        ClusterFailed: The cluster does not work.
    """
    loaded = load_spec(spec)
    target = Folder(os.fspath(folder))
    forget_listings(sources)
    tasks = {shard_name(source, loaded): source for source in sources}
    for name, output, skipped in write_shards(tasks, target, _Grading(loaded, read), workers=workers):
        yield ShardResult(tasks[name], target.full(output), skipped)


def write_shards(
    tasks: Mapping[str, Any], folder: Folder, work: Work, *, workers: int | tuple[int, int] | None = None
) -> Generator[tuple[str, str, bool], None, None]:
    """Write a shard for each source that has none.

    Args:
        tasks: The sources, picklable, by the names of their shards.
        folder: Where the shards go.
        work: What to do with a source. A row with ``error`` is of something that could not be read.
        workers: As in `turngrade.adapters.ray.grade_dataset`.

    Yields:
        The name of a shard, that of its file, and whether it was there already; those that were come first.

    Raises:
        OSError: The folder cannot be made, or not be written to.
        ClusterFailed: The cluster does not work.
    """
    folder.make()
    there = folder.names()
    for name in tasks:
        if name + DONE in there:
            yield name, name + DONE, True
    waiting = [name for name in tasks if name + DONE not in there]
    if waiting:
        for name, output in _written({name: tasks[name] for name in waiting}, folder, work, workers):
            yield name, output, False


def _written(
    tasks: Mapping[str, Any], folder: Folder, work: Work, workers: int | tuple[int, int] | None
) -> Iterator[tuple[str, str]]:
    import ray.data  # pyright: ignore[reportMissingImports]
    import ray.exceptions  # pyright: ignore[reportMissingImports]

    rows = [{"name": name, "source": pickle.dumps(source)} for name, source in tasks.items()]
    done = ray.data.from_items(rows, override_num_blocks=len(rows)).map(
        ShardActor, fn_constructor_args=(work, folder), compute=actor_pool(workers)
    )
    try:
        for row in done.iter_rows():
            if row["failure"] is not None:
                raise ClusterFailed(row["failure"])
            if row["fault"] is not None:
                raise OSError(f"{folder.place}: cannot be written: {row['fault']}")
            yield row["name"], row["output"]
    except ray.exceptions.RayError as error:
        raise ClusterFailed(_cause_of(error)) from error


def _cause_of(error: BaseException) -> str:
    """The last exception that Ray tells of, which is that on the worker; hints may stand behind it."""
    lines = [line for line in str(error).splitlines() if line.strip()]
    exceptions = [line for line in lines if _EXCEPTION.match(line)]
    return (exceptions or lines or [type(error).__name__])[-1]


class ShardActor:
    """Keeps the compiled spec on a worker while files come and go."""

    def __init__(self, work: Work, folder: Folder) -> None:
        self.work = work
        self.folder = folder

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        """Write the shard of one source, and remove the one that was incomplete."""
        name, source = row["name"], pickle.loads(row["source"])

        def write(file: IO[bytes]) -> str:
            end = DONE
            for line in self.work(source):
                end = INCOMPLETE if "error" in line else end
                file.write(json.dumps(line).encode() + b"\n")
            return f"{name}{end}"

        done: dict[str, Any] = {"name": name, "output": "", "fault": None, "failure": None}
        try:
            done["output"] = self.folder.write_whole(write)
            if not done["output"].endswith(INCOMPLETE):
                self.folder.remove([name + INCOMPLETE])
        except OSError as error:
            done["fault"] = error.strerror or str(error)
        except Exception as error:  # Ray would bury it under its own words
            done["failure"] = f"{type(error).__name__}: {error}"
        return done


@dataclass(frozen=True)
class _Grading:
    """Reads and grades a source."""

    spec: Spec
    read: Reader

    def __call__(self, source: str) -> Iterator[Mapping[str, Any]]:
        return (grade.to_dict() for grade in map(self.spec.grade, self.read(source)))
