"""Where, in a list that a run was given, what belongs to this run begins.

A live run holds the very list that the function was given. If an agent appends to it, the inputs that were
recorded for a call hold the call's own reply, and those of later calls. And a later call's list holds what
the run said so far, in whatever words the agent wrote it down.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct

from turngrade.adapters.langsmith.shapes import Message
from turngrade.adapters.langsmith.trace.ledger import Entry, Match
from turngrade.adapters.langsmith.trace.tree import Node

Key: TypeAlias = tuple[str, tuple[str, ...]]
Messages: TypeAlias = tuple[Message, ...]
Lists: TypeAlias = Sequence[Messages]

_EMPTY = 0
"""The digest of a list without messages, apart from the system's."""


class _List(Struct, frozen=True):
    """A list of messages.

    Args:
        messages: The messages.
        digests: For each position a digest of what stands before it, and one of the whole. The system's words
            do not count, because they are often put in front for the call alone.
        said: How often each message of the assistant stands in it.
        behind: Those of them that stand behind the list before, where it goes on from that.
    """

    messages: Messages
    digests: list[int]
    said: dict[Key, int]
    behind: Sequence[Key] = ()

    def continued(self, messages: Messages) -> _List:
        """What is to know of another list, which may begin with all of this one."""
        begin = len(self.messages)
        goes_on = messages[:begin] == self.messages
        digests, said = (self.digests.copy(), self.said.copy()) if goes_on else ([_EMPTY], {})
        behind = []
        for message in messages[begin:] if goes_on else messages:
            key = _key(message)
            if message.role == "assistant":
                said[key] = said.get(key, 0) + 1
                behind.append(key)
            before = digests[-1]
            digests.append(before if message.role == "system" else hash((before, message.role, *key)))
        return _List(messages, digests, said, behind)


class AgentCalls:
    """What the calls of one agent were given and replied, those included that are still to come."""

    def __init__(self) -> None:
        self._replies: Counter[Key] = Counter()
        self._most: Counter[Key] = Counter()
        self._coming: defaultdict[Key, dict[Node, frozenset[int]]] = defaultdict(dict)
        self._past_prompts: set[int] = set()
        self._final: int | None = None
        self._last = _List((), [_EMPTY], {})
        self._wholes: dict[int, tuple[Messages, int]] = {}

    def expect(self, call: Node, given: Lists, replies: Iterable[Message]) -> None:
        """Note a call of the trace before the trace is gone through."""
        prompts = frozenset(map(self._whole, given))
        for key in map(_key, replies):
            self._replies[key] += 1
            self._coming[key][call] = prompts

    def see(self, messages: Messages, *, final: bool = False) -> None:
        """Note a list that is recorded anywhere in the agent's runs, or the one that the root returned."""
        seen = self._list(messages)
        if final:
            self._final = seen.digests[-1]
        for key in seen.behind:
            self._most[key] = max(self._most[key], seen.said[key])

    def happened(self, call: Node, given: Lists, replies: Iterable[Message]) -> None:
        """Note that a call has replied."""
        for reply in replies:
            self._coming[_key(reply)].pop(call, None)
        self._past_prompts.update(map(self._whole, given))
        self._past_prompts.discard(_EMPTY)

    def end_of_given(self, messages: Messages, matches: Sequence[Match]) -> int:
        """How much of a list was there when it was given: what stands behind was appended later.

        Args:
            messages: The list.
            matches: What its assistant messages are, by what has happened so far.
        """
        if None not in matches:
            return len(messages)
        places = [place for place, message in enumerate(messages) if message.is_assistant]
        replayed = Counter(_key(messages[place]) for place in _replayed(places, matches))
        unknown = [place for place, match in zip(places, matches, strict=True) if match is None]
        digests: list[int] = []
        for number, place in enumerate(unknown):
            key = _key(messages[place])
            if not self._coming.get(key):
                continue
            replayed[key] += 1
            if replayed[key] <= self._most[key] - self._replies[key]:
                continue  # so many were there before the run
            digests = digests or self._list(messages).digests
            if self._answers(key, digests[place]):
                return place
            behind = [_key(messages[later]) for later in unknown[number:]]
            if self._answers(key, digests[-1]) and (
                messages[-1].is_assistant
                or digests[-1] == self._final
                or self._are_calls(behind, digests[-1])
            ):
                return place
        return len(messages)

    def end_of_past(self, messages: Messages, matches: Sequence[Match]) -> int:
        """How much of a list may be from before the run.

        What stands behind a message of this run is of this run, and so is what goes on from the list that
        an earlier call was given.
        """
        places = [place for place, message in enumerate(messages) if message.is_assistant]
        own = [place for place, match in zip(places, matches, strict=True) if isinstance(match, Entry)]
        end = own[0] if own else len(messages)
        if not self._past_prompts or not places:
            return end
        digests = self._list(messages).digests
        return next((place for place in places if place < end and digests[place] in self._past_prompts), end)

    def _list(self, messages: Messages) -> _List:
        """What a list holds, worked out from where it goes on behind the list that was looked at before."""
        if messages is not self._last.messages:
            self._last = self._last.continued(messages)
        return self._last

    def _whole(self, messages: Messages) -> int:
        """The digest of a whole list, kept with the list, so that the list's address stays its own."""
        known = self._wholes.get(id(messages))
        if known is None:
            known = self._wholes[id(messages)] = (messages, self._list(messages).digests[-1])
        return known[1]

    def _answers(self, key: Key, prompt: int) -> bool:
        """Whether a call to come replies this to what it was given, by the digest of that."""
        return prompt != _EMPTY and any(prompt in found for found in self._coming.get(key, {}).values())

    def _are_calls(self, said: Sequence[Key], whole: int) -> bool:
        """Whether calls said all of it, or several calls that share one list said a part of it.

        A guard may reply what an earlier turn said, too: then other words of the past follow in its list.
        """
        return all(self._replies[key] for key in said) or sum(self._answers(key, whole) for key in said) > 1


def _replayed(places: Sequence[int], matches: Sequence[Match]) -> Iterator[int]:
    for place, match in zip(places, matches, strict=True):
        if match is not None and not isinstance(match, Entry):
            yield place


def _key(message: Message) -> Key:
    return message.text.strip(), message.tools
