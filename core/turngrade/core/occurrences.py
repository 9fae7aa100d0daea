"""All places in a text where a grader's pattern or substrings are found."""

from __future__ import annotations

from dataclasses import dataclass

from turngrade.core.checks import Finder, PatternCheck, ValuesCheck
from turngrade.core.dialect import Deadline, Match, MatchError, Subject
from turngrade.core.grader import Grader


@dataclass(frozen=True, slots=True)
class Occurrences:
    """What was found in a text.

    Args:
        matches: In order, without overlaps of one finder with itself.
        complete: False where a limit of time or memory ended the search.
    """

    matches: tuple[Match, ...] = ()
    complete: bool = True


def occurrences(grader: Grader, text: str) -> Occurrences:
    """Find all places where a grader hits a text, whatever ``negate`` says.

    Args:
        grader: One whose pattern does not compile finds nothing.
        text: The text, without regard to ``limits.max_text_length``.
    """
    subject, deadline = Subject(text), Deadline(grader.limits.timeout)
    found: list[Match] = []
    try:
        for finder in _finders(grader):
            found.extend(finder.find_all(subject, deadline=deadline))
    except MatchError:
        return Occurrences(tuple(found), complete=False)
    return Occurrences(tuple(sorted(found, key=lambda match: (match.start, match.end))))


def _finders(grader: Grader) -> tuple[Finder, ...]:
    if isinstance(grader.check, PatternCheck):
        return (grader.check.finder,)
    return grader.check.finders if isinstance(grader.check, ValuesCheck) else ()
