"""What a message of the conversation is: given by the input, produced by a model, or written by hand."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from .calls import Speaker
from .shape import Message, Texts

_Fingerprint = tuple[str, tuple[str | None, ...]]


@dataclass(slots=True, eq=False)
class Turn:
    """One message, as a model produced it, as the conversation has it, or both.

    Args:
        message: Either of them; it names the turn.
        produced: The text that the model produced; None for what was written by hand.
        speaker: Whose call produced it; None for what was written by hand.
        said: The text that the conversation has; None where the message is not in it.
    """

    message: Message
    produced: str | None = None
    speaker: Speaker | None = None
    said: str | None = None

    @property
    def in_run(self) -> bool:
        """A message that stands in the conversation counts, whoever wrote it; else the call decides."""
        return self.said is not None or self.speaker is None or self.speaker.other is None


class Pairing:
    """Finds the turn that a message of the conversation is.

    Args:
        generated: The turns that models produced.
        conversation: The conversation's assistant messages.
    """

    def __init__(self, generated: list[Turn], conversation: list[Message]) -> None:
        self._generated = generated
        self._conversation = conversation
        self._by_id = {turn.message.id: turn for turn in generated if turn.message.id is not None}
        self._loose: dict[_Fingerprint, list[Turn]] | None = None

    def knows(self, message: Message) -> bool:
        """Whether there is a turn of the message's id."""
        return message.id is not None and message.id in self._by_id

    def find(self, message: Message, text: str) -> Turn | None:
        """The turn of the same id, else a loose one of the same text and tool calls.

        Without ids (the first releases) and with fresh ones (agent bridges) these identify a message.

        Args:
            message: The message.
            text: Its text.
        """
        turn = self._by_id.get(message.id) if message.id is not None else None
        if turn is not None:
            # one message that stands there twice is one turn; two texts of one id are two
            return turn if turn.said is None or turn.said == text else None
        if self._loose is None:
            self._loose = self._find_loose()
        loose = self._loose.get((text, _tool_calls(message)))
        return loose.pop() if loose else None

    def add(self, message: Message) -> Turn:
        """A turn for a message that no model produced."""
        turn = Turn(message)
        if message.id is not None:
            self._by_id.setdefault(message.id, turn)
        return turn

    def _find_loose(self) -> dict[_Fingerprint, list[Turn]]:
        """What models produced that the conversation knows by no id, the last of each kind first."""
        known = {message.id for message in self._conversation}
        loose: dict[_Fingerprint, list[Turn]] = {}
        for turn in reversed(self._generated):
            if turn.message.id is None or turn.message.id not in known:
                loose.setdefault((turn.produced or "", _tool_calls(turn.message)), []).append(turn)
        return loose


class Given:
    """Assistant messages that the input gave to the run: few-shot examples and prefills.

    Args:
        input: The sample's input.
        pairing: The turns of the run.
        texts: Where texts are looked up.
    """

    def __init__(self, input: list[Message], pairing: Pairing, texts: Texts) -> None:
        given = [message for message in input if message.role == "assistant"]
        self._pairing = pairing
        self._ids = {message.id for message in given if message.id is not None}
        self._texts = Counter(map(texts.of, given)) if given else None

    def takes(self, message: Message, text: str) -> bool:
        """Whether a message of the conversation is one of them.

        An agent called with `run` gets its messages marked as its input: what this run has produced stays so.

        Args:
            message: The message.
            text: Its text.
        """
        marked = message.source == "input" and not self._pairing.knows(message)
        if not marked and message.id not in self._ids:
            return False
        if self._texts is not None:
            self._texts[text] -= 1
        return True

    def replayed(self, message: Message, text: str) -> bool:
        """Whether a message is one of them under a new id: agent bridges read them anew from requests.

        Args:
            message: The message.
            text: Its text.
        """
        if self._texts is None or self._texts[text] <= 0 or self._pairing.knows(message):
            return False
        self._texts[text] -= 1
        return True


def _tool_calls(message: Message) -> tuple[str | None, ...]:
    return tuple(call.id for call in message.tool_calls or ())
