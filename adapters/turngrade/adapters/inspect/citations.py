"""Where the hits are, for a reader of the log: a numbered citation, a snippet, a reference to click on."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from turngrade.core import AssistantMessage, Hit, Scope, Spec, Transcript, Verdict

CONTEXT = 50
"""Characters shown on each side of a hit."""

SHOWN = 5
"""Hits shown of one verdict; all are in the score's metadata."""


class Citations:
    """Writes the hits of one transcript's verdicts as lines, and collects what they refer to.

    A message is cited as ``[M3]`` when it is the third of scope ``run``, whatever the grader's scope is, so
    that one number means one message throughout an explanation. Inspect View makes links of such citations.

    Args:
        spec: The spec whose verdicts are written.
        transcript: What was graded.
    """

    def __init__(self, spec: Spec, transcript: Transcript) -> None:
        self._spec = spec
        self._transcript = transcript
        self._cited: dict[str, str] = {}

    @cached_property
    def _graded(self) -> Transcript:
        """The texts that the offsets of the hits belong to."""
        return self._spec.prepared(self._transcript)

    @cached_property
    def _numbers(self) -> dict[str | None, int]:
        """The number of each message of scope ``run``, by its id."""
        messages = self._transcript.messages
        return {message.id: message.index + 1 for message in messages if message.id is not None}

    @cached_property
    def _scopes(self) -> dict[str, Scope]:
        return {grader.name: grader.scope for grader in self._spec.graders}

    def lines(self, verdict: Verdict) -> Iterator[str]:
        """One line for each of the first hits: citation, agent, snippet."""
        for hit in verdict.hits[:SHOWN]:
            scope = self._scopes[verdict.name]
            agent = f" {hit.agent}" if hit.agent else ""
            yield f"{self._cite(hit, scope)}{agent}: {self._snippet(hit, scope)}"
        rest = verdict.matched - SHOWN
        if rest > 0:
            yield f"… and {rest} more"

    def references(self) -> list[dict[str, Any]]:
        """The messages cited so far, in the form of Inspect's `Reference`."""
        return [{"type": "message", "cite": cite, "id": id} for cite, id in self._cited.items()]

    def _cite(self, hit: Hit, scope: Scope) -> str:
        if hit.message_index is None:
            return "[output]"
        number = hit.message_index + 1 if scope == "run" else self._numbers.get(hit.message_id)
        if number is None:
            return f"[{scope} {hit.message_index + 1}]"
        cite = f"[M{number}]"
        if hit.message_id is not None:
            self._cited[cite] = hit.message_id
        return cite

    def _snippet(self, hit: Hit, scope: Scope) -> str:
        if hit.message_index is None:
            return snippet(self._graded.output or "", hit)
        message = self._graded.in_scope(scope)[hit.message_index]
        return snippet(_text(message, hit), hit)


def snippet(text: str, hit: Hit, context: int = CONTEXT) -> str:
    """The hit, marked with ``**``, with what stands around it, on one line.

    Args:
        text: The text that holds the hit.
        hit: The hit.
        context: Characters on each side.
    """
    marked = f"**{_shortened(hit.match)}**" if hit.match else "(empty match)"
    if text[hit.start : hit.end] != hit.match:
        return marked
    start, end = max(0, hit.start - context), min(len(text), hit.end + context)
    before, after = text[start : hit.start], text[hit.end : end]
    line = f"{'…' if start else ''}{before}{marked}{after}{'…' if end < len(text) else ''}"
    return " ".join(line.split())


def _shortened(match: str, longest: int = 4 * CONTEXT) -> str:
    return match if len(match) <= longest else f"{match[: longest - 1]}…"


def _text(message: AssistantMessage, hit: Hit) -> str:
    return message.text if hit.field == "text" else message.raw_text or ""
