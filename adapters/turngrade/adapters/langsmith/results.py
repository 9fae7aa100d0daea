"""Grades as LangSmith feedback: one result a grader, whether an evaluator returns it or it is posted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from turngrade.adapters.langsmith.comments import comment_of
from turngrade.core import Grade, Scope, Spec, Transcript, Verdict
from turngrade.core.version import version

AGGREGATE = "aggregate"
"""Key of the weighted aggregate; no grader may have this name."""

TEXT_KEPT = 500
"""Longest text of a hit that goes into a result: feedback is no place for whole messages."""

_NOT_STORABLE = re.compile(r"[\x00\ud800-\udfff]")


class Result(Struct, frozen=True):
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


class SpecResults:
    """What a spec's grades are as results; what all of them have in common is worked out once.

    Args:
        spec: The spec.
        aggregate: Whether the aggregate is added; by default where the spec has a ``scoring`` section.
    """

    def __init__(self, spec: Spec, aggregate: bool | None = None) -> None:
        wanted = spec.model.scoring is not None if aggregate is None else aggregate
        self.spec = spec
        self.info = _provenance(spec)
        self.keys = [*spec.grader_names, *([AGGREGATE] if wanted else [])]
        self._aggregated = wanted
        self._scopes: dict[str, Scope] = {grader.name: grader.scope for grader in spec.graders}

    @property
    def digest(self) -> str:
        """The spec's digest."""
        digest: str = self.info["spec_digest"]
        return digest

    def of(self, grade: Grade, transcript: Transcript | None = None) -> list[Result]:
        """A grade as results, one a verdict.

        A transcript that could not be read gives an error result for every key.

        Args:
            grade: The grade.
            transcript: What was graded; with it, comments show what stands around a hit.
        """
        if grade.error is not None:
            return self.failed(grade.error)
        if transcript is not None and self.spec.model.strip_thinking:
            transcript = transcript.without_thinking()
        results = [self._of_verdict(verdict, transcript) for verdict in grade.verdicts]
        return [*results, self._of_aggregate(grade)] if self._aggregated else results

    def failed(self, message: str) -> list[Result]:
        """An error result for every key.

        Args:
            message: Why nothing could be graded.
        """
        comment = storable(f"✘ {message}")
        return [self._result(key, None, comment, {"status": "error", "error": True}) for key in self.keys]

    def _of_verdict(self, verdict: Verdict, transcript: Transcript | None) -> Result:
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
        comment = storable(comment_of(verdict, transcript, self._scopes.get(verdict.name, "run")))
        return self._result(verdict.name, None if failed else verdict.passed, comment, extra)

    def _of_aggregate(self, grade: Grade) -> Result:
        passed = sum(verdict.passed for verdict in grade.verdicts)
        errors = sum(verdict.status == "error" for verdict in grade.verdicts)
        comment = f"{'✔' if grade.passed else '✘'} {passed} of {len(grade.verdicts)} graders passed"
        if errors:
            comment += f", {errors} with an error"
        return self._result(AGGREGATE, grade.score, comment, {"status": grade.status, "passed": grade.passed})

    def _result(self, key: str, score: bool | float | None, comment: str, extra: dict[str, Any]) -> Result:
        return Result(key, score, comment, dict(self.info), extra)


def storable(text: str) -> str:
    """The text without what databases refuse: NUL and lone surrogates become U+FFFD."""
    return _NOT_STORABLE.sub("\ufffd", text)


def _provenance(spec: Spec) -> dict[str, Any]:
    """Which spec, and which version of turngrade, a score comes from."""
    info = {"turngrade_version": version(), "spec_digest": spec.digest}
    name = spec.model.name
    return info if name is None else {**info, "spec_name": storable(name)}


def _short(value: Any) -> Any:
    """A JSON value with long texts cut and every text storable."""
    if isinstance(value, str):
        return storable(value if len(value) <= TEXT_KEPT else f"{value[:TEXT_KEPT]}…")
    if isinstance(value, list):
        return [_short(item) for item in value]
    return dict(_short_items(value)) if isinstance(value, dict) else value


def _short_items(value: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    return ((key, _short(item)) for key, item in value.items())
