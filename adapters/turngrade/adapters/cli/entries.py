"""Sources → graded transcripts, the same way in this process and in workers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from turngrade.adapters.cli.reading import read
from turngrade.adapters.cli.sources import Notice, Source
from turngrade.core import Grade, OnRead, Spec, Transcript

if TYPE_CHECKING:
    from turngrade.adapters.cli.redaction import Redactor

Graded: TypeAlias = tuple[Grade, Transcript | None]
"""A grade with its transcript as it was graded; without one where it could not be read."""

Entry: TypeAlias = Graded | Notice


CHUNK = 16
"""Transcripts that are graded, and sent, together."""


class CannotGrade(Exception):
    """Grading cannot go on; the message says why."""


class Share(Struct, frozen=True):
    """Which transcripts of a source are graded: every chunk whose number leaves ``index`` over, of ``of``.

    Args:
        index: Which share, from 0.
        of: How many shares there are.
    """

    index: int = 0
    of: int = 1

    def holds(self, number: int) -> bool:
        """Whether the transcript of that number, from 0, is in the share."""
        return number // CHUNK % self.of == self.index


WHOLE = Share()


class Job(Struct, frozen=True, dict=True):
    """How transcripts are read and graded. Picklable, so that workers can do it.

    Args:
        spec: The spec.
        by_thread: Whether the LangSmith traces of a thread are one transcript.
        redact: Whether what graders find is taken out of grade and transcript.
        limit: At most so many transcripts are wanted of any one source.
    """

    spec: Spec
    by_thread: bool = False
    redact: bool = False
    limit: int | None = None

    def entries(self, source: Source, on_read: OnRead | None = None, share: Share = WHOLE) -> Iterator[Entry]:
        """Grade the transcripts of a source, in its order, while it is read.

        Args:
            source: The source.
            on_read: Is told how far the reading of a file is.
            share: Which of them; the others are only read past.
        """
        items = read(source, self.limit, by_thread=self.by_thread, on_read=on_read, wanted=share.holds)
        for number, item in enumerate(items):
            if not share.holds(number):
                continue
            if isinstance(item, Notice):
                yield item
                continue
            grade = self.spec.grade(item)
            transcript = self.spec.prepared(item) if isinstance(item, Transcript) else None
            yield self._redactor.apply(grade, transcript) if self.redact else (grade, transcript)

    @cached_property
    def _redactor(self) -> Redactor:
        from turngrade.adapters.cli.redaction import Redactor  # costs start-up time

        return Redactor(self.spec)
