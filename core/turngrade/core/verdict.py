"""What graders say: hits, verdicts and the grade of a transcript. Frozen, and ready for JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

Status: TypeAlias = Literal["pass", "fail", "error"]

Reason: TypeAlias = Literal[
    "no_output",
    "no_messages",
    "no_text",
    "invalid_pattern",
    "pattern_too_long",
    "pattern_too_large",
    "text_too_long",
    "timeout",
    "memory",
    "incomplete",
    "count_below_min",
    "count_above_max",
]
"""Why a verdict is not the plain answer to "does it match"; None where it is."""

REASONS: tuple[Reason, ...] = get_args(Reason)

MAX_HITS = 20
"""How many hits a verdict keeps: the first of each matching message."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One place where a grader's pattern or substring was found.

    Args:
        message_index: Index of the message in its scope; None for the final output.
        message_id: The framework's id of the message.
        agent: The agent that said it, where it is not the main one.
        field: ``text``, or ``raw_text`` where only what the model produced holds the hit.
        start: First code point of the hit in that text.
        end: Code point behind the hit.
        match: The matched text.
        groups: Texts of the capture groups, from group 1; None for a group that took no part.
    """

    message_index: int | None
    message_id: str | None
    agent: str | None
    field: Literal["text", "raw_text"]
    start: int
    end: int
    match: str
    groups: tuple[str | None, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready form, keys in the order of the fields."""
        return {
            "message_index": self.message_index,
            "message_id": self.message_id,
            "agent": self.agent,
            "field": self.field,
            "start": self.start,
            "end": self.end,
            "match": self.match,
            "groups": list(self.groups),
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one grader says of one transcript.

    Args:
        name: The grader's name.
        type: The grader's type, as in the spec reference.
        status: ``pass``, ``fail`` or ``error``.
        evidence: One of the contract's sentences.
        reason: See `Reason`; None where the sentence says it all.
        hits: The first hit of each matching message, at most `MAX_HITS`.
        matched: Number of matching messages; for the final output 0 or 1.
        message: Longer help for an error: what is wrong, where, and what to write instead.
    """

    name: str
    type: str
    status: Status
    evidence: str
    reason: Reason | None = None
    hits: tuple[Hit, ...] = ()
    matched: int = 0
    message: str | None = None

    @property
    def passed(self) -> bool:
        """Whether the status is ``pass``."""
        return self.status == "pass"

    @property
    def score(self) -> float:
        """1.0 for a pass, 0.0 for a fail or an error."""
        return 1.0 if self.passed else 0.0

    def __str__(self) -> str:
        return f"{'✔' if self.passed else '✘'} {self.evidence}"

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready form; ``message`` is there only where there is one."""
        row: dict[str, Any] = {
            "name": self.name,
            "type": self.type,
            "status": self.status,
            "passed": self.passed,
            "score": self.score,
            "evidence": self.evidence,
            "reason": self.reason,
            "hits": [hit.to_dict() for hit in self.hits],
            "matched": self.matched,
        }
        if self.message is not None:
            row["message"] = self.message
        return row


@dataclass(frozen=True, slots=True)
class Grade:
    """All verdicts of a spec on one transcript, and what they add up to.

    Args:
        source: Where the transcript was read from.
        id: The transcript's id.
        epoch: Inspect's epoch; None elsewhere.
        passed: Whether the transcript passes.
        score: The weighted aggregate, 0.0 to 1.0.
        verdicts: One for each grader that applies, in the order of the spec.
        error: Why the transcript could not be read; None where it was graded.
    """

    source: str | None
    id: str | None
    epoch: int | None
    passed: bool
    score: float
    verdicts: tuple[Verdict, ...]
    error: str | None = None

    @property
    def status(self) -> Status:
        """``error`` where the transcript could not be read or a verdict is an error, else pass or fail."""
        if self.error is not None or any(verdict.status == "error" for verdict in self.verdicts):
            return "error"
        return "pass" if self.passed else "fail"

    def __getitem__(self, name: str) -> Verdict:
        """The verdict of the grader of that name; KeyError where there is none."""
        for verdict in self.verdicts:
            if verdict.name == name:
                return verdict
        raise KeyError(name)

    def to_dict(self) -> dict[str, Any]:
        """One row of the JSONL output; ``error`` is there only for a transcript that could not be read."""
        row: dict[str, Any] = {
            "source": self.source,
            "id": self.id,
            "epoch": self.epoch,
            "passed": self.passed,
            "score": self.score,
            "verdicts": [verdict.to_dict() for verdict in self.verdicts],
        }
        if self.error is not None:
            row["error"] = self.error
        return row
