"""``-j N``: sources are graded in worker processes, and their grades come in the order of the sources.

A worker grades one source at a time and sends what it has in chunks, and in between how far it is. This
process keeps the chunks of sources whose turn has not come, up to a bound; beyond it, it listens to the
source whose turn it is alone, and the other workers wait.

A large file would keep one worker busy when the others have done all else. All workers read it, and each
grades its share of the chunks: reading a log costs little beside grading it.
"""

from __future__ import annotations

import pickle
import signal
import struct
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle, islice
from typing import TYPE_CHECKING, TypeAlias

from turngrade.adapters.cli.entries import CHUNK, WHOLE, Entry, Job, Share
from turngrade.adapters.cli.reading import kind_of
from turngrade.adapters.cli.sources import Source, SourceFile
from turngrade.core import OnRead, Unreadable

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

LARGE = 8_000_000
"""Bytes of a file from which on sharing it is worth the start of more workers."""

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
        processes: Number of workers, at most one a file or a share of one; with one, all is done in this
            process.
        on_part: Is told how far the reading of sources is, also of those whose turn has not come.
    """
    files = [source for source in sources if isinstance(source, SourceFile)]
    shares = _shares(files, processes)
    workers = min(processes, sum(map(len, shares.values())))
    if workers < 2:
        yield from ((source, job.entries(source, partial(on_part, source))) for source in sources)
        return
    with closing(_Crew(job, shares, workers, on_part)) as crew:
        for source in sources:
            yield source, crew.entries(source) if isinstance(source, SourceFile) else job.entries(source)


def _shares(files: Sequence[SourceFile], processes: int) -> dict[SourceFile, list[Share]]:
    """How each file is shared: those that are large, and more than one worker's part of all, by all."""
    sizes = {source: _size(source) for source in files}
    total = sum(sizes.values())
    return {
        source: [Share(index, processes) for index in range(processes)]
        if size >= LARGE and size * processes > total
        else [WHOLE]
        for source, size in sizes.items()
    }


def _size(source: SourceFile) -> int:
    """Bytes; 0 of what is not worth to be read more than once: what is fetched, and LangSmith's exports."""
    try:
        if source.url is not None or source.path.is_dir() or kind_of(source.path) == "langsmith":
            return 0
        return source.path.stat().st_size
    except OSError:
        return 0


@dataclass(eq=False)
class _Shard:
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
        from multiprocessing import get_context  # costs start-up time, and one process does without

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


class _Crew:
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
        from multiprocessing.connection import wait

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
