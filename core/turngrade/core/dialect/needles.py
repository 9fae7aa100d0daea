"""Literals that every match must contain: a text without them need not be searched."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct

from turngrade.core.dialect.nodes import (
    Alternation,
    Assertion,
    Char,
    Group,
    Look,
    Node,
    Repeat,
    Sequence,
    Tree,
)
from turngrade.core.dialect.subject import Subject

_MAX_CHOICES: Final = 6
_MAX_LENGTH: Final = 64
_MAX_VARIANTS: Final = 3
_LARGEST_TEXT: Final = 1_000_000
"""Beyond that the look, which holds the GIL, would be noticed by others."""

_MOVES_WITH_CONTEXT: Final = 0x3A3
"""Sigma: its lower case depends on what follows."""

Choices: TypeAlias = tuple[str, ...]
"""Literals of which every match contains at least one; empty if none are known."""

Letter: TypeAlias = Callable[[Char], str | None]


class _Known(NamedTuple):
    """What is known of a part: the only text that it matches, if so, and what its matches contain."""

    exact: str | None
    inside: Choices = ()


class Needles(Struct, frozen=True):
    """Literals, one of which a text must contain.

    Attributes:
        choices: The literals; none if every text has to be searched.
        folded: Whether they are in lower case and to be looked for in lower case.
    """

    choices: Choices
    folded: bool = False

    def absent(self, subject: Subject) -> bool:
        """Whether a text certainly does not match. False says nothing."""
        if not self.choices or len(subject.text) > _LARGEST_TEXT:
            return False
        text = subject.folded if self.folded else subject.units
        return all(choice not in text for choice in self.choices)


def needles(tree: Tree) -> Needles:
    """The literals of a pattern: those as written where they are as telling as those in lower case."""
    written, folded = (_choices(_known(tree.root, letter)) for letter in (_as_written, _in_lower_case))
    return Needles(written) if _score(written) >= _score(folded) else Needles(folded, folded=True)


def _known(node: Node, letter: Letter) -> _Known:
    match node:
        case Char():
            return _Known(letter(node))
        case Assertion():
            return _Known("")
        case Group(body):
            return _known(body, letter)
        case Look(body, _, negative):
            return _Known("", _choices(_known(body, letter)) if not negative else ())
        case Sequence(items):
            return _in_sequence(_known(item, letter) for item in items)
        case Alternation(branches):
            return _Known(None, _any_of(_choices(_known(branch, letter)) for branch in branches))
        case Repeat():
            return _repeated(node, letter)
        case _:
            return _Known(None)


def _in_sequence(parts: Iterable[_Known]) -> _Known:
    best: Choices = ()
    run, is_exact = "", True
    for part in parts:
        best = _better(best, part.inside)
        if part.exact is None:
            best, run, is_exact = _better(best, _single(run)), "", False
        else:
            run += part.exact
    return _Known(run if is_exact else None, _better(best, _single(run)))


def _repeated(node: Repeat, letter: Letter) -> _Known:
    if node.min == 0:
        return _Known("" if node.max == 0 else None)
    body = _known(node.body, letter)
    if body.exact is None:
        return _Known(None, body.inside)
    text = body.exact * min(node.min, _MAX_LENGTH)
    is_exact = node.min == node.max and node.min <= _MAX_LENGTH
    return _Known(text if is_exact else None, _better(body.inside, _single(text)))


def _any_of(parts: Iterable[Choices]) -> Choices:
    choices: dict[str, None] = {}
    for part in parts:
        if not part:
            return ()
        choices |= dict.fromkeys(part)
    return tuple(choices) if len(choices) <= _MAX_CHOICES else ()


def _choices(known: _Known) -> Choices:
    return _better(known.inside, _single(known.exact or ""))


def _single(text: str) -> Choices:
    return (text[:_MAX_LENGTH],) if text else ()


def _better(one: Choices, other: Choices) -> Choices:
    return other if _score(other) > _score(one) else one


def _score(choices: Choices) -> tuple[int, int]:
    """Longer is rarer, and fewer are quicker to look for."""
    return (min(map(len, choices)), -len(choices)) if choices else (0, 0)


def _as_written(node: Char) -> str | None:
    return _plain(node.code) if node.ranges == ((node.code, node.code),) else None


def _in_lower_case(node: Char) -> str | None:
    """The letter, if every character that it matches has that one letter as its lower case."""
    codes = [code for low, high in node.ranges for code in range(low, min(high, low + _MAX_VARIANTS) + 1)]
    if len(codes) > _MAX_VARIANTS or _MOVES_WITH_CONTEXT in codes:
        return None
    letters = {_plain(code) and chr(code).lower() for code in codes}
    letter = letters.pop() if len(letters) == 1 else None
    return letter if letter and len(letter) == 1 else None


def _plain(code: int) -> str | None:
    """The character, unless it is, or may be, half of a pair."""
    return chr(code) if code < 0xD800 or 0xDFFF < code <= 0xFFFF else None
