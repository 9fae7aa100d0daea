"""What all scorers share: grade a sample off the event loop, and never raise while doing so."""

import logging
from collections.abc import Mapping
from typing import Any

from inspect_ai.scorer import Score, Scorer, Target
from inspect_ai.solver import TaskState

from turngrade.adapters.inspect.config import single_spec
from turngrade.adapters.inspect.convert import run_of_state
from turngrade.adapters.inspect.offload import off_loop
from turngrade.adapters.inspect.score import Scores, SingleScores, SpecScores
from turngrade.adapters.inspect.values import OnError
from turngrade.core import Spec, Transcript

logger = logging.getLogger(__name__)


def single_scorer(
    type: str, config: Mapping[str, Any], *, timeout: float, on_error: OnError, strict: bool
) -> Scorer:
    """Build the scorer of one grader.

    Args:
        type: The grader's type, as in a spec file.
        config: The grader's config; keys whose value is None are left out.
        timeout: Seconds for the grader on one sample.
        on_error: What an error counts as.
        strict: Whether an invalid pattern stops, and an incomplete transcript is an error.

    Raises:
        PrerequisiteError: The arguments make no valid grader.
    """
    spec = single_spec(type, config, timeout=timeout, on_error=on_error, strict=strict)
    return _scorer(spec, SingleScores(spec, on_error))


def spec_scorer(spec: Spec, on_error: OnError) -> Scorer:
    """Build the scorer of a whole spec, whose value has a key for each grader."""
    return _scorer(spec, SpecScores(spec, on_error))


def _scorer(spec: Spec, scores: Scores) -> Scorer:
    async def score(state: TaskState, target: Target) -> Score:
        # An exception here would fail the sample in `eval()`, and abort the whole log in `score()`.
        try:
            run = run_of_state(state)
            return await off_loop(lambda: _graded(run(), spec, scores))
        except Exception as error:
            logger.warning("turngrade could not grade sample %s", state.sample_id, exc_info=error)
            return scores.of_failure(error)

    return score


def _graded(transcript: Transcript, spec: Spec, scores: Scores) -> Score:
    return scores.of(spec.grade(transcript), transcript)
