"""What a transcript and its spec add to a verdict: that something is missing, and where to look."""

from __future__ import annotations

from dataclasses import replace

from turngrade.core.output_key import no_text_at
from turngrade.core.transcript import Transcript
from turngrade.core.verdict import Verdict


def noted(verdict: Verdict, transcript: Transcript, *, output_key: str | None, strict: bool) -> Verdict:
    """The verdict with what should be known beside it.

    Args:
        verdict: What the grader says.
        transcript: What was graded.
        output_key: The spec's key of the final output.
        strict: Whether the verdict on an incomplete transcript is an error.
    """
    if verdict.reason == "no_text" and output_key is not None and transcript.output_fields is not None:
        return replace(verdict, message=no_text_at(output_key, transcript.output_fields))
    if transcript.incomplete is None or verdict.status == "error":
        return verdict
    note = f"the transcript is incomplete: {transcript.incomplete}"
    if strict:
        return replace(verdict, status="error", reason="incomplete", message=note)
    return replace(verdict, message=note)
