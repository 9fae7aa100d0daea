"""Why a verdict is what it is: the decision of a grader on a transcript, step by step."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from turngrade.adapters.cli.nearmiss import near_misses
from turngrade.adapters.cli.wording import REASONS, plural
from turngrade.core import SCOPES, AssistantMessage, Grader, Match, Scope, Transcript, Verdict, occurrences
from turngrade.core.checks import ValuesCheck


class Said(Struct, frozen=True):
    """A text that a grader tests, with all its hits.

    Args:
        place: ``output``, or ``message 3``.
        message: The assistant message; None for the final output.
        field: ``text`` or ``raw_text``.
        text: The text.
        matches: All hits.
        complete: False where a limit ended the search.
    """

    place: str
    message: AssistantMessage | None
    field: str
    text: str
    matches: tuple[Match, ...]
    complete: bool = True


def tested(grader: Grader, transcript: Transcript) -> list[Said]:
    """The texts that a grader tests, each with all its hits."""
    if grader.where == "output":
        return [_said("output", None, "text", transcript.output, grader)] if transcript.output else []
    messages = transcript.in_scope(grader.scope)
    if grader.select != "all":
        messages = messages[:1] if grader.select == "first" else messages[-1:]
    return [
        _said(f"message {message.index}", message, field, text, grader)
        for message in messages
        for field, text in message.texts()
    ]


def steps(grader: Grader, transcript: Transcript, verdict: Verdict, said: list[Said]) -> Iterator[str]:
    """What was tested, what was found, and how the verdict follows, a sentence a step."""
    if grader.fault is not None:
        yield "the pattern cannot be used, so nothing was tested"
        return
    yield _what(grader, transcript, said)
    hits = [part for part in said if part.matches]
    if hits:
        yield f"found in {', '.join(_counted(part) for part in hits)}"
    elif said:
        yield "found nowhere"
    yield from _unfinished(said)
    if verdict.status == "error":
        yield f"{verdict.evidence}: an error, which counts as 0"
        return
    yield _rule(grader, verdict)
    if not hits:
        yield from hints(grader, transcript, said)


def hints(grader: Grader, transcript: Transcript, said: list[Said]) -> Iterator[str]:
    """Where else the pattern would be found, and what change would make it match."""
    misses: dict[str, list[str]] = {}
    for part in said:
        for change in near_misses(grader, part.text):
            misses.setdefault(change, []).append(part.place)
    for change, places in misses.items():
        yield f"hint: {', '.join(places)} would match if {change}"
    yield from _elsewhere(grader, transcript)


def _said(place: str, message: AssistantMessage | None, field: str, text: str, grader: Grader) -> Said:
    found = occurrences(grader, text)
    return Said(place, message, field, text, found.matches, found.complete)


def _what(grader: Grader, transcript: Transcript, said: list[Said]) -> str:
    if grader.where == "output":
        return "tests the final output" if said else "tests the final output, and there is none"
    total = len(transcript.in_scope(grader.scope))
    count = plural(len({part.place for part in said}), "assistant message")
    chosen = f", {grader.select} of {total}" if grader.select != "all" else ""
    return f"tests {count} of the scope {grader.scope}{chosen}"


def _counted(part: Said) -> str:
    field = ", as the model produced it" if part.field == "raw_text" else ""
    return f"{part.place} ({len(part.matches)}×{field})"


def _unfinished(said: list[Said]) -> Iterator[str]:
    for part in said:
        if not part.complete:
            yield f"{part.place}: the search for all hits ended at a limit of time"


def _rule(grader: Grader, verdict: Verdict) -> str:
    status = verdict.status.upper()
    if verdict.reason in ("no_messages", "no_output"):
        return f"{REASONS[verdict.reason]}, and nothing passes unseen: {status}"
    counts = grader.counts
    if counts.high is not None or counts.asked:
        most = "" if counts.high is None else f" and at most {counts.high}"
        matched = "1 matches" if verdict.matched == 1 else f"{verdict.matched} match"
        return f"passes when at least {counts.low}{most} messages match, and {matched}: {status}"
    if isinstance(grader.check, ValuesCheck) and len(grader.check.values) > 1:
        which = "every one" if grader.check.every else "any"
        return f"passes {'unless' if grader.negate else 'when'} {which} of its texts is found: {status}"
    return f"passes when {'nothing' if grader.negate else 'something'} matches: {status}"


def _elsewhere(grader: Grader, transcript: Transcript) -> Iterator[str]:
    """Other texts of the run in which the pattern is found, for one who looked in the wrong place."""
    if grader.where == "transcript":
        for scope in SCOPES:
            if scope != grader.scope and (place := _first_in(grader, transcript, scope)):
                yield f"hint: {place} of the scope {scope} matches"
        if transcript.output and occurrences(grader, transcript.output).matches:
            yield "hint: the final output matches"
    elif place := _first_in(grader, transcript, "run"):
        yield f"hint: {place} of the run matches; a transcript-* type would test it"


def _first_in(grader: Grader, transcript: Transcript, scope: Scope) -> str | None:
    for message in transcript.in_scope(scope):
        if any(occurrences(grader, text).matches for _, text in message.texts()):
            return f"message {message.index}"
    return None
