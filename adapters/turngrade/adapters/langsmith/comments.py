"""A verdict in words, as a feedback comment: mark, evidence, where the hit is and what stands around it."""

from __future__ import annotations

import re

from turngrade.core import Hit, Scope, Spec, Transcript, Verdict

CONTEXT = 40
"""Characters shown on each side of a hit."""

MATCH_SHOWN = 120
"""Longest part of a hit that is shown."""

_BLANK = re.compile(r"\s+")


def comment_of(verdict: Verdict, spec: Spec, transcript: Transcript | None = None) -> str:
    """The comment that goes with a verdict's score.

    Args:
        verdict: What the grader says.
        spec: The spec that it belongs to; it knows which messages the grader tested.
        transcript: What was graded. Without it, hits are shown without what stands around them.
    """
    lines = [str(verdict)]
    if verdict.hits:
        lines.append(_hit_line(verdict, spec, transcript))
    elif verdict.reason is not None and verdict.status != "error":
        lines.append(f"reason: {verdict.reason}")
    if verdict.message is not None:
        lines.append(verdict.message)
    return "\n".join(lines)


def snippet(text: str | None, hit: Hit) -> str:
    """The hit between guillemets in what stands around it, on one line.

    Args:
        text: The text that holds the hit; None where it is not at hand.
        hit: The hit.
    """
    match = hit.match if len(hit.match) <= MATCH_SHOWN else f"{hit.match[:MATCH_SHOWN]}…"
    if text is None or text[hit.start : hit.end] != hit.match:
        return _one_line(f"«{match}»")
    before, after = text[max(0, hit.start - CONTEXT) : hit.start], text[hit.end : hit.end + CONTEXT]
    head = "…" if hit.start > CONTEXT else ""
    tail = "…" if hit.end + CONTEXT < len(text) else ""
    return _one_line(f"{head}{before}«{match}»{after}{tail}")


def _hit_line(verdict: Verdict, spec: Spec, transcript: Transcript | None) -> str:
    hit = verdict.hits[0]
    texts = _texts(verdict, hit, spec, transcript)
    if hit.message_index is None:
        return f"output: {snippet(texts[0] if texts else None, hit)}"
    place = f"message {hit.message_index + 1}"
    if texts:
        place += f" of {len(texts)}"
    if hit.agent:
        place += f", {hit.agent}"
    line = f"{place}: {snippet(texts[hit.message_index] if hit.message_index < len(texts) else None, hit)}"
    return line if verdict.matched == 1 else f"{line} ({verdict.matched} messages match)"


def _texts(verdict: Verdict, hit: Hit, spec: Spec, transcript: Transcript | None) -> list[str | None]:
    """The texts that the grader could test: those of its messages, or the final output alone."""
    if transcript is None:
        return []
    if spec.model.strip_thinking:
        transcript = transcript.without_thinking()
    if hit.message_index is None:
        return [transcript.output]
    scope: Scope = next((grader.scope for grader in spec.graders if grader.name == verdict.name), "run")
    return [
        message.raw_text if hit.field == "raw_text" else message.text
        for message in transcript.in_scope(scope)
    ]


def _one_line(text: str) -> str:
    return _BLANK.sub(" ", text)
