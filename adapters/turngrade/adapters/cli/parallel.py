"""``-j N``: sources are graded in worker processes, and their grades come in the order of the sources.

A worker grades one source at a time and sends what it has in chunks, and in between how far it is. This
process keeps the chunks of sources whose turn has not come, up to a bound; beyond it, it listens to the
source whose turn it is alone, and the other workers wait.
"""

from __future__ import annotations

import pickle
import signal
import struct
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import TypeAlias

from turngrade.adapters.cli.entries import Entry, Job
from turngrade.adapters.cli.sources import Source, SourceFile
from turngrade.core import OnRead, Unreadable

CHUNK = 16
"""Transcripts that are sent together."""

KEPT = 64_000_000
"""Bytes of chunks that are kept for sources whose turn has not come."""

PAUSE = 0.2
"""Seconds between two words of a worker on how far it is."""

OnPart: TypeAlias = Callable[[Source, float], None]
"""Is told which part of a source has been read by now, in this process or in a worker."""

_END = b""
_PART = struct.Struct("d")
"""A message of this size, which no chunk has, is the part of the file that has been read."""


def unheard(source: Source, part: float) -> None:
    """Takes no notice of how far it is."""


def streams(
    job: Job, sources: Sequence[Source], processes: int, on_part: OnPart = unheard
) -> Generator[tuple[Source, Iterator[Entry]], None, None]:
    """The entries of each source, in order; a source must be used up before the next is asked for.

    Args:
        job: What to do with a source.
        sources: The sources.
        processes: Number of workers, at most one a file; with one, all is done in this process.
        on_part: Is told how far the reading of sources is, also of those whose turn has not come.
    """
    files = [source for source in sources if isinstance(source, SourceFile)]
    workers = min(processes, len(files))
    if workers < 2:
        yield from ((source, job.entries(source, partial(on_part, source))) for source in sources)
        return
    with closing(_Crew(job, files, workers, on_part)) as crew:
        for source in sources:
            yield source, crew.entries(source) if isinstance(source, SourceFile) else job.entries(source)


@dataclass
class _Shard:
    """A file, and what came of it so far."""

    source: SourceFile
    chunks: deque[bytes] = field(default_factory=deque)
    ended: bool = False
    lost: bool = False


class _Worker:
    """A process that grades files, one after the other."""

    def __init__(self, job: Job) -> None:
        context = get_context("spawn")
        self.connection, other = context.Pipe()
        self.shard: _Shard | None = None
        self.process: SpawnProcess = context.Process(target=_work, args=(job, other), daemon=True)
        self.process.start()
        other.close()

    def begin(self, shard: _Shard) -> None:
        """Hand it a file."""
        self.shard = shard
        with suppress(OSError):  # of a process that has ended; receiving will tell
            self.connection.send(shard.source)

    def receive(self, on_part: OnPart) -> int:
        """Take in one message; the number of its bytes that are kept."""
        shard = self.shard
        assert shard is not None
        try:
            message = self.connection.recv_bytes()
        except (EOFError, OSError):
            shard.lost = shard.ended = True
            return 0
        if message == _END:
            shard.ended = True
            self.shard = None
            on_part(shard.source, 1.0)
        elif len(message) == _PART.size:
            on_part(shard.source, *_PART.unpack(message))
            return 0
        else:
            shard.chunks.append(message)
        return len(message)

    def close(self) -> None:
        """End the process, whatever it is at."""
        self.connection.close()
        self.process.terminate()
        self.process.join()
        self.process.close()


class _Crew:
    """Workers, and what they were given."""

    def __init__(self, job: Job, files: Sequence[SourceFile], count: int, on_part: OnPart) -> None:
        self.job = job
        self.on_part = on_part
        self.waiting = deque(_Shard(source) for source in files)
        self.shards = {shard.source: shard for shard in self.waiting}
        self.workers: list[_Worker] = []
        self.count = count
        self.kept = 0

    def entries(self, source: SourceFile) -> Iterator[Entry]:
        """What comes of a file."""
        shard = self.shards.pop(source)
        while shard.chunks or not shard.ended:
            if shard.chunks:
                chunk = shard.chunks.popleft()
                self.kept -= len(chunk)
                yield from pickle.loads(chunk)
            else:
                self.listen(shard)
        if shard.lost:
            problem = Unreadable(source.name, "the process that read it ended; is there enough memory?")
            yield self.job.spec.grade(problem), None

    def listen(self, shard: _Shard) -> None:
        """Hand out files, and take in what the workers send."""
        self.employ()
        ready = [worker for worker in self.workers if worker.shard is not None]
        if self.kept >= KEPT:
            ready = [worker for worker in ready if worker.shard is shard]
        heard = wait([worker.connection for worker in ready])
        for worker in ready:
            if worker.connection in heard:
                self.kept += worker.receive(self.on_part)
                if worker.shard is not None and worker.shard.lost:
                    self.workers.remove(worker)
                    worker.close()

    def employ(self) -> None:
        """Give every free worker a file; start those that are missing."""
        while len(self.workers) < self.count and len(self.waiting) > sum(
            worker.shard is None for worker in self.workers
        ):
            self.workers.append(_Worker(self.job))
        for worker in self.workers:
            if worker.shard is None and self.waiting:
                worker.begin(self.waiting.popleft())

    def close(self) -> None:
        """End all workers."""
        for worker in self.workers:
            worker.close()


def _work(job: Job, connection: Connection) -> None:
    """What a worker does, until the other end is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is the first process that ends the others
    try:
        while True:
            entries = job.entries(connection.recv(), _teller(connection))
            while chunk := list(islice(entries, CHUNK)):
                connection.send_bytes(pickle.dumps(chunk, pickle.HIGHEST_PROTOCOL))
            connection.send_bytes(_END)
    except (EOFError, OSError):
        return


def _teller(connection: Connection) -> OnRead:
    """Tells the other end how far the reading is, now and then."""
    told = time.monotonic()

    def tell(part: float) -> None:
        nonlocal told
        now = time.monotonic()
        if now - told >= PAUSE:
            told = now
            connection.send_bytes(_PART.pack(part))

    return tell
