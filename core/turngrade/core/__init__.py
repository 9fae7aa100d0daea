"""The matching core: specs, transcripts, verdicts, and patterns that mean what JavaScript's mean."""

from turngrade.core.arrow import transcript_schema, transcript_table, transcripts_of
from turngrade.core.batch import BatchGrader, batch_grader, verdict_schema
from turngrade.core.dialect import InvalidPattern, Match, Pattern, compile_pattern
from turngrade.core.faults import Faulty
from turngrade.core.grader import Grader
from turngrade.core.occurrences import Occurrences, occurrences
from turngrade.core.problems import InvalidSpec, SpecProblem
from turngrade.core.schema import spec_schema
from turngrade.core.spec import Spec, SpecSource, grade, load_spec
from turngrade.core.spec_pattern import SpecPattern
from turngrade.core.transcript import SCOPES, AssistantMessage, OnRead, Scope, Transcript, Unreadable
from turngrade.core.verdict import Grade, Hit, Reason, Status, Verdict

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
