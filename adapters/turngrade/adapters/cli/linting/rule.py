"""What a rule is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from turngrade.adapters.cli.linting.subject import PatternSubject


@dataclass(frozen=True, slots=True)
class Remark:
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


@dataclass(frozen=True, slots=True)
class Rule:
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
