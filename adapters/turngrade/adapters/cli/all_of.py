"""SOURCE arguments → all their transcripts, for the verbs that show no progress."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from turngrade.adapters.cli.reading import read
from turngrade.adapters.cli.sources import Notice, resolve
from turngrade.adapters.cli.spool import spooling
from turngrade.adapters.cli.terminal import visible
from turngrade.core import Transcript, Unreadable


def all_of(sources: Sequence[str]) -> Iterator[Transcript | Unreadable]:
    """Read all transcripts of some sources, in order. Notices are told on stderr.

    Args:
        sources: SOURCE arguments.
    """
    with spooling() as spool:
        for source in resolve(sources, spool):
            for item in read(source):
                if isinstance(item, Notice):
                    click.echo(f"{visible(item.source)}: {item.message}", err=True)
                else:
                    yield item
