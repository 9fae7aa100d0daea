"""Texts with all hits in them marked, cut to what stands around the hits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from turngrade.core import Match


class Mark(Struct, frozen=True):
    """A part of a text that one or more graders hit.

    Args:
        start: First offset.
        end: Offset behind the last character; the same for an empty hit.
        graders: Numbers of the graders.
    """

    start: int
    end: int
    graders: tuple[int, ...]


class Part(Struct, frozen=True):
    """A piece of a marked text.

    Args:
        text: The piece; empty for what is cut out, and for an empty hit.
        graders: The graders that hit it; none for what stands around.
        cut: Characters that are left out here.
    """

    text: str
    graders: tuple[int, ...] = ()
    cut: int = 0


def marks_of(found: Iterable[tuple[int, tuple[Match, ...]]]) -> list[Mark]:
    """Hits of several graders as marks that do not overlap: overlapping hits become one mark.

    Args:
        found: Numbers of graders with what each found in the same text.
    """
    merged: list[Mark] = []
    hits = [(match.start, match.end, number) for number, matches in found for match in matches]
    for start, end, number in sorted(hits):
        last = merged[-1] if merged else None
        if last is not None and (start < last.end or (start, end) == (last.start, last.end)):
            graders = tuple(sorted({*last.graders, number}))
            merged[-1] = Mark(last.start, max(last.end, end), graders)
        else:
            merged.append(Mark(start, end, (number,)))
    return merged


def parts_of(text: str, marks: list[Mark], context: int) -> Iterator[Part]:
    """The text in pieces, with at most so many characters around each mark.

    Args:
        text: The text.
        marks: Marks in order, as `marks_of` gives them.
        context: Characters kept on either side of a mark; without marks twice as many from the start.
    """
    if not marks:
        yield from _around(text, (2 * context, 0))
        return
    at = 0
    for mark in marks:
        yield from _around(text[at : mark.start], (context if at else 0, context))
        yield Part(text[mark.start : mark.end], mark.graders)
        at = mark.end
    yield from _around(text[at:], (context, 0))


def _around(text: str, keep: tuple[int, int]) -> Iterator[Part]:
    """A stretch without marks: its first and its last characters, and how many are cut between."""
    first, last = keep
    if len(text) <= first + last:
        if text:
            yield Part(text)
        return
    if first:
        yield Part(text[:first])
    yield Part("", cut=len(text) - first - last)
    if last:
        yield Part(text[-last:])
