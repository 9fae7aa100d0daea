"""Scorers for Inspect: one for each grader type, and `graders` for a whole spec file."""

from turngrade.adapters.inspect.scorers.output import (
    contains,
    output_contains,
    output_matches,
    output_not_contains,
    output_not_matches,
    regex_match,
)
from turngrade.adapters.inspect.scorers.spec import graders
from turngrade.adapters.inspect.scorers.transcript import (
    transcript_contains,
    transcript_matches,
    transcript_not_contains,
    transcript_not_matches,
)

__all__ = [
    "contains",
    "graders",
    "output_contains",
    "output_matches",
    "output_not_contains",
    "output_not_matches",
    "regex_match",
    "transcript_contains",
    "transcript_matches",
    "transcript_not_contains",
    "transcript_not_matches",
]
