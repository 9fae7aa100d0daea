"""Why a grader cannot say pass or fail: the errors of the contract, as values and as one exception."""

from __future__ import annotations

from msgspec import Struct

from turngrade.core.dialect import InvalidPattern, MatchError, MatchTimeout, PatternTooLarge
from turngrade.core.verdict import Reason


class Fault(Struct, frozen=True):
    """An error verdict's reason, its evidence, and longer help."""

    reason: Reason
    evidence: str
    message: str | None = None


class Faulty(Exception):
    """Carries a fault to the verdict that it makes."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault = fault


def pattern_too_long(length: int, limit: int) -> Fault:
    """The pattern has more UTF-16 units than ``limits.max_pattern_length``."""
    return Fault(
        "pattern_too_long",
        f"Pattern too long: {length} of {limit} characters",
        "shorten the pattern, split it into several graders, or raise limits.max_pattern_length",
    )


def invalid_pattern(pattern: str, error: InvalidPattern) -> Fault:
    """The pattern, its flags or its prefix is refused by the dialect, or is too large to compile."""
    if isinstance(error, PatternTooLarge):
        return Fault(
            "pattern_too_large",
            "Pattern too large",
            "counted repeats multiply: lower the counts, or do not nest them",
        )
    return Fault("invalid_pattern", f"Invalid regex pattern: {pattern}. Error: {error}", error.explain())


def text_too_long(length: int, limit: int) -> Fault:
    """A message has more UTF-16 units than ``limits.max_text_length``."""
    return Fault(
        "text_too_long",
        f"Message too long: {length} of {limit} characters",
        "raise limits.max_text_length to grade it",
    )


def match_failed(error: MatchError, timeout: float) -> Fault:
    """Matching ran out of time or memory."""
    if isinstance(error, MatchTimeout):
        return Fault(
            "timeout",
            f"Timed out after {timeout:g} s",
            "the pattern backtracks too much on this text: anchor it, or make nested quantifiers exclusive",
        )
    return Fault("memory", "Out of memory", "the pattern keeps too many choices open on this text")


NO_TEXT = (
    "the run's output is a mapping without text; "
    "name the key that holds the final output as output_key in the spec"
)
