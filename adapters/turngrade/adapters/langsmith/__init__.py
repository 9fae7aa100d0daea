"""LangSmith runs as transcripts, and specs as LangSmith evaluators.

Names are loaded when they are used: reading exports imports neither ``langsmith`` nor ``pyarrow``.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from turngrade.adapters.langsmith.convert import transcript_from_run, transcript_from_trace
    from turngrade.adapters.langsmith.exports.read import read_transcripts
    from turngrade.adapters.langsmith.exports.sniff import is_export
    from turngrade.adapters.langsmith.feedback import post_feedback
    from turngrade.adapters.langsmith.feedback_report import FeedbackReport
    from turngrade.adapters.langsmith.hosted import NotExportable, export_code
    from turngrade.adapters.langsmith.output_grading import output_evaluator
    from turngrade.adapters.langsmith.project import read_project
    from turngrade.adapters.langsmith.run_evaluator import SpecWarning, evaluator
    from turngrade.adapters.langsmith.threads import group_by_thread
    from turngrade.adapters.langsmith.trace.grouping import group_by_trace
    from turngrade.adapters.langsmith.transport import LangSmithRequestFailed, Retries

__all__ = [
    "FeedbackReport",
    "LangSmithRequestFailed",
    "NotExportable",
    "Retries",
    "SpecWarning",
    "evaluator",
    "export_code",
    "group_by_thread",
    "group_by_trace",
    "is_export",
    "output_evaluator",
    "post_feedback",
    "read_project",
    "read_transcripts",
    "transcript_from_run",
    "transcript_from_trace",
]

_MODULES = {
    "FeedbackReport": "feedback_report",
    "LangSmithRequestFailed": "transport",
    "NotExportable": "hosted",
    "Retries": "transport",
    "SpecWarning": "run_evaluator",
    "evaluator": "run_evaluator",
    "export_code": "hosted",
    "group_by_thread": "threads",
    "group_by_trace": "trace.grouping",
    "is_export": "exports.sniff",
    "output_evaluator": "output_grading",
    "post_feedback": "feedback",
    "read_project": "project",
    "read_transcripts": "exports.read",
    "transcript_from_run": "convert",
    "transcript_from_trace": "convert",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
