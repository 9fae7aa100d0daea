"""Which assistant messages a sample's run produced: one reconstruction, three scopes.

What the conversation holds and what the models produced are two records of one run, and neither is whole. The
conversation lacks sub-agents, other candidates, and whatever was compacted, trimmed or overwritten. The
events lack what a solver wrote by hand, and know a message only as it was before a solver, a hand-over or a
submit tool edited it. Both are joined here by message id.
"""

from __future__ import annotations

from dataclasses import dataclass

from turngrade.core.transcript import AssistantMessage

from .calls import model_calls
from .conversation import Given, Pairing, Turn
from .shape import Event, SampleRecord, Texts

_Messages = tuple[AssistantMessage, ...]
_Spoken = list[tuple[Turn, str]]


@dataclass(frozen=True, slots=True)
class Produced:
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
    spoken, by_hand = _join(record, generated, texts)
    everything = _in_order(generated, by_hand)
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
    """The messages that models produced, each once: a cache read repeats an id."""
    seen: set[str | None] = set()
    text_of = texts.of
    turns = []
    for choices, speaker in model_calls(events):
        for choice in choices:
            message = choice.message
            if message.id not in seen:
                turns.append(Turn(message, text_of(message), speaker))
                if message.id is not None:
                    seen.add(message.id)
    return turns


def _join(
    record: SampleRecord, generated: list[Turn], texts: Texts
) -> tuple[_Spoken, list[tuple[Turn | None, Turn]]]:
    """Walk the conversation and join its assistant messages to what models produced.

    Returns:
        The conversation's turns with their texts; and those that no model produced, so written by hand, each
        with the turn that it follows (None for what was written before anything that a model produced).
    """
    conversation = [message for message in record.messages if message.role == "assistant"]
    pairing = Pairing(generated, conversation)
    given = Given(record.input, pairing, texts)
    last: Turn | None = None
    spoken: _Spoken = []
    by_hand: list[tuple[Turn | None, Turn]] = []
    for message in conversation:
        text = texts.of(message)
        # what the input gave stands before all that was produced
        if given.takes(message, text) or (last is None and given.replayed(message, text)):
            continue
        turn = pairing.find(message, text)
        if turn is not None:
            last = turn
        elif given.replayed(message, text):
            continue
        else:
            turn = pairing.add(message)
            by_hand.append((last, turn))
        turn.said = text
        spoken.append((turn, text))
    return spoken, by_hand


def _in_order(generated: list[Turn], by_hand: list[tuple[Turn | None, Turn]]) -> list[Turn]:
    """All turns, by the order of their events; one written by hand behind the one that it follows."""
    if not by_hand:
        return generated
    following: dict[int | None, list[Turn]] = {}
    for last, turn in by_hand:
        following.setdefault(None if last is None else id(last), []).append(turn)
    ordered = following.get(None, [])
    for turn in generated:
        ordered.append(turn)
        ordered += following.get(id(turn), ())
    return ordered


def _is_run(spoken: _Spoken, run: list[Turn]) -> bool:
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


def _as_said(spoken: _Spoken, names: dict[tuple[str, ...], str | None]) -> _Messages:
    """Messages as the conversation has them."""
    return tuple(
        AssistantMessage(text, index, turn.message.id, _agent(turn, names))
        for index, (turn, text) in enumerate(spoken)
    )
