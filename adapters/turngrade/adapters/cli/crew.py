"""Processes that grade sources, one at a time each, and send what comes of them.

A worker sends what it has in chunks, and in between how far it is. This process keeps the chunks of sources
whose turn has not come, up to a bound; beyond it, it listens to the source whose turn it is alone, and the
other workers wait.
"""

from __future__ import annotations

import pickle
import signal
import struct
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import cycle, islice
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING

from msgspec import Struct, field

from turngrade.adapters.cli.entries import CHUNK, WHOLE, Entry, Job, Share
from turngrade.adapters.cli.sources import SourceFile
from turngrade.core import OnRead, Unreadable

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

    from turngrade.adapters.cli.parallel import OnPart

KEPT = 64_000_000
"""Bytes of chunks that are kept for sources whose turn has not come."""

PAUSE = 0.2
"""Seconds between two words of a worker on how far it is."""

_END = b""
_PART = struct.Struct("d")
"""A message of this size, which no chunk has, is the part of the file that has been read."""


class _Shard(Struct, eq=False):
    """A file or a share of it, and what came of it so far."""

    source: SourceFile
    share: Share = WHOLE
    part: float = 0.0
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
        with _undisturbed():  # half a start would leave a process that tells of it on stderr
            self.process.start()
        other.close()

    def begin(self, shard: _Shard) -> None:
        """Hand it a file."""
        self.shard = shard
        with suppress(OSError):  # of a process that has ended; receiving will tell
            self.connection.send((shard.source, shard.share))

    def receive(self) -> int:
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
            shard.part = 1.0
            self.shard = None
        elif len(message) == _PART.size:
            (shard.part,) = _PART.unpack(message)
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


class Crew:
    """Workers, and what they were given."""

    def __init__(
        self, job: Job, shares: Mapping[SourceFile, Sequence[Share]], count: int, on_part: OnPart
    ) -> None:
        self.job = job
        self.on_part = on_part
        self.shards = {
            source: [_Shard(source, share) for share in of_source] for source, of_source in shares.items()
        }
        self.waiting = deque(shard for of_source in self.shards.values() for shard in of_source)
        self.workers: list[_Worker] = []
        self.count = count
        self.kept = 0

    def entries(self, source: SourceFile) -> Iterator[Entry]:
        """What comes of a file: a chunk of each share in turn, until one has no more."""
        shards = self.shards[source]
        for shard in cycle(shards):
            chunk = self.next_chunk(shard)
            if chunk is None:
                break
            yield from pickle.loads(chunk)
        while any(self.next_chunk(shard) is not None for shard in shards):
            pass  # of a share that goes on where another one was lost
        if any(shard.lost for shard in shards):
            problem = Unreadable(source.name, "the process that read it ended; is there enough memory?")
            yield self.job.spec.grade(problem), None
        del self.shards[source]

    def next_chunk(self, shard: _Shard) -> bytes | None:
        """Wait for the next chunk of a share; None if there is no more."""
        while not (shard.chunks or shard.ended):
            self.listen(shard)
        if not shard.chunks:
            return None
        chunk = shard.chunks.popleft()
        self.kept -= len(chunk)
        return chunk

    def listen(self, shard: _Shard) -> None:
        """Hand out files, and take in what the workers send."""
        self.employ()
        ready = [worker for worker in self.workers if worker.shard is not None]
        if self.kept >= KEPT:
            ready = [worker for worker in ready if worker.shard is shard]
        heard = wait([worker.connection for worker in ready])
        for worker in ready:
            if worker.connection in heard and worker.shard is not None:
                source = worker.shard.source
                self.kept += worker.receive()
                self.on_part(source, min(shard.part for shard in self.shards[source]))
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


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Have the signals that end this process wait. A process that is started meanwhile has them wait too."""
    if not hasattr(signal, "pthread_sigmask"):  # on Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(job: Job, connection: Connection) -> None:
    """What a worker does, until the other end is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is the first process that ends the others
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    try:
        while True:
            source, share = connection.recv()
            entries = job.entries(source, _teller(connection), share)
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
