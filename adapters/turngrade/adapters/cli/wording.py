"""Words that every kind of report uses."""

from __future__ import annotations

from turngrade.adapters.cli.tally import Count, Tally
from turngrade.core import Grade, Hit

REASONS = {
    "no_output": "the transcript has no final output",
    "no_messages": "the transcript has no assistant messages in this scope",
    "count_below_min": "fewer messages match than min_matches asks for",
    "count_above_max": "more messages match than max_matches allows",
}
"""Sentences for the reasons that the evidence does not give."""


def reason_of(evidence: str, reason: str | None) -> str | None:
    """The sentence for a verdict's reason; None where the evidence says it already."""
    return None if reason is None or evidence.startswith("no ") else REASONS.get(reason)


def place_of(hit: Hit) -> str:
    """The place of a hit: ``output``, or ``message 3 (researcher)`` with another agent."""
    if hit.message_index is None:
        return "output"
    agent = f" ({hit.agent})" if hit.agent else ""
    return f"message {hit.message_index}{agent}"


def name_of(grade: Grade) -> str:
    """The transcript's id, with the epoch behind the first."""
    epoch = f" (epoch {grade.epoch})" if grade.epoch is not None and grade.epoch > 1 else ""
    return f"{grade.id}{epoch}" if grade.id is not None else ""


def headline(tally: Tally) -> str:
    """``12 transcripts: 9 passed, 2 failed, 1 error; 1 could not be read``."""
    count = tally.transcripts
    parts = ["nothing was graded"]
    if count.total:
        errors = f", {plural(count.errors, 'error')}" if count.errors else ""
        parts = [
            f"{plural(count.total, 'transcript')}: {count.passed:,} passed, {count.failed:,} failed{errors}"
        ]
    if tally.unreadable:
        parts.append(f"{tally.unreadable:,} could not be read")
    if tally.untouched:
        parts.append(f"no grader applies to {plural(tally.untouched, 'other')}")
    return "; ".join(parts)


def plural(number: int, noun: str) -> str:
    """``1 error``, ``2,000 errors``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def percent(count: Count) -> str:
    """The pass rate in whole per cent; 100 only where all passed, 0 only where none did."""
    rate = round(100 * count.rate)
    if count.passed < count.total:
        rate = min(rate, 99)
    if count.passed:
        rate = max(rate, 1)
    return f"{rate} %"
