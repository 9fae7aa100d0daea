"""``-j N``: sources are graded in worker processes, and their grades come in the order of the sources.

A large file would keep one worker busy when the others have done all else. All workers read it, and each
grades its share of the chunks: reading a log costs little beside grading it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import TypeAlias

from turngrade.adapters.cli.entries import WHOLE, Entry, Job, Share
from turngrade.adapters.cli.reading import kind_of
from turngrade.adapters.cli.sources import Source, SourceFile

LARGE = 8_000_000
"""Bytes of a file from which on sharing it is worth the start of more workers."""

OnPart: TypeAlias = Callable[[Source, float], None]
"""Is told which part of a source has been read by now, in this process or in a worker."""


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
    shares = _shares(files, processes) if processes > 1 else {}
    workers = min(processes, sum(map(len, shares.values())))
    if workers < 2:
        yield from ((source, job.entries(source, partial(on_part, source))) for source in sources)
        return
    from turngrade.adapters.cli.crew import Crew  # costs start-up time, and one process does without

    with closing(Crew(job, shares, workers, on_part)) as crew:
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
