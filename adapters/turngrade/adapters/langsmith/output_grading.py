"""A spec as a plain function of inputs and outputs, the way openevals' evaluators are called."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, Protocol

from turngrade.adapters.langsmith.results import Result, SpecResults
from turngrade.adapters.langsmith.run_evaluator import grade_run, usable_spec
from turngrade.core import SpecSource


class OutputEvaluator(Protocol):
    """What `output_evaluator` returns."""

    def __call__(
        self, *, inputs: Any = None, outputs: Any, reference_outputs: Any = None, **kwargs: Any
    ) -> list[dict[str, Any]]:
        """Grade outputs."""
        ...


def output_evaluator(spec: SpecSource, *, aggregate: bool | None = None) -> OutputEvaluator:
    """Make a spec a function that grades outputs, for pytest, simulators and code without LangSmith.

    The function takes the keywords of openevals' evaluators. ``outputs`` is a string, a message, a list of
    messages, or a dict of which ``messages`` or the known output keys are read; ``inputs`` tells which of the
    messages are history. ``reference_outputs`` and other keywords are accepted and not used. It returns a
    list of dicts with ``key``, ``score``, ``comment``, ``metadata``, and ``extra`` with the hits. Inside a
    test marked ``@pytest.mark.langsmith`` the results are logged as feedback of the test too.

    Only what is in ``outputs`` is graded; what sub-agents said and removed drafts are seen by `evaluator`.

    Args:
        spec: See `evaluator`.
        aggregate: See `evaluator`.

    Raises:
        InvalidSpec: The spec cannot be used; every problem is told.
    """
    made = SpecResults(usable_spec(spec), aggregate)

    def turngrade(
        *, inputs: Any = None, outputs: Any, reference_outputs: Any = None, **kwargs: Any
    ) -> list[dict[str, Any]]:
        results = grade_run(_as_run(inputs, outputs), made)
        _log_to_test(results)
        return [_as_dict(result) for result in results]

    return turngrade


def _as_run(inputs: Any, outputs: Any) -> dict[str, Any]:
    """A root run without children that took these inputs and gave these outputs."""
    return {
        "id": "outputs",
        "name": "outputs",
        "run_type": "chain",
        "inputs": _as_state(inputs),
        "outputs": _as_state(outputs),
        "child_runs": [],
    }


def _as_state(value: Any) -> Mapping[str, Any]:
    """What a run would record of the value."""
    if value is None:
        return {}
    if isinstance(value, list | tuple):
        return {"messages": list(value)}
    if isinstance(value, Mapping):
        return {"messages": [value]} if "role" in value and "content" in value else value
    return {"messages": [value]} if hasattr(value, "content") else {"output": value}


def _as_dict(result: Result) -> dict[str, Any]:
    return {
        "key": result.key,
        "score": result.score,
        "comment": result.comment,
        "metadata": result.info,
        "extra": result.extra,
    }


def _log_to_test(results: list[Result]) -> None:
    """Log the results as feedback of the running LangSmith test, where there is one."""
    if not _in_a_test():
        return
    from langsmith import testing

    for result in results:
        testing.log_feedback(
            key=result.key,
            score=result.score,
            comment=result.comment,
            source_info=result.info,
            extra=result.extra,
            error=result.is_error or None,
        )


def _in_a_test() -> bool:
    """Whether a test marked ``langsmith`` is running.

    Nothing public tells, and logging outside of one raises. So the plugin's own variable is asked, if the
    plugin is loaded and still has it; as it keeps the test that ran last, the current trace must be its own.
    """
    variable = getattr(sys.modules.get("langsmith.testing._internal"), "_TEST_CASE", None)
    case = None if variable is None else variable.get(None)
    if case is None:
        return False
    from langsmith.run_helpers import get_current_run_tree

    run = get_current_run_tree()
    if run is None:
        return False
    test_run = str(getattr(case, "run_id", None))
    return test_run in (str(run.trace_id), str(run.metadata.get("reference_run_id")))
