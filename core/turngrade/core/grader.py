"""One grader: applies a check to a transcript and gives the verdict.

The order is fixed: faults of the pattern, then whether there is anything to test, then the length of each
text, then matching.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final, Literal

from msgspec import Struct

from turngrade.core.checks import Check, Finding, Where
from turngrade.core.configs import Examples
from turngrade.core.dialect import Deadline, MatchError, utf16_length
from turngrade.core.faults import NO_TEXT, Fault, Faulty, match_failed, text_too_long
from turngrade.core.models import Limits
from turngrade.core.subjects import Subjects
from turngrade.core.transcript import AssistantMessage, Scope, Transcript
from turngrade.core.verdict import MAX_HITS, Hit, Reason, Status, Verdict

_NONE: Final[frozenset[int]] = frozenset()


class Counts(Struct, frozen=True):
    """How many messages must match."""

    low: int = 1
    high: int | None = None
    asked: bool = False

    def settled(self, matched: int) -> bool:
        """Whether no further message can change the verdict or its evidence."""
        if self.high is not None:
            return matched > self.high
        return matched >= max(self.low, 1)

    def reason(self, matched: int) -> Reason | None:
        """Why the count fails, where counts were asked for."""
        if self.high is not None and matched > self.high:
            return "count_above_max"
        return "count_below_min" if self.asked and matched < self.low else None

    def met(self, matched: int) -> bool:
        """Whether the count passes."""
        return self.low <= matched and (self.high is None or matched <= self.high)


@dataclass(frozen=True, slots=True)
class Grader:
    """A grader, ready to be applied.

    Args:
        name: Unique among the graders that apply to a transcript.
        type: The type, without aliases.
        where: Whether the assistant messages or the final output are tested.
        check: What is looked for; None where `fault` says why it cannot be.
        fault: The fault that every verdict of this grader is.
        negate: Whether it passes when nothing matches.
        scope: Which messages are tested.
        select: Which of the scope's messages are tested.
        counts: How many must match.
        limits: Bounds on time and text.
        first_hit: Whether to stop at the message that settles the verdict.
        examples: Texts that must, and must not, match.
    """

    name: str
    type: str
    where: Where
    check: Check | None
    fault: Fault | None = None
    negate: bool = False
    scope: Scope = "run"
    select: Literal["first", "last", "all"] = "all"
    counts: Counts = field(default_factory=Counts)
    limits: Limits = field(default_factory=Limits)
    first_hit: bool = False
    examples: Examples = field(default_factory=Examples)

    def judge(self, transcript: Transcript, subjects: Subjects | None = None) -> Verdict:
        """Apply the grader to a transcript. Never raises for what a pattern or a text does."""
        if self.fault is not None or self.check is None:
            return self._error(self.fault or Fault("invalid_pattern", "no pattern"))
        bench = _Bench(self, self.check, subjects or Subjects())
        return bench.on_messages(transcript) if self.where == "transcript" else bench.on_output(transcript)

    def matches(self, text: str) -> bool:
        """Whether the pattern (with ``unless``) is found in one text, whatever ``negate`` says.

        Raises:
            Faulty: The grader's own fault, or that of this text.
        """
        if self.fault is not None or self.check is None:
            raise Faulty(self.fault or Fault("invalid_pattern", "no pattern"))
        return _Bench(self, self.check, Subjects()).look(text).match is not None

    def _error(self, fault: Fault) -> Verdict:
        return Verdict(self.name, self.type, "error", fault.evidence, fault.reason, message=fault.message)


class _Bench:
    """One grader at work on one transcript: its time budget and what it has found so far."""

    def __init__(self, grader: Grader, check: Check, subjects: Subjects) -> None:
        self.grader = grader
        self.check = check
        self.subjects = subjects
        self.deadline = Deadline(grader.limits.timeout)
        self.hits: list[Hit] = []
        self.matched = 0
        self.finding: Finding | None = None

    def on_messages(self, transcript: Transcript) -> Verdict:
        messages = _selected(transcript.in_scope(self.grader.scope), self.grader.select)
        if not messages:
            return self.nothing_to_check()
        passed_by = self.passed_by(messages)
        for message in [message for message in messages if id(message) not in passed_by]:
            if self.grader.first_hit and self.settled():
                break
            try:
                self.test(message)
            except Faulty as error:
                if not self.settled():
                    return self.error(error.fault)
                if error.fault.reason != "text_too_long":
                    break  # the budget is gone; what is left cannot be counted
        return self.verdict()

    def passed_by(self, messages: tuple[AssistantMessage, ...]) -> frozenset[int]:
        """Identities of the messages of which one look tells that none matches, and that none is too long."""
        if self.grader.select != "all":
            return _NONE
        told = [
            row.messages
            for row in self.subjects.rows(messages)
            if len(row.subject.text) * 2 <= self.grader.limits.max_text_length
            and self.check.is_nowhere(row.subject)
        ]
        return told[0] if len(told) == 1 else _NONE.union(*told)

    def settled(self) -> bool:
        """Whether no further message can change the verdict or its evidence."""
        return self.matched > 0 if self.grader.negate else self.grader.counts.settled(self.matched)

    def test(self, message: AssistantMessage) -> None:
        for field_name, text in message.texts():
            finding = self.look(text)
            if finding.match is None:
                self.finding = self.finding or finding
                continue
            if self.matched == 0:
                self.finding = finding
            self.matched += 1
            if len(self.hits) < MAX_HITS:
                match = finding.match
                place = (message.index, message.id, message.agent, field_name)
                self.hits.append(Hit(*place, match.start, match.end, match.text, match.groups))
            return

    def on_output(self, transcript: Transcript) -> Verdict:
        if not transcript.output:
            return self.no_output(transcript)
        try:
            self.finding = self.look(transcript.output)
        except Faulty as error:
            return self.error(error.fault)
        match = self.finding.match
        if match is not None:
            self.matched = 1
            self.hits.append(Hit(None, None, None, "text", match.start, match.end, match.text, match.groups))
        return self.verdict()

    def look(self, text: str) -> Finding:
        """Search one text within the limits."""
        limit = self.grader.limits.max_text_length
        if len(text) * 2 > limit and (length := utf16_length(text)) > limit:
            raise Faulty(text_too_long(length, limit))
        try:
            return self.check.find(self.subjects.of(text), self.deadline)
        except MatchError as error:
            raise Faulty(match_failed(error, self.grader.limits.timeout)) from error

    def verdict(self) -> Verdict:
        counts, negate = self.grader.counts, self.grader.negate
        passed = self.matched == 0 if negate else counts.met(self.matched)
        reason = None if negate or passed else counts.reason(self.matched)
        return self.say("pass" if passed else "fail", self.sentence(self.finding), reason)

    def nothing_to_check(self) -> Verdict:
        absent = self.grader.negate or self.grader.counts.high is not None
        evidence = "no assistant messages in transcript to check" if absent else self.sentence(None)
        return self.say("fail", evidence, "no_messages")

    def no_output(self, transcript: Transcript) -> Verdict:
        evidence = "no output to check" if self.grader.negate else self.sentence(None)
        if transcript.output_without_text:
            return replace(self.say("error", evidence, "no_text"), message=NO_TEXT)
        return self.say("fail", evidence, "no_output")

    def error(self, fault: Fault) -> Verdict:
        return replace(self.say("error", fault.evidence, fault.reason), message=fault.message)

    def sentence(self, finding: Finding | None) -> str:
        return self.check.sentence(self.grader.where, finding)

    def say(self, status: Status, evidence: str, reason: Reason | None) -> Verdict:
        grader = self.grader
        return Verdict(grader.name, grader.type, status, evidence, reason, tuple(self.hits), self.matched)


def _selected(
    messages: tuple[AssistantMessage, ...], select: Literal["first", "last", "all"]
) -> tuple[AssistantMessage, ...]:
    if select == "first":
        return messages[:1]
    return messages[-1:] if select == "last" else messages
