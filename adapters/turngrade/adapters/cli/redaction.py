"""``--redact``: what graders found, out of everything that is written or shown."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import replace

from msgspec import Struct

from turngrade.adapters.cli.snippets import scopes_of, text_of
from turngrade.adapters.cli.wording import plural
from turngrade.core import AssistantMessage, Grade, Grader, Hit, Spec, Transcript, Verdict, occurrences

_ABOUT_PATTERNS = frozenset({"invalid_pattern", "pattern_too_long", "pattern_too_large"})
"""Reasons whose messages quote the spec, and nothing of a transcript."""


class Redacted(Struct, frozen=True):
    """A text without what graders found in it.

    Args:
        text: The text with placeholders.
        spans: What was replaced: first and last offset in the old text, the same in the new one.
    """

    text: str
    spans: tuple[tuple[int, int, int, int], ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where something of the old text stands in the new one."""
        return self._offset(start, first=True), self._offset(end, first=False)

    def _offset(self, offset: int, *, first: bool) -> int:
        find = bisect_right if first else bisect_left
        behind = find(self.spans, offset, key=lambda span: span[0]) - 1
        if behind < 0:
            return offset
        _, end, new_start, new_end = self.spans[behind]
        if offset >= end:
            return new_end + offset - end
        return new_start if first else new_end


class Redactor:
    """Takes what any grader of a spec finds out of grades and transcripts.

    A placeholder says what was found, by the grader's name, and how long it was: ``[card-number: 16
    characters]``. All occurrences go, not only the first of each message, and from the names of agents too.
    Ids and sources stay: rows are joined by them. A text in which the search did not
    end within a grader's time is replaced as a whole.
    """

    def __init__(self, spec: Spec) -> None:
        self.graders = spec.graders
        self.scopes = scopes_of(spec)

    def apply(self, grade: Grade, transcript: Transcript | None) -> tuple[Grade, Transcript | None]:
        """The grade and its transcript without what was found. Offsets of hits are those in the new texts."""
        if transcript is None:  # its error may quote the file
            error = None if grade.error is None else self.redacted(grade.error).text
            return replace(grade, error=error), None
        texts: dict[str, Redacted] = {}

        def redact(text: str) -> Redacted:
            if text not in texts:
                texts[text] = self.redacted(text)
            return texts[text]

        verdicts = tuple(self._verdict(verdict, transcript, redact) for verdict in grade.verdicts)
        return replace(grade, verdicts=verdicts), _transcript(transcript, redact)

    def redacted(self, text: str) -> Redacted:
        """A text without what the graders find in it."""
        found: list[tuple[int, int, Grader]] = []
        for grader in self.graders:
            places = occurrences(grader, text)
            if not places.complete:
                return _whole(text, grader)
            found += [(match.start, match.end, grader) for match in places.matches if match.end > match.start]
        parts: list[str] = []
        spans: list[tuple[int, int, int, int]] = []
        at = length = 0
        for start, end, name in _merged(found):
            parts += [text[at:start], placeholder(name, end - start)]
            length += len(parts[-2]) + len(parts[-1])
            spans.append((start, end, length - len(parts[-1]), length))
            at = end
        return Redacted("".join([*parts, text[at:]]), tuple(spans))

    def _verdict(
        self, verdict: Verdict, transcript: Transcript, redact: Callable[[str], Redacted]
    ) -> Verdict:
        hits = tuple(self._hit(hit, verdict.name, transcript, redact) for hit in verdict.hits)
        message = verdict.message
        if message is not None and verdict.reason not in _ABOUT_PATTERNS:
            message = redact(message).text
        return replace(verdict, hits=hits, message=message)

    def _hit(self, hit: Hit, name: str, transcript: Transcript, redact: Callable[[str], Redacted]) -> Hit:
        shown = placeholder(name, len(hit.match)) if hit.match else ""
        hit = replace(hit, agent=None if hit.agent is None else redact(hit.agent).text)
        groups = tuple(group and f"[{plural(len(group), 'character')}]" for group in hit.groups)
        text = text_of(hit, transcript, self.scopes.get(name, "run"))
        if text is None:
            return replace(hit, match=shown, groups=groups)
        new = redact(text)
        start, end = new.span(hit.start, hit.end)
        return replace(hit, start=start, end=end, match=new.text[start:end], groups=groups)


def placeholder(name: str, length: int) -> str:
    """What stands for a text that was found."""
    return f"[{name}: {plural(length, 'character')}]"


def _merged(found: list[tuple[int, int, Grader]]) -> list[tuple[int, int, str]]:
    """Spans that touch no other, each with the name of the grader that found its start first."""
    merged: list[tuple[int, int, str]] = []
    for start, end, grader in sorted(found, key=lambda span: (span[0], -span[1])):
        if merged and start < merged[-1][1]:
            first, last, name = merged[-1]
            merged[-1] = (first, max(last, end), name)
        else:
            merged.append((start, end, grader.name))
    return merged


def _whole(text: str, grader: Grader) -> Redacted:
    shown = f"[not shown: {grader.name} could not be searched for in {plural(len(text), 'character')}]"
    return Redacted(shown, ((0, len(text), 0, len(shown)),))


def _transcript(transcript: Transcript, redact: Callable[[str], Redacted]) -> Transcript:
    def messages(scope: tuple[AssistantMessage, ...]) -> tuple[AssistantMessage, ...]:
        return tuple(
            replace(
                message,
                text=redact(message.text).text,
                agent=None if message.agent is None else redact(message.agent).text,
                raw_text=None if message.raw_text is None else redact(message.raw_text).text,
            )
            for message in scope
        )

    return replace(
        transcript,
        messages=messages(transcript.messages),
        conversation=None if transcript.conversation is None else messages(transcript.conversation),
        model_calls=None if transcript.model_calls is None else messages(transcript.model_calls),
        output=None if transcript.output is None else redact(transcript.output).text,
        output_fields=None,
        metadata={},
    )
