"""The matching core: specs, transcripts, verdicts, and patterns that mean what JavaScript's mean.

Names that grading has no use for are imported when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from turngrade.core.dialect import InvalidPattern, Match, Pattern, compile_pattern
from turngrade.core.faults import Faulty
from turngrade.core.grader import Grader
from turngrade.core.occurrences import Occurrences, occurrences
from turngrade.core.problems import InvalidSpec, SpecProblem
from turngrade.core.spec import Spec, SpecSource, grade, load_spec
from turngrade.core.transcript import SCOPES, AssistantMessage, OnRead, Scope, Transcript, Unreadable
from turngrade.core.verdict import Grade, Hit, Reason, Status, Verdict

if TYPE_CHECKING:
    from turngrade.core.arrow import transcript_schema, transcript_table, transcripts_of
    from turngrade.core.batch import BatchGrader, batch_grader, verdict_schema
    from turngrade.core.schema import spec_schema
    from turngrade.core.spec_pattern import SpecPattern

__all__ = [
    "SCOPES",
    "AssistantMessage",
    "BatchGrader",
    "Faulty",
    "Grade",
    "Grader",
    "Hit",
    "InvalidPattern",
    "InvalidSpec",
    "Match",
    "Occurrences",
    "OnRead",
    "Pattern",
    "Reason",
    "Scope",
    "Spec",
    "SpecPattern",
    "SpecProblem",
    "SpecSource",
    "Status",
    "Transcript",
    "Unreadable",
    "Verdict",
    "batch_grader",
    "compile_pattern",
    "grade",
    "load_spec",
    "occurrences",
    "spec_schema",
    "transcript_schema",
    "transcript_table",
    "transcripts_of",
    "verdict_schema",
]

_MODULES = {
    "BatchGrader": "batch",
    "SpecPattern": "spec_pattern",
    "batch_grader": "batch",
    "spec_schema": "schema",
    "transcript_schema": "arrow",
    "transcript_table": "arrow",
    "transcripts_of": "arrow",
    "verdict_schema": "batch",
}
"""Where a name is defined that is imported when it is used."""


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
