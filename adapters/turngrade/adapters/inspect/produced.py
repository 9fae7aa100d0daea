"""Which assistant messages a sample's run produced: one reconstruction, three scopes.

What the conversation holds and what the models produced are two records of one run, and neither is whole. The
conversation lacks sub-agents, other candidates, and whatever was compacted, trimmed or overwritten. The
events lack what a solver wrote by hand, and know a message only as it was before a solver, a hand-over or a
submit tool edited it. Both are joined here by message id.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from turngrade.core.transcript import AssistantMessage

from .calls import Call, model_calls
from .shape import Message, SampleRecord, Texts

_Fingerprint = tuple[str, tuple[str | None, ...]]


@dataclass(slots=True, eq=False)
class _Turn:
    """One message, as a model produced it, as the conversation has it, or both."""

    id: str | None
    produced: str | None = None
    said: str | None = None
    call: Call | None = None
    tool_calls: tuple[str | None, ...] = ()
    followers: list[_Turn] = field(default_factory=list)

    @property
    def in_run(self) -> bool:
        """A message that stands in the conversation counts, whoever wrote it; else the call decides."""
        return self.said is not None or self.call is None or self.call.kind == "agent"


@dataclass(frozen=True, slots=True)
class Produced:
    """The three scopes of one sample, each with its own indexes.

    Args:
        run: Every assistant message produced during the run.
        conversation: Those of the final main conversation.
        model_calls: ``run``, and every other model output inside the run.
        missing: Number of texts that the log only refers to and does not hold.
    """

    run: tuple[AssistantMessage, ...]
    conversation: tuple[AssistantMessage, ...]
    model_calls: tuple[AssistantMessage, ...]
    missing: int


def produced(record: SampleRecord) -> Produced:
    """Reconstruct the assistant messages of a sample.

    Args:
        record: The sample.
    """
    texts = Texts(record.attachments)
    generated = _generated(model_calls(record.events), texts)
    lead, spoken = _join(record, generated, texts)
    everything = [*lead, *(turn for head in generated for turn in (head, *head.followers))]
    run = [turn for turn in everything if turn.in_run]
    name = _namer(run)
    return Produced(
        run=tuple(_both_texts(turn, index, name(turn)) for index, turn in enumerate(run)),
        conversation=tuple(
            AssistantMessage(text, index, turn.id, name(turn)) for index, (turn, text) in enumerate(spoken)
        ),
        model_calls=tuple(_both_texts(turn, index, name(turn)) for index, turn in enumerate(everything)),
        missing=texts.missing,
    )


def _generated(calls: Iterable[Call], texts: Texts) -> list[_Turn]:
    """The messages that models produced, each once: a cache read repeats the id of what was cached."""
    seen: set[str] = set()
    turns = []
    for call in calls:
        for message in call.outputs:
            if message.id is not None:
                if message.id in seen:
                    continue
                seen.add(message.id)
            turns.append(_Turn(message.id, texts.of(message), call=call, tool_calls=_tool_calls(message)))
    return turns


def _join(
    record: SampleRecord, generated: list[_Turn], texts: Texts
) -> tuple[list[_Turn], list[tuple[_Turn, str]]]:
    """Walk the conversation and join its assistant messages to what models produced.

    A message that no model produced was written by hand; it follows the message before it.

    Returns:
        What was written before anything that a model produced, and the conversation's turns with their texts.
    """
    conversation = [message for message in record.messages if message.role == "assistant"]
    pairing = _Pairing(generated, conversation)
    given = _Given(record.input, pairing, texts)
    lead: list[_Turn] = []
    after = lead
    spoken: list[tuple[_Turn, str]] = []
    for message in conversation:
        text = texts.of(message)
        # what the input gave stands before all that was produced
        if given.takes(message, text) or (after is lead and given.replayed(message, text)):
            continue
        turn = pairing.find(message, text)
        if turn is not None:
            after = turn.followers
        elif given.replayed(message, text):
            continue
        else:
            turn = pairing.add(message)
            after.append(turn)
        turn.said = text
        spoken.append((turn, text))
    return lead, spoken


class _Given:
    """Assistant messages that the input gave to the run: few-shot examples and prefills."""

    def __init__(self, input: list[Message], pairing: _Pairing, texts: Texts) -> None:
        self._pairing = pairing
        given = [message for message in input if message.role == "assistant"]
        self._ids = {message.id for message in input if message.id is not None}
        self._texts = Counter(texts.of(message) for message in given)

    def takes(self, message: Message, text: str) -> bool:
        """Whether a message of the conversation is one of them.

        An agent called with `run` gets its messages marked as its input: what this run has produced stays so.
        """
        marked = message.source == "input" and not self._pairing.knows(message)
        if not marked and message.id not in self._ids:
            return False
        self._texts[text] -= 1
        return True

    def replayed(self, message: Message, text: str) -> bool:
        """Whether a message is one of them under a new id: agent bridges read them anew from requests."""
        if self._texts[text] <= 0 or self._pairing.knows(message):
            return False
        self._texts[text] -= 1
        return True


class _Pairing:
    """Finds the turn that a message of the conversation is."""

    def __init__(self, generated: list[_Turn], conversation: list[Message]) -> None:
        self._by_id = {turn.id: turn for turn in generated if turn.id is not None}
        known = {message.id for message in conversation}
        self._loose: dict[_Fingerprint, list[_Turn]] = {}
        for turn in reversed(generated):
            if turn.id is None or turn.id not in known:
                self._loose.setdefault((turn.produced or "", turn.tool_calls), []).append(turn)

    def knows(self, message: Message) -> bool:
        """Whether a turn of the message's id is there."""
        return message.id is not None and message.id in self._by_id

    def find(self, message: Message, text: str) -> _Turn | None:
        """The turn of the same id, else a loose one of the same text and tool calls.

        Without ids (the first releases) and with fresh ones (agent bridges) these identify a message.
        """
        turn = self._by_id.get(message.id) if message.id is not None else None
        if turn is not None:
            # one message that stands there twice is one turn; two texts of one id are two
            return turn if turn.said is None or turn.said == text else None
        loose = self._loose.get((text, _tool_calls(message)))
        return loose.pop() if loose else None

    def add(self, message: Message) -> _Turn:
        """A turn for a message that no model produced."""
        turn = _Turn(message.id)
        if message.id is not None:
            self._by_id.setdefault(message.id, turn)
        return turn


def _tool_calls(message: Message) -> tuple[str | None, ...]:
    return tuple(call.id for call in message.tool_calls or ())


def _namer(run: Iterable[_Turn]) -> Callable[[_Turn], str | None]:
    """Names for those who are not the main agent: a sub-agent, one of several in a row, a guard.

    Args:
        run: The turns of the run; where one agent encloses all of them, it is the main one.
    """
    outermost = {turn.call.path[:1] for turn in run if turn.call is not None}

    def name(turn: _Turn) -> str | None:
        call = turn.call
        if call is None:
            return None
        if not turn.in_run:
            return call.label
        if len(call.path) > 1 or len(outermost) > 1:
            return call.path[-1] if call.path else None
        return None

    return name


def _both_texts(turn: _Turn, index: int, agent: str | None) -> AssistantMessage:
    """A message with the conversation's text first, and the model's where it differs."""
    said, raw = turn.said, turn.produced
    if said is None:
        return AssistantMessage(raw or "", index, turn.id, agent, in_conversation=False)
    return AssistantMessage(said, index, turn.id, agent, raw_text=None if raw == said else raw)
