"""How verdicts add up to the grade of a transcript."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from turngrade.core.verdict import Verdict

_ROUNDING = 1e-9


class Aggregation(Struct, frozen=True):
    """Weights by grader name or type, and the threshold.

    Args:
        weights: None weighs every grader 1; else what is not named weighs 0.
        threshold: The aggregate at which a transcript passes; None asks that every grader passes.
    """

    weights: Mapping[str, float] | None = None
    threshold: float | None = field(default=None)

    def weight(self, name: str, grader_type: str) -> float:
        """A grader's weight: that of its name, else of its type."""
        if self.weights is None:
            return 1.0
        return float(self.weights.get(name, self.weights.get(grader_type, 0.0)))

    def total(self, graders: Iterable[tuple[str, str]]) -> float:
        """Sum of the weights of graders, given as (name, type)."""
        return math.fsum(self.weight(name, grader_type) for name, grader_type in graders)

    def score(self, verdicts: Iterable[Verdict]) -> float:
        """Σ(weight × score) / Σ weight; 0.0 where nothing weighs."""
        weighed = [(self.weight(verdict.name, verdict.type), verdict.score) for verdict in verdicts]
        total = math.fsum(weight for weight, _ in weighed)
        return math.fsum(weight * score for weight, score in weighed) / total if total else 0.0

    def passed(self, verdicts: tuple[Verdict, ...], score: float) -> bool:
        """Whether the transcript passes. Without a verdict it does not: nothing passes vacuously."""
        if not verdicts:
            return False
        if self.threshold is None:
            return all(verdict.passed for verdict in verdicts)
        return score >= self.threshold - _ROUNDING
