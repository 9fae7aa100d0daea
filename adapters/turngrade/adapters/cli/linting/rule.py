"""What a rule is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from msgspec import Struct

from turngrade.adapters.cli.linting.subject import PatternSubject


class Remark(Struct, frozen=True):
    """What a rule says of a place in a pattern.

    Args:
        position: In code points of the pattern behind its prefix; None for the pattern as a whole.
        message: What is wrong.
        instead: What to write instead.
    """

    position: int | None
    message: str
    instead: str


Check: TypeAlias = Callable[[PatternSubject], Iterator[Remark]]


class Rule(Struct, frozen=True):
    """A rule on patterns, with the text of its page and the patterns that prove it.

    Args:
        name: In kebab-case; also its anchor in the docs.
        title: What it complains of.
        why: Why that is likely not meant.
        check: Finds it.
        fires: Patterns on which it fires.
        silent: Patterns much like them on which it does not.
    """

    name: str
    title: str
    why: str
    check: Check
    fires: tuple[str, ...]
    silent: tuple[str, ...]
