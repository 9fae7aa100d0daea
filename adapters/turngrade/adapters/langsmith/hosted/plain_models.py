"""Stands in for ``turngrade.core.models`` and ``turngrade.core.configs`` in a hosted evaluator."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Bounds on one grader's work; time is LangSmith's to bound there.

    Args:
        timeout: Not used.
        max_text_length: UTF-16 units of one message.
    """

    timeout: float = 0.0
    max_text_length: int = 10_000_000


@dataclass(frozen=True)
class Examples:
    """No grader looks at its examples while it grades."""
