"""The nearest known name, for errors that say what to write instead."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known name that is most like ``word``, ignoring case, ``_`` and ``-``; None where none is near."""
    from difflib import get_close_matches  # only faults need it

    folded = {_fold(name): name for name in known}
    close = get_close_matches(_fold(word), folded, n=1, cutoff=0.6)
    return folded[close[0]] if close else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A sentence that names the nearest known name, else all of them."""
    names = sorted(known)
    best = nearest(word, names)
    if best is not None:
        return f"did you mean {best!r}?"
    return "known here: " + ", ".join(names)


def _fold(name: str) -> str:
    return name.lower().replace("_", "-")
