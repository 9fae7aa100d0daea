"""The graders of a spec as a scanner for Inspect Scout: ``scout scan turngrade/graders -T LOGS``."""

# no `from __future__ import annotations`: Scout reads the annotations of a scanner

from collections.abc import Iterable

from inspect_ai.event import Event
from inspect_ai.model import ChatMessage
from inspect_ai.scorer import Reference
from inspect_scout import Result, Scanner, Transcript, scanner

from turngrade.adapters.inspect.citations import Citations
from turngrade.adapters.inspect.config import GraderSource, graders_spec
from turngrade.adapters.inspect.convert import transcript_from_record
from turngrade.adapters.inspect.explanation import explain_grade, explain_verdict
from turngrade.adapters.inspect.objects import events_of, messages_of
from turngrade.adapters.inspect.offload import off_loop
from turngrade.adapters.inspect.shape import Choice, Message, Output, SampleRecord
from turngrade.adapters.inspect.values import AGGREGATE
from turngrade.core import Grade, Spec, Verdict
from turngrade.core import Transcript as GradedTranscript


@scanner(messages="all", events="all")
def graders(graders: GraderSource, *, strict: bool = False) -> Scanner[Transcript]:
    """Scanner which applies all graders of a spec file, with one labelled result for each.

    A result's value is whether the grader passes, None for an error. The last result, labelled `aggregate`,
    is their weighted aggregate.

    Args:
       graders: Path of a spec file (YAML or JSON), or a spec's content as a dictionary, or a list of graders.
       strict: Refuse invalid patterns at once, whatever the spec says.
    """
    spec = graders_spec(graders, on_error="unscored", strict=strict)

    async def scan(transcript: Transcript) -> list[Result]:
        found = transcript_from_scan(transcript)
        return await off_loop(lambda: _results(spec.grade(found), spec, found))

    return scan


def transcript_from_scan(transcript: Transcript) -> GradedTranscript:
    """The transcript of what Scout scans, which may come from any of its sources.

    Scout does not keep the final output: it is taken from the last assistant message of the conversation.

    Args:
        transcript: Scout's transcript, with all messages and events.
    """
    messages = messages_of(transcript.messages)
    record = SampleRecord(
        id=transcript.task_id or transcript.transcript_id,
        epoch=transcript.task_repeat or 1,
        input=messages_of(_input(transcript.events)),
        messages=messages,
        output=_output(messages),
        events=events_of(transcript.events),
        metadata={**transcript.metadata, **(transcript.metadata.get("sample_metadata") or {})},
    )
    return transcript_from_record(record, source=transcript.source_uri)


def _input(events: Iterable[Event]) -> str | list[ChatMessage]:
    return next((event.sample.input for event in events if event.event == "sample_init"), [])


def _output(messages: list[Message]) -> Output | None:
    said = (
        message for message in reversed(messages) if message.role == "assistant" and message.source != "input"
    )
    last = next(said, None)
    return None if last is None else Output(choices=[Choice(message=last)])


def _results(grade: Grade, spec: Spec, transcript: GradedTranscript) -> list[Result]:
    results = [_result(verdict, Citations(spec, transcript)) for verdict in grade.verdicts]
    overall = Result(
        label=AGGREGATE,
        value=grade.score if grade.status != "error" else None,
        explanation=explain_grade(grade),
        metadata={"passed": grade.passed, "spec_digest": spec.digest},
    )
    return [*results, overall]


def _result(verdict: Verdict, cited: Citations) -> Result:
    explanation = explain_verdict(verdict, cited)
    return Result(
        label=verdict.name,
        value=None if verdict.status == "error" else verdict.passed,
        answer=verdict.hits[0].match if verdict.hits else None,
        explanation=explanation,
        metadata={"verdict": verdict.to_dict()},
        references=[Reference.model_validate(reference) for reference in cited.references()],
    )
