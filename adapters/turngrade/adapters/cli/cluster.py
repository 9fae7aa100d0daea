"""``--engine ray``: sources are graded on a cluster, and their grades come in the order of the sources.

The workers write the grades of each source to a file of its own, a shard. This process reads the shards and
goes on as if it had graded the sources itself; a rerun finds the shards that are there and grades the others.
"""

from __future__ import annotations

import json
import os
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
from msgspec import Struct
from msgspec.structs import replace

from turngrade.adapters.cli.entries import CannotGrade, Entry, Job
from turngrade.adapters.cli.parallel import OnPart
from turngrade.adapters.cli.sources import Notice, Source, SourceFile
from turngrade.adapters.cli.terminal import visible
from turngrade.core import Grade, Unreadable


class Cluster(Struct, frozen=True):
    """Where sources are graded.

    Args:
        address: The cluster's address, as Ray takes it; None looks for one, and starts one here otherwise.
        shards: The folder of the shards, a path or a URL.
    """

    address: str | None
    shards: str


def outside(sources: Sequence[Source], cluster: Cluster) -> list[Source]:
    """The sources that are not the cluster's own shards, which may lie in a folder that is graded."""
    shards = cluster.shards if "://" in cluster.shards else os.path.realpath(cluster.shards)
    within = f"{shards.rstrip('/')}/"
    return [s for s in sources if not (isinstance(s, SourceFile) and s.place.startswith(within))]


def streams(
    job: Job, sources: Sequence[Source], cluster: Cluster, on_part: OnPart
) -> Generator[tuple[Source, Iterator[Entry]], None, None]:
    """The entries of each source, in order; a source must be used up before the next is asked for.

    Args:
        job: What to do with a source.
        sources: The sources. Those that only this machine has, such as standard input, are graded here.
        cluster: Where the others are graded.
        on_part: Is told which sources have been graded.

    Raises:
        click.UsageError: There is no cluster at that address, or no Ray to reach it with.
        CannotGrade: The cluster fails, or the shards cannot be written.
    """
    from turngrade.adapters.ray import NoCluster, connected

    try:
        with connected(cluster.address), closing(_Shards(job, sources, cluster, on_part)) as shards:
            for source in sources:
                if source in shards.names:
                    yield source, shards.entries(source)
                else:
                    yield source, job.entries(source, partial(on_part, source))
    except NoCluster as error:
        raise click.UsageError(f"--engine ray: {visible(str(error))}") from error


class _Shards:
    """The shards of the sources, some of them there, some of them still to come."""

    def __init__(self, job: Job, sources: Sequence[Source], cluster: Cluster, on_part: OnPart) -> None:
        from turngrade.adapters.ray import Folder, shard_name, write_shards

        self.on_part = on_part
        self.folder = Folder(cluster.shards)
        more = (job.by_thread, job.redact)
        self.sources = {
            shard_name(source.place, job.spec, source.name, source.parts, source.found, *more): source
            for source in sources
            if isinstance(source, SourceFile) and _is_shared(source)
        }
        self.names: dict[Source, str] = {source: name for name, source in self.sources.items()}
        tasks = {name: replace(source, path=source.path.absolute()) for name, source in self.sources.items()}
        self.coming = write_shards(tasks, self.folder, _Rows(replace(job, limit=None)))
        self.files: dict[str, str] = {}

    def entries(self, source: Source) -> Iterator[Entry]:
        """What came of a source, as soon as its shard is there."""
        name = self.names[source]
        while name not in self.files:
            self.wait()
        with self.folder.open(self.files[name]) as file:
            for line in file:
                yield _entry(json.loads(line))

    def wait(self) -> None:
        """Wait for one more shard, whosever turn it is."""
        from turngrade.adapters.ray import ClusterFailed

        try:
            name, file, _ = next(self.coming)
        except ClusterFailed as error:
            told = f"--engine ray: the cluster failed: {error}; what is done is kept for a rerun"
            raise CannotGrade(told) from error
        except OSError as error:
            raise CannotGrade(f"--engine ray: {error}") from error
        self.files[name] = file
        self.on_part(self.sources[name], 1.0)

    def close(self) -> None:
        """Leave what is not done undone."""
        self.coming.close()


class _Rows(Struct, frozen=True):
    """The rows of a shard. It is sent to the workers, and kept there."""

    job: Job

    def __call__(self, source: SourceFile) -> Iterator[Mapping[str, Any]]:
        """Read and grade a source."""
        if source.url is None and not source.path.exists():
            fault = "is not on the machine that was to grade it; put it on shared or object storage"
            yield self.job.spec.grade(Unreadable(source.name, fault)).to_dict()
            return
        with TemporaryDirectory(prefix="turngrade-") as spool:
            here = source if source.url is None else replace(source, path=Path(spool))
            for entry in self.job.entries(here):
                yield _row(entry)


def _row(entry: Entry) -> Mapping[str, Any]:
    if isinstance(entry, Notice):
        return {"source": entry.source, "notice": entry.message}
    return entry[0].to_dict()


def _entry(row: Mapping[str, Any]) -> Entry:
    import msgspec  # costs start-up time, and only shards ask for it

    if "notice" in row:
        return Notice(row["source"], row["notice"])
    return msgspec.convert(row, Grade), None


def _is_shared(source: SourceFile) -> bool:
    """Whether other machines may have it too: it is no copy of standard input or of a pipe."""
    return source.url is not None or source.name == str(source.path)
