"""Which assistant messages a sample's run produced: one reconstruction, three scopes.

What the conversation holds and what the models produced are two records of one run, and neither is whole. The
conversation lacks sub-agents, other candidates, and whatever was compacted, trimmed or overwritten. The
events lack what a solver wrote by hand, and know a message only as it was before a solver, a hand-over or a
submit tool edited it. Both are joined here by message id.
"""

from __future__ import annotations

from msgspec import Struct

from turngrade.core.transcript import AssistantMessage

from .calls import model_calls
from .conversation import Given, Pairing, TextsOfIds, Turn
from .order import Spoken, Walked, in_order
from .shape import Event, SampleRecord, Texts

_Messages = tuple[AssistantMessage, ...]


class Produced(Struct, frozen=True):
    """The three scopes of one sample, each with its own indexes.

    Args:
        run: Every assistant message produced during the run.
        conversation: Those of the final main conversation; None where they are those of ``run``.
        model_calls: ``run``, and every other model output inside the run; None where there is none.
        missing: Number of texts that the log only refers to and does not hold.
    """

    run: _Messages
    conversation: _Messages | None
    model_calls: _Messages | None
    missing: int


def produced(record: SampleRecord) -> Produced:
    """Reconstruct the assistant messages of a sample.

    Args:
        record: The sample.
    """
    texts = Texts(record.attachments)
    generated = _generated(record.events, texts)
    walked = _join(record, generated, texts)
    everything = in_order(generated, walked, record)
    spoken = walked.spoken
    run = [turn for turn in everything if turn.in_run]
    names = _names(run)
    messages = _as_produced(run, names)
    return Produced(
        run=messages,
        conversation=None if _is_run(spoken, run) else _as_said(spoken, names),
        model_calls=None if len(run) == len(everything) else _as_produced(everything, names),
        missing=texts.missing,
    )


def _generated(events: list[Event], texts: Texts) -> list[Turn]:
    """The messages that models produced, each once: a cache read repeats an id and its text.

    An id alone does not: templates, replayed outputs and some providers give one id to all that they say.
    """
    seen = TextsOfIds()
    turns = []
    for choices, speaker in model_calls(events):
        for choice in choices:
            message = choice.message
            text = texts.of(message)
            if message.id is None or seen.add(message.id, text):
                turns.append(Turn(message, text, speaker))
    return turns


def _join(record: SampleRecord, generated: list[Turn], texts: Texts) -> Walked:
    """Walk the conversation and join its assistant messages to what models produced."""
    said = [texts.of(message) if message.role == "assistant" else None for message in record.messages]
    spoken = list(zip(record.messages, said, strict=True))
    pairing = Pairing(generated, [(message, text) for message, text in spoken if text is not None])
    given = Given(record, pairing, texts)
    walked = Walked()
    begun = False
    for message, text in spoken:
        if text is None or given.takes(message, text) or (not begun and given.replayed(message, text)):
            # what the input gave stands before all that was produced
            walked.pass_by(message)
        elif (turn := pairing.find(message, text)) is not None:
            begun = True
            walked.join(message, turn, text)
        elif given.replayed(message, text):
            walked.pass_by(message)
        else:
            walked.add(message, pairing.add(message, text), text)
    return walked


def _is_run(spoken: Spoken, run: list[Turn]) -> bool:
    """Whether the conversation says all of the run, word for word."""
    return len(spoken) == len(run) and all(
        turn is ran and (turn.produced is None or turn.produced == text)
        for (turn, text), ran in zip(spoken, run, strict=True)
    )


def _names(run: list[Turn]) -> dict[tuple[str, ...], str | None]:
    """Names of those who speak, by where they speak: sub-agents, and agents in a row.

    Where one agent encloses the whole run, it is the main one and goes without a name.
    """
    paths = {turn.speaker.path for turn in run if turn.speaker is not None}
    several = len({path[:1] for path in paths}) > 1
    return {path: path[-1] if path and (several or len(path) > 1) else None for path in paths}


def _agent(turn: Turn, names: dict[tuple[str, ...], str | None]) -> str | None:
    speaker = turn.speaker
    if speaker is None:
        return None
    return names[speaker.path] if turn.in_run else speaker.other


def _as_produced(turns: list[Turn], names: dict[tuple[str, ...], str | None]) -> _Messages:
    """Messages with the conversation's text first, and the model's where it differs."""
    messages = []
    for index, turn in enumerate(turns):
        said, raw, agent = turn.said, turn.produced, _agent(turn, names)
        if said is None:
            message = AssistantMessage(raw or "", index, turn.message.id, agent, None, False)
        else:
            message = AssistantMessage(said, index, turn.message.id, agent, None if raw == said else raw)
        messages.append(message)
    return tuple(messages)


def _as_said(spoken: Spoken, names: dict[tuple[str, ...], str | None]) -> _Messages:
    """Messages as the conversation has them."""
    return tuple(
        AssistantMessage(text, index, turn.message.id, _agent(turn, names))
        for index, (turn, text) in enumerate(spoken)
    )
