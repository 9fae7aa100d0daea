"""How much of the work there is, and how much of it is done, by the sizes of the sources."""

from __future__ import annotations

from collections.abc import Sequence

from turngrade.adapters.cli.sources import Project, Source, SourceFile

_NEARLY = 0.99
"""What is read need not be graded yet: all is done when the work has ended, not before."""


class Extent:
    """The work on some sources: each counts by its bytes, and is done by the part that has been read.

    Args:
        sources: All sources, each once.
        limit: Number of transcripts after which the work ends.
    """

    def __init__(self, sources: Sequence[Source], limit: int | None = None) -> None:
        self.sources = len(sources)
        self.ended = 0
        """Sources on which the work has ended."""
        self.transcripts = 0
        """Transcripts that are graded."""
        self._limit = limit
        self._sizes = _sizes(sources)
        self._total = sum(self._sizes.values())
        self._known = not any(isinstance(source, Project) for source in sources)
        self._done = 0.0
        self._parts: dict[Source, float] = {}
        self._current: Source | None = None

    @property
    def part(self) -> float | None:
        """The part that is done, from 0 to 1; it never falls. None where nobody knows how much there is."""
        if self.sources == self.ended:
            return 1.0
        parts = [self._done / self._total] if self._known else []
        if self._limit is not None:
            parts.append(self.transcripts / self._limit)
        return min(_NEARLY, max(parts)) if parts else None

    def begin(self, source: Source) -> None:
        """The work on a source begins, and that on the one before it has ended."""
        self._end_current()
        self._current = source

    def read(self, source: Source, part: float) -> None:
        """So much of a source, from 0 to 1, has been read; what was told before is not taken back."""
        before = self._parts.get(source, 0.0)
        if part > before:
            self._parts[source] = part
            self._done += self._sizes[source] * (part - before)

    def end(self) -> None:
        """All of the work has ended."""
        self._end_current()
        self.ended = self.sources

    def _end_current(self) -> None:
        if self._current is not None:
            self.read(self._current, 1.0)
            self.ended += 1


def _sizes(sources: Sequence[Source]) -> dict[Source, float]:
    """The bytes of sources and 1 each, so that each is some work. One of unknown size counts as the mean."""
    known = {source: _size(source) for source in sources}
    sizes = [size for size in known.values() if size is not None]
    mean = sum(sizes) / len(sizes) if sizes else 0.0
    return {source: 1 + (mean if size is None else size) for source, size in known.items()}


def _size(source: Source) -> int | None:
    if not isinstance(source, SourceFile):
        return 0
    if source.url is not None:
        return None
    path = source.path
    try:
        if path.is_dir():
            return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
        return path.stat().st_size
    except OSError:
        return None
