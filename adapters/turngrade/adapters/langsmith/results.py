"""Grades as LangSmith feedback: one result a grader, whether an evaluator returns it or it is posted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from turngrade.adapters.langsmith.comments import comment_of
from turngrade.core import Grade, Scope, Spec, Transcript, Verdict
from turngrade.core.version import version

AGGREGATE = "aggregate"
"""Key of the weighted aggregate; no grader may have this name."""

TEXT_KEPT = 500
"""Longest text of a hit that goes into a result: feedback is no place for whole messages."""

_NOT_STORABLE = re.compile(r"[\x00\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Result:
    """One feedback value.

    Args:
        key: The grader's name, or ``aggregate``.
        score: True or False for a grader, a number for the aggregate, None for an error.
        comment: Mark, evidence, and the first hit in its context.
        info: Provenance: which spec and which version of turngrade gave the score.
        extra: Machine-readable detail: status, reason, hits; ``error`` is True for an error.
    """

    key: str
    score: bool | float | None
    comment: str
    info: dict[str, Any]
    extra: dict[str, Any]

    @property
    def is_error(self) -> bool:
        """Whether the grader could not say pass or fail."""
        return self.extra.get("error") is True


def feedback_keys(spec: Spec, aggregate: bool | None = None) -> list[str]:
    """The keys that a spec's results have, in order.

    Args:
        spec: The spec.
        aggregate: Whether the aggregate is one of them; by default where the spec has a ``scoring`` section.
    """
    return [*spec.grader_names, *([AGGREGATE] if _wants_aggregate(spec, aggregate) else [])]


def results_of(
    grade: Grade, spec: Spec, transcript: Transcript | None = None, *, aggregate: bool | None = None
) -> list[Result]:
    """A grade as results, one a verdict.

    A transcript that could not be read gives an error result for every key.

    Args:
        grade: The grade.
        spec: The spec that gave it.
        transcript: What was graded; with it, comments show what stands around a hit.
        aggregate: Whether the aggregate is added; by default where the spec has a ``scoring`` section.
    """
    if grade.error is not None:
        return failed_results(spec, grade.error, aggregate=aggregate)
    if transcript is not None and spec.model.strip_thinking:
        transcript = transcript.without_thinking()
    results = [_of_verdict(verdict, spec, transcript) for verdict in grade.verdicts]
    if _wants_aggregate(spec, aggregate):
        results.append(_of_aggregate(grade, spec))
    return results


def failed_results(spec: Spec, message: str, *, aggregate: bool | None = None) -> list[Result]:
    """An error result for every key of a spec.

    Args:
        spec: The spec.
        message: Why nothing could be graded.
        aggregate: As in `results_of`.
    """
    comment = storable(f"✘ {message}")
    return [
        Result(key, None, comment, provenance(spec), {"status": "error", "error": True})
        for key in feedback_keys(spec, aggregate)
    ]


def provenance(spec: Spec) -> dict[str, Any]:
    """Which spec, and which version of turngrade, a score comes from."""
    info = {"turngrade_version": version(), "spec_digest": spec.digest}
    name = spec.model.name
    return info if name is None else {**info, "spec_name": storable(name)}


def storable(text: str) -> str:
    """The text without what databases refuse: NUL and lone surrogates become U+FFFD."""
    return _NOT_STORABLE.sub("\ufffd", text)


def _wants_aggregate(spec: Spec, aggregate: bool | None) -> bool:
    return spec.model.scoring is not None if aggregate is None else aggregate


def _of_verdict(verdict: Verdict, spec: Spec, transcript: Transcript | None) -> Result:
    failed = verdict.status == "error"
    extra: dict[str, Any] = {
        "type": verdict.type,
        "status": verdict.status,
        "reason": verdict.reason,
        "matched": verdict.matched,
        "hits": [_short(hit.to_dict()) for hit in verdict.hits],
    }
    if failed:
        extra["error"] = True
    scopes: dict[str, Scope] = {grader.name: grader.scope for grader in spec.graders}
    comment = storable(comment_of(verdict, transcript, scopes.get(verdict.name, "run")))
    return Result(verdict.name, None if failed else verdict.passed, comment, provenance(spec), extra)


def _of_aggregate(grade: Grade, spec: Spec) -> Result:
    passed = sum(verdict.passed for verdict in grade.verdicts)
    errors = sum(verdict.status == "error" for verdict in grade.verdicts)
    comment = f"{'✔' if grade.passed else '✘'} {passed} of {len(grade.verdicts)} graders passed"
    if errors:
        comment += f", {errors} with an error"
    extra = {"status": grade.status, "passed": grade.passed}
    return Result(AGGREGATE, grade.score, comment, provenance(spec), extra)


def _short(value: Any) -> Any:
    """A JSON value with long texts cut and every text storable."""
    if isinstance(value, str):
        return storable(value if len(value) <= TEXT_KEPT else f"{value[:TEXT_KEPT]}…")
    if isinstance(value, list):
        return [_short(item) for item in value]
    return dict(_short_items(value)) if isinstance(value, dict) else value


def _short_items(value: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    return ((key, _short(item)) for key, item in value.items())
