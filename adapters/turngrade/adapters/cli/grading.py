"""Grading many sources with one spec, one transcript at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from turngrade.adapters.cli.progress import Meter
from turngrade.adapters.cli.reading import read
from turngrade.adapters.cli.sources import Notice, Project, Source, SourceFile
from turngrade.core import Grade, Spec, Transcript

Graded: TypeAlias = tuple[Grade, Transcript | None]
"""A grade with its transcript as it was graded; without one where it could not be read."""


def grade_all(spec: Spec, sources: Iterable[Source], notices: list[Notice], meter: Meter) -> Iterator[Graded]:
    """Grade the transcripts of all sources, in order.

    Args:
        spec: The spec.
        sources: What to read.
        notices: Is given the sources that hold nothing to grade.
        meter: Is told how the work goes on.
    """
    for source in sources:
        meter.source(source.name if isinstance(source, SourceFile | Project) else source.source)
        for item in read(source):
            if isinstance(item, Notice):
                notices.append(item)
                continue
            yield spec.grade(item), spec.prepared(item) if isinstance(item, Transcript) else None
            meter.transcript()
