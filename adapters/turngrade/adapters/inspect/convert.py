"""Transcripts from samples: live, from `EvalSample` objects, and from decoded logs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from turngrade.core.transcript import Transcript

from .calls import tell_of_the_run
from .objects import events_of, inputs_of_events, messages_of, output_of
from .produced import Produced, produced
from .shape import Output, SampleRecord, Texts

if TYPE_CHECKING:
    from inspect_ai.log import EvalSample
    from inspect_ai.solver import TaskState


def transcript_from_sample(sample: EvalSample, *, source: str | None = None) -> Transcript:
    """The transcript of a sample that Inspect's own log readers have read.

    Args:
        sample: The sample, with or without its attachments resolved.
        source: Where it was read from, such as the log's location.
    """
    record = SampleRecord(
        id=sample.id,
        epoch=sample.epoch,
        input=messages_of(sample.input),
        messages=messages_of(sample.messages),
        output=output_of(sample.output),
        events=events_of(sample.events),
        attachments=sample.attachments,
        metadata=sample.metadata,
        inputs=lambda: inputs_of_events(sample.events),
    )
    return transcript_from_record(record, source=source)


def transcript_from_state(state: TaskState) -> Transcript:
    """The transcript of the run that is being scored. To be called within a scorer or a solver.

    It is what `transcript_from_sample` gives of the stored sample. The events are those of Inspect's current
    transcript, which is the run's, live and when a log is scored again.

    Args:
        state: The state that the scorer was called with.
    """
    return run_of_state(state)()


def run_of_state(state: TaskState) -> Callable[[], Transcript]:
    """Take hold of the run that is being scored, to convert it elsewhere: that takes time for a long one.

    Args:
        state: The state that the scorer was called with.

    Returns:
        A function that gives the transcript, in any thread.
    """
    from inspect_ai.log import transcript

    current = transcript()
    events, attachments = list(current.events), dict(current.attachments)

    def converted() -> Transcript:
        record = SampleRecord(
            id=state.sample_id,
            epoch=state.epoch,
            input=messages_of(state.input),
            messages=messages_of(state.messages),
            output=output_of(state.output),
            events=events_of(events),
            attachments=attachments,
            metadata=state.metadata,
            inputs=lambda: inputs_of_events(events),
        )
        return transcript_from_record(record)

    return converted


def transcript_from_record(record: SampleRecord, *, source: str | None = None) -> Transcript:
    """The transcript of a sample in the neutral shape.

    Args:
        record: The sample.
        source: Where it was read from.
    """
    found = produced(record)
    return Transcript(
        messages=found.run,
        output=final_output(record.output, record.attachments),
        id=str(record.id),
        source=source,
        epoch=record.epoch,
        conversation=found.conversation,
        model_calls=found.model_calls,
        incomplete=_incomplete(record, found),
        metadata=record.metadata,
    )


def final_output(output: Output | None, attachments: Mapping[str, str]) -> str | None:
    """The final output: the completion, also of a sample that failed later; None where nothing was generated.

    Args:
        output: The sample's output.
        attachments: Texts that it may refer to.
    """
    if output is None:
        return None
    texts = Texts(attachments)
    if output.completion:
        return texts.resolve(output.completion)
    # the first releases do not store the completion: it is the text of the first choice
    return texts.of(output.choices[0].message) if output.choices else None


def _incomplete(record: SampleRecord, found: Produced) -> str | None:
    """Why the record is known to lack messages; None where it does not."""
    if found.missing:
        texts = "1 text refers" if found.missing == 1 else f"{found.missing} texts refer"
        return f"{texts} to attachments that the sample does not hold"
    if found.run and not tell_of_the_run(record.events):
        return "the sample holds no events, so messages outside its final conversation are unknown"
    return None
