"""A spec as a LangSmith evaluator: one feedback key a grader, and never a lost score."""

from __future__ import annotations

import uuid
import warnings
from functools import cache
from typing import TYPE_CHECKING, Any

from turngrade.adapters.langsmith.convert import transcript_from_run
from turngrade.adapters.langsmith.results import Result, SpecResults
from turngrade.core import Spec, SpecSource, load_spec

if TYPE_CHECKING:
    from langsmith import EvaluationResult, RunEvaluator
    from langsmith.evaluation import EvaluationResults
    from langsmith.schemas import Example, Run


class SpecWarning(UserWarning):
    """Something in a spec does not work as it is written, such as a pattern that does not compile."""


def evaluator(spec: SpecSource, *, aggregate: bool | None = None) -> RunEvaluator:
    """Make a spec a LangSmith evaluator.

    It goes into ``evaluators=[...]`` of ``evaluate`` and ``aevaluate``, for new and for existing experiments.
    Each grader becomes a feedback key of its name, with score True or False; a grader that cannot say pass or
    fail gives an error result (score None, ``extra["error"]``) while the others score. The evaluator itself
    never raises and never changes the run.

    Args:
        spec: Path of a spec file, a spec as a dict, a list of graders, or a loaded `Spec`.
        aggregate: Whether to add the weighted aggregate under the key ``aggregate``; by default where the
            spec has a ``scoring`` section.

    Raises:
        InvalidSpec: The spec cannot be used; every problem is told.
        ImportError: ``langsmith`` is not installed.

    Warns:
        SpecWarning: A pattern does not compile; its grader will give error results.
    """
    return _evaluator_class()(SpecResults(usable_spec(spec), aggregate))  # type: ignore[no-any-return]


def usable_spec(spec: SpecSource) -> Spec:
    """Load a spec, and say at once what of it will not work.

    Args:
        spec: See `evaluator`.

    Raises:
        InvalidSpec: The spec cannot be used.

    Warns:
        SpecWarning: A pattern does not compile, or a grader of a Vally file is left out.
    """
    loaded = load_spec(spec)
    problems = [f"{problem}; its grader gives error results" for problem in loaded.problems()]
    for message in [*problems, *map(str, loaded.warnings)]:
        warnings.warn(message, SpecWarning, stacklevel=3)
    return loaded


def grade_run(run: Any, results: SpecResults) -> list[Result]:
    """Grade a run. Never raises: what goes wrong becomes error results.

    Args:
        run: A run object or dict, with its child runs where they are loaded.
        results: The spec, and what its results have in common.
    """
    try:
        transcript = transcript_from_run(run)
        return results.of(results.spec.grade(transcript), transcript)
    except Exception as error:  # an evaluator that raises loses every score of the run
        return results.failed(f"the run could not be graded: {_told(error)}")


def _told(error: Exception) -> str:
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:  # an exception whose text cannot be made
        return type(error).__name__


@cache
def _evaluator_class() -> type[Any]:
    """The evaluator's class; made on demand, because its base class is langsmith's."""
    try:
        from langsmith import EvaluationResult, RunEvaluator
    except ImportError as error:
        raise ImportError("evaluators need langsmith: pip install 'turngrade[langsmith]'") from error

    class TurngradeEvaluator(RunEvaluator):
        """All graders of a spec as one evaluator."""

        def __init__(self, results: SpecResults) -> None:
            self._results = results

        @property
        def feedback_keys(self) -> list[str]:
            """The keys of the results."""
            return list(self._results.keys)

        def evaluate_run(
            self, run: Run, example: Example | None = None, evaluator_run_id: uuid.UUID | None = None
        ) -> EvaluationResults:
            """Grade a run.

            Args:
                run: The run.
                example: Not used: the graders need no reference.
                evaluator_run_id: Not used: grading is not traced.
            """
            return {"results": [_evaluation_result(result) for result in grade_run(run, self._results)]}

    def _evaluation_result(result: Result) -> EvaluationResult:
        return EvaluationResult(
            key=result.key,
            score=result.score,
            comment=result.comment,
            evaluator_info=result.info,
            extra=result.extra,
        )

    return TurngradeEvaluator
