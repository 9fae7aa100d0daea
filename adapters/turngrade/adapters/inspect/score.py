"""From a verdict to Inspect's `Score`: value, answer, explanation, reason and clickable references."""

from __future__ import annotations

from math import nan
from typing import Any, Protocol

from inspect_ai.scorer import CORRECT, INCORRECT, Score

from turngrade.core import Grade, Spec, Transcript, Verdict

from .citations import Citations
from .explanation import explain_grade, explain_verdict
from .values import AGGREGATE, OnError, Values, data_of, values_of

SPEC_DIGEST = "spec_digest"
"""The key in a score's metadata that says which spec gave it."""


class Scores(Protocol):
    """Makes the scores of one scorer."""

    def of(self, grade: Grade, transcript: Transcript) -> Score:
        """The score of a sample.

        Args:
            grade: What the spec says of it.
            transcript: What was graded; the explanation quotes it.
        """
        ...

    def of_failure(self, error: Exception) -> Score:
        """The score of a sample that could not be graded at all.

        Args:
            error: What went wrong.
        """
        ...


class SingleScores:
    """Scores of a scorer that is one grader: ``"C"``, ``"I"``, or NaN for an error that is to stay unscored.

    Args:
        spec: A spec with one grader.
        on_error: What an error counts as.
    """

    def __init__(self, spec: Spec, on_error: OnError = "incorrect") -> None:
        self._spec = spec
        self._digest = spec.digest
        self._on_error: OnError = on_error

    def of(self, grade: Grade, transcript: Transcript) -> Score:
        """See `Scores.of`."""
        (verdict,) = grade.verdicts
        cited = Citations(self._spec, transcript)
        unscored = verdict.status == "error" and self._on_error == "unscored"
        return Score(
            value=nan if unscored else CORRECT if verdict.passed else INCORRECT,
            answer=verdict.hits[0].match if verdict.hits else None,
            explanation=explain_verdict(verdict, cited),
            reason=_reason(verdict),
            metadata={"verdict": verdict.to_dict(), SPEC_DIGEST: self._digest, **_references(cited)},
        )

    def of_failure(self, error: Exception) -> Score:
        """See `Scores.of_failure`."""
        return _failure(nan if self._on_error == "unscored" else INCORRECT, error)


class SpecScores:
    """Scores with a value for each grader of a spec and for their aggregate.

    Args:
        spec: The spec.
        on_error: What an error counts as.
    """

    def __init__(self, spec: Spec, on_error: OnError = "incorrect") -> None:
        self._spec = spec
        self._digest = spec.digest
        self._names = spec.grader_names
        self._on_error: OnError = on_error

    def of(self, grade: Grade, transcript: Transcript) -> Score:
        """See `Scores.of`."""
        cited = Citations(self._spec, transcript)
        return Score(
            value=values_of(grade, self._names, self._on_error),
            explanation=explain_grade(grade, cited),
            reason=_shared_reason(grade),
            metadata={"grade": _Whole(data_of(grade)), SPEC_DIGEST: self._digest, **_references(cited)},
        )

    def of_failure(self, error: Exception) -> Score:
        """See `Scores.of_failure`."""
        value = nan if self._on_error == "unscored" else 0
        return _failure(dict.fromkeys((*self._names, AGGREGATE), value), error)


class _Whole(dict[str, Any]):
    """Data that is copied by reference.

    Inspect copies a score deeply for every key of its value; the data of many graders, copied as often as
    there are graders, would take longer than the grading. Nobody changes them.
    """

    def __deepcopy__(self, memo: dict[int, Any]) -> _Whole:
        return self


def _failure(value: str | float | Values, error: Exception) -> Score:
    problem = f"{type(error).__name__}: {error}"
    return Score(
        value=value,
        explanation=f"✘ turngrade could not grade this sample: {problem}",
        reason="scoring_failed",
        metadata={"error": problem},
    )


def _reason(verdict: Verdict) -> str | None:
    """The verdict's reason in Inspect's vocabulary; None for a plain answer."""
    if verdict.status == "error":
        return "scoring_failed"
    return "no_response" if verdict.reason in ("no_output", "no_messages") else None


def _shared_reason(grade: Grade) -> str | None:
    """The gravest reason among the verdicts."""
    reasons = [_reason(verdict) for verdict in grade.verdicts]
    return next((reason for reason in ("scoring_failed", "no_response") if reason in reasons), None)


def _references(cited: Citations) -> dict[str, Any]:
    """Inspect View takes a score with this key for one that has references: none without them."""
    references = cited.references()
    return {"scanner_references": references} if references else {}
