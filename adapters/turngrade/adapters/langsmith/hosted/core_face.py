"""Stands in for ``turngrade.core`` in a hosted evaluator: what reading and grading need of it."""

from turngrade.core.transcript import AssistantMessage, Scope, Transcript
from turngrade.core.verdict import Hit, Verdict

__all__ = ["AssistantMessage", "Hit", "Scope", "Transcript", "Verdict"]
