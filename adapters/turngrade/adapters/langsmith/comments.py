"""A verdict in words, as a feedback comment: mark, evidence, where the hit is and what stands around it."""

from __future__ import annotations

import re

from turngrade.core import Hit, Scope, Transcript, Verdict

CONTEXT = 40
"""Characters shown on each side of a hit."""

MATCH_SHOWN = 120
"""Longest part of a hit that is shown."""

_BLANK = re.compile(r"\s+")


def comment_of(verdict: Verdict, transcript: Transcript | None = None, scope: Scope = "run") -> str:
    """The comment that goes with a verdict's score.

    Args:
        verdict: What the grader says.
        transcript: What was graded, in the form in which it was. Without it, hits are shown without what
            stands around them.
        scope: The scope whose messages the grader tested.
    """
    lines = [str(verdict)]
    if verdict.hits:
        lines.append(_hit_line(verdict, transcript, scope))
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


def _hit_line(verdict: Verdict, transcript: Transcript | None, scope: Scope) -> str:
    hit = verdict.hits[0]
    shown = snippet(None if transcript is None else _text(hit, transcript, scope), hit)
    if hit.message_index is None:
        return f"output: {shown}"
    agent = f" ({hit.agent})" if hit.agent else ""
    more = f", {verdict.matched - 1} more" if verdict.matched > 1 else ""
    return f"message {hit.message_index}{agent}{more}: {shown}"


def _text(hit: Hit, transcript: Transcript, scope: Scope) -> str | None:
    """The text that a hit lies in."""
    if hit.message_index is None:
        return transcript.output
    messages = transcript.in_scope(scope)
    if hit.message_index >= len(messages):
        return None
    message = messages[hit.message_index]
    return message.raw_text if hit.field == "raw_text" else message.text


def _one_line(text: str) -> str:
    return _BLANK.sub(" ", text)
