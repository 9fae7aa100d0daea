"""Finding the one transcript that ``--id`` and ``--epoch`` mean."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

import click
from msgspec import Struct
from msgspec.structs import replace

from turngrade.adapters.cli.all_of import all_of
from turngrade.adapters.cli.terminal import visible
from turngrade.core import Transcript, Unreadable

SHOWN_IDS = 5
"""Ids that are named where none is like the one that was asked for."""


class Candidate(Struct, frozen=True):
    """A transcript that may be meant.

    Args:
        source: Where it was read from.
        id: Its id.
        epoch: Its epoch.
        item: The transcript; None where it cannot be the one that is meant, to spare memory.
    """

    source: str | None
    id: str | None
    epoch: int | None
    item: Transcript | Unreadable | None

    def fits(self, id: str | None, epoch: int | None) -> bool:
        """Whether it has the epoch, and an id that begins so."""
        return epoch in (None, self.epoch) and (id is None or (self.id or "").startswith(id))

    def address(self) -> str:
        """What to write to choose it, and where it is from."""
        if isinstance(self.item, Unreadable) and self.id is None:
            return visible(f"(unreadable) {self.source}: {self.item.message}")
        epoch = f" --epoch {self.epoch}" if self.epoch is not None else ""
        return visible(f"--id {self.id}{epoch}  {self.source or ''}")


def candidates(sources: Sequence[str], id: str | None, epoch: int | None) -> list[Candidate]:
    """All transcripts of some sources. Notices are told on stderr.

    Args:
        sources: SOURCE arguments.
        id: The wanted id, or the start of it.
        epoch: The wanted epoch.
    """
    found: list[Candidate] = []
    kept = 0
    for item in all_of(sources):
        one = Candidate(item.source, item.id, item.epoch, item)
        fits = one.fits(id, epoch)
        kept += fits
        if not fits or (kept > 1 and item.id != id):  # two that fit by their start are too many
            one = replace(one, item=item if isinstance(item, Unreadable) else None)
        found.append(one)
    return found


def choose(found: Sequence[Candidate], id: str | None, epoch: int | None) -> Transcript | Unreadable:
    """The one transcript that is meant.

    Args:
        found: What `candidates` gives for the same id and epoch.
        id: The wanted id, or the start of it.
        epoch: The wanted epoch.

    Raises:
        click.BadParameter: None is, or several are.
    """
    fitting = [one for one in found if one.fits(None, epoch)]
    if epoch is not None and not fitting:
        raise click.BadParameter(f"no transcript of epoch {epoch}{_epochs(found)}", param_hint="--epoch")
    if id is not None:
        exact = [one for one in fitting if one.id == id]
        fitting = exact or [one for one in fitting if one.fits(id, epoch)]
    if len(fitting) == 1 and fitting[0].item is not None:
        return fitting[0].item
    if not fitting:
        of = "" if epoch is None else f" of epoch {epoch}"
        raise click.BadParameter(
            f"no transcript {visible(id or '')!r}{of}{_nearest(id, found)}", param_hint="--id"
        )
    some = "\n  ".join(one.address() for one in fitting[:20])
    more = f"\n  … and {len(fitting) - 20:,} more" if len(fitting) > 20 else ""
    raise click.BadParameter(
        f"{len(fitting):,} transcripts fit; choose one:\n  {some}{more}", param_hint="--id"
    )


def _epochs(found: Sequence[Candidate]) -> str:
    epochs = sorted({one.epoch for one in found if one.epoch is not None})
    return f"; there are {', '.join(map(str, epochs))}" if epochs else "; no transcript has an epoch"


def _nearest(id: str | None, found: Sequence[Candidate]) -> str:
    ids = list(dict.fromkeys(one.id for one in found if one.id))
    near = difflib.get_close_matches(id or "", ids, n=3, cutoff=0.5)
    if near:
        return f"; did you mean {', '.join(map(visible, near))}?"
    more = f", and {len(ids) - SHOWN_IDS:,} more" if len(ids) > SHOWN_IDS else ""
    return f"; there are {', '.join(map(visible, ids[:SHOWN_IDS]))}{more}" if ids else "; none has an id"
