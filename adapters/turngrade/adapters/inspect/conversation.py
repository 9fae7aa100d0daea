"""What a message of the conversation is: given by the input, produced by a model, or written by hand."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from .calls import Speaker
from .shape import Message, SampleRecord, Texts

_Fingerprint = tuple[str, tuple[str | None, ...]]


class Turn(Struct, eq=False, gc=False):
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


class TextsOfIds:
    """The texts that messages of one id have, each once, in order.

    Nearly every id has one text. It is compared and never hashed: that would cost more than all the rest.
    """

    def __init__(self) -> None:
        self._first: dict[str, str] = {}
        self._others: dict[str, dict[str, None]] = {}

    def add(self, id: str, text: str) -> bool:
        """Note a text. Returns whether it is new."""
        first = self._first.get(id)
        if first is None:
            self._first[id] = text
            return True
        if text == first:
            return False
        others = self._others.setdefault(id, {})
        known = len(others)
        others[text] = None
        return len(others) > known

    def of(self, id: str) -> list[str]:
        """The texts of an id; none where it is unknown."""
        return [self._first[id], *self._others.get(id, ())] if id in self._first else []

    def has_one(self, id: str) -> bool:
        """Whether an id has one text, and no other."""
        return id in self._first and id not in self._others

    def __contains__(self, id: str) -> bool:
        return id in self._first


class Pairing:
    """Finds the turn that a message of the conversation is.

    Args:
        generated: The turns that models produced.
        conversation: The conversation's assistant messages, with their texts.
    """

    def __init__(self, generated: list[Turn], conversation: list[tuple[Message, str]]) -> None:
        self._generated = generated
        self._by_id: dict[str, list[Turn]] = {}
        for turn in generated:
            if turn.message.id is not None:
                self._by_id.setdefault(turn.message.id, []).append(turn)
        self._texts = TextsOfIds()
        """Those of the conversation; one message that stands there twice is one."""
        for message, text in conversation:
            if message.id is not None:
                self._texts.add(message.id, text)
        self._found: dict[str | tuple[str, str], Turn] = {}
        for id, turns in self._by_id.items():
            if len(turns) == 1 and self._texts.has_one(id):
                self._found[id] = turns[0]
            else:
                self._match(id, turns)
        self._loose: dict[_Fingerprint, list[Turn]] | None = None

    def _match(self, id: str, turns: list[Turn]) -> None:
        """Match the conversation's texts of one id to the turns of that id.

        A turn of the same text goes first. Other texts are edited ones, of the last turns that are left: an
        id is shared by what stands outside of the conversation more often before it than behind it.
        """
        texts = self._texts.of(id)
        left = {turn.produced: turn for turn in turns}
        same = {text: left.pop(text) for text in texts if text in left}
        edited = [text for text in texts if text not in same]
        last = list(left.values())[-len(edited) :] if edited else []
        # two texts of one turn are two messages: the second one was written by hand
        for text, turn in [*same.items(), *zip(edited, last, strict=False)]:
            self._found[self._key(id, text)] = turn

    def _key(self, id: str, text: str) -> str | tuple[str, str]:
        """What a message of the conversation is found by: its id, and its text where others share the id."""
        return id if self._texts.has_one(id) else (id, text)

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
        if message.id is not None and message.id in self._by_id:
            return self._found.get(self._key(message.id, text))
        if self._loose is None:
            self._loose = self._find_loose()
        loose = self._loose.get((text, _tool_calls(message)))
        return loose.pop() if loose else None

    def add(self, message: Message, text: str) -> Turn:
        """A turn for a message that no model produced.

        Args:
            message: The message.
            text: Its text.
        """
        turn = Turn(message)
        if message.id is not None:
            self._by_id.setdefault(message.id, []).append(turn)
            self._found[self._key(message.id, text)] = turn
        return turn

    def _find_loose(self) -> dict[_Fingerprint, list[Turn]]:
        """What models produced that the conversation knows by no id, the last of each kind first."""
        loose: dict[_Fingerprint, list[Turn]] = {}
        for turn in reversed(self._generated):
            if turn.message.id is None or turn.message.id not in self._texts:
                loose.setdefault((turn.produced or "", _tool_calls(turn.message)), []).append(turn)
        return loose


class Given:
    """Assistant messages that the input gave to the run: few-shot examples and prefills.

    Args:
        record: The sample.
        pairing: The turns of the run.
        texts: Where texts are looked up.
    """

    def __init__(self, record: SampleRecord, pairing: Pairing, texts: Texts) -> None:
        given = [(message, texts.of(message)) for message in record.input if message.role == "assistant"]
        ids = {message.id for message in record.input if message.id is not None}
        self._pairing = pairing
        self._by_id = {message.id: text for message, text in given if message.id is not None}
        self._texts = Counter(text for _, text in given) if given else None
        # where messages of the input stand as they were, none of them was read anew
        self._replays = bool(given) and not any(message.id in ids for message in record.messages)

    def takes(self, message: Message, text: str) -> bool:
        """Whether a message of the conversation is one of them.

        One that was rewritten, such as a prefill that was completed, is not: the run says that text. An agent
        called with `run` gets its messages marked as its input: what this run has produced stays so.

        Args:
            message: The message.
            text: Its text.
        """
        own = self._by_id.get(message.id) if message.id is not None else None
        marked = message.source == "input" and not self._pairing.knows(message)
        taken = marked if own is None else own == text
        if taken and self._texts is not None:
            self._texts[text] -= 1
        return taken

    def replayed(self, message: Message, text: str) -> bool:
        """Whether a message is one of them under a new id: agent bridges read them anew from requests.

        Args:
            message: The message.
            text: Its text.
        """
        if not self._replays or self._texts is None or self._texts[text] <= 0 or self._pairing.knows(message):
            return False
        self._texts[text] -= 1
        return True


def _tool_calls(message: Message) -> tuple[str | None, ...]:
    return tuple(call.id for call in message.tool_calls or ())
