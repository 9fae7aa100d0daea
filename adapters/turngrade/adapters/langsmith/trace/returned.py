"""What the root run returned: which messages of the trace it is, and what was said nowhere else."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from turngrade.adapters.langsmith.shapes import (
    EMPTY,
    Message,
    Reading,
    as_mapping,
    is_conversation,
    read_payload,
)
from turngrade.adapters.langsmith.trace.ledger import Entry, Match, named_run
from turngrade.adapters.langsmith.trace.recording import Recording


class Returned(Struct):
    """The root's outputs.

    Args:
        reading: What they say.
        entries: The messages of this run among them, in order.
        beside: A text beside a state that holds no text of this run.
        copied: Whether they only copy a call that does not count: some tracers copy the last call of a
            trace, a guard's too, up to its root.
        missing_call: Id of a model's call that a message names, and that is not in the trace.
    """

    reading: Reading
    entries: list[Entry] = field(default_factory=list)
    beside: Reading = EMPTY
    copied: bool = False
    missing_call: str | None = None

    @property
    def is_conversation(self) -> bool:
        """Whether they hold the final conversation, and not only a reply."""
        return self.reading.kind == "state" and is_conversation(self.reading.messages)


def note_returned(recording: Recording) -> Returned:
    """Find the root's outputs among the messages of a trace, and add those that are new."""
    root = recording.trace.root
    returned = Returned(recording.reading(root))
    if root.run.is_model_call:
        returned.entries = list(recording.calls_of(root))
    elif returned.reading.kind == "state":
        _note_state(recording, returned)
        if not any(entry.text for entry in returned.entries):
            returned.beside = _beside(root.run.outputs)
            _note_reply(recording, returned, returned.beside)
    else:
        _note_reply(recording, returned, returned.reading)
    return returned


def _note_state(recording: Recording, returned: Returned) -> None:
    reading = returned.reading
    root = recording.trace.root
    matches = recording.match(root, reading.assistant, past=returned.is_conversation)
    cut = _cut(recording, returned, matches)
    returned.entries = recording.note_state(root, matches, cut, handwritten=True)


def _cut(recording: Recording, returned: Returned, matches: Sequence[Match]) -> int:
    """Position before which unknown messages of the root's state are of the past.

    A resumed run gets no message, and its state holds the whole thread. LangChain's message ids name the
    model's run that produced the message: if that is not in the trace, it was an earlier one.
    """
    messages = returned.reading.messages
    cut = recording.cut(recording.trace.root)
    places = [place for place, message in enumerate(messages) if message.is_assistant]
    for place, match in zip(places, matches, strict=True):
        run_id = named_run(messages[place].id)
        if match is not None or run_id is None or place < cut or run_id in recording.trace.ids:
            continue
        if cut == 0 and recording.has_calls:
            cut = place + 1
        else:
            returned.missing_call = returned.missing_call or run_id
    return cut


def _beside(outputs: object) -> Reading:
    data = as_mapping(outputs) or {}
    reading = read_payload({key: value for key, value in data.items() if key != "messages"})
    return reading if reading.kind in ("reply", "text") else EMPTY


def _note_reply(recording: Recording, returned: Returned, reading: Reading) -> None:
    messages = reading.assistant
    matches = recording.match(recording.trace.root, messages, past=False)
    for message, match in zip(messages, matches, strict=True):
        if isinstance(match, Entry):
            _note_known(recording, returned, match, message, copyable=reading.kind == "reply")
        elif not _was_said(recording, reading, message):
            entry = Entry.of(message, recording.trace.root)
            recording.ledger.add(entry)
            returned.entries.append(entry)


def _note_known(
    recording: Recording, returned: Returned, entry: Entry, message: Message, *, copyable: bool
) -> None:
    if copyable and not recording.counts(entry):
        returned.copied = True
        return
    recording.ledger.enter(entry, message)
    returned.entries.append(entry)


def _was_said(recording: Recording, reading: Reading, message: Message) -> bool:
    """Whether a returned text is a part of what was said: a function that cuts the answer out of a reply.

    The pieces of a stream may be parts of words; a text that was cut out is whole words.
    """
    pieces = [piece for piece in reading.pieces or (message.text,) if piece]
    said = [entry.raw for entry in recording.entries if recording.counts(entry)]
    holds = _contains if reading.pieces else _says
    return bool(said) and all(any(holds(text, piece) for text in said) for piece in pieces)


def _contains(text: str, piece: str) -> bool:
    return piece in text


def _says(text: str, piece: str) -> bool:
    """Whether a text holds another one whole: "yes" is no part of "yesterday"."""
    place = text.find(piece)
    while place >= 0:
        if not (_in_word(text, place) or _in_word(text, place + len(piece))):
            return True
        place = text.find(piece, place + 1)
    return False


def _in_word(text: str, place: int) -> bool:
    """Whether a position is inside of a word; scripts without upper case may write no spaces."""
    around = text[max(0, place - 1) : place + 1]
    return len(around) == 2 and place > 0 and all(map(_is_of_word, around))


def _is_of_word(letter: str) -> bool:
    return letter.islower() or letter.isupper() or letter.isdigit()
