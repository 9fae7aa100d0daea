"""Which assistant messages were produced in a trace, and which of them entered a conversation.

A trace has one main agent, and a sub-agent for each tool that calls models. Each has a past of its own, and
where only texts tell messages apart, an agent's message is looked for among its own ones first.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final, TypeAlias

from msgspec import Struct, field

from turngrade.adapters.langsmith.shapes import Message
from turngrade.adapters.langsmith.trace.tree import Node

_Key: TypeAlias = tuple[str, tuple[str, ...]]


class Entry(Struct, eq=False):
    """One assistant message that was produced during the run.

    Args:
        agent: The run with which the sub-agent starts that said it; the root for the main agent.
        text: Its text, as the conversation has it.
        raw: What the model produced.
        id: The framework's id.
        tools: Ids of the tools it calls.
        name: The name of the agent, where the message carries one.
        node: The model call that produced it; None for a hand-written message.
        candidate: Which alternative of the call it is.
        entered: Whether it entered a conversation.
    """

    agent: Node
    text: str
    raw: str
    id: str | None = None
    tools: tuple[str, ...] = ()
    name: str | None = None
    node: Node | None = None
    candidate: int = 0
    entered: bool = False

    @classmethod
    def of(cls, message: Message, agent: Node, node: Node | None = None) -> Entry:
        """The entry of a message; one without a model's call has been put into a conversation by hand."""
        return cls(
            agent=agent,
            text=message.text,
            raw=message.text,
            id=message.id,
            tools=message.tools,
            name=message.name,
            node=node,
            candidate=message.candidate,
            entered=node is None,
        )


class _Replayed:
    """Stands for a message that was there before the run: input, or history."""


REPLAYED: Final = _Replayed()
"""A message that was there before the run."""

Match: TypeAlias = Entry | _Replayed | None


class Past(Struct, frozen=True):
    """The assistant messages from before the run.

    Args:
        keys: How often each text, with the tools called, stands in one list.
        ids: Their ids.
    """

    keys: Counter[_Key] = field(default_factory=Counter)
    ids: frozenset[str] = frozenset()

    def with_messages(self, messages: Sequence[Message]) -> Past:
        """This past and the messages of one more list."""
        keys = Counter((message.text, message.tools) for message in messages)
        ids = {message.id for message in messages if message.id is not None}
        if keys <= self.keys and ids <= self.ids:
            return self
        return Past(self.keys | keys, self.ids | ids)


NO_PAST: Final = Past()
"""Nothing was there before."""


class Ledger:
    """All messages of a trace, recorded while its runs are gone through in order."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._by_id: defaultdict[str, list[Entry]] = defaultdict(list)
        self._by_key: defaultdict[_Key, list[Entry]] = defaultdict(list)
        self._by_text: defaultdict[str, list[Entry]] = defaultdict(list)
        self._past: defaultdict[Node, Past] = defaultdict(Past)

    def add(self, entry: Entry, *, after: Entry | None = None, before: Entry | None = None) -> None:
        """Put an entry right behind another, or else right before another, or else at the end."""
        if after is not None:
            self.entries.insert(self.entries.index(after) + 1, entry)
        elif before is not None:
            self.entries.insert(self.entries.index(before), entry)
        else:
            self.entries.append(entry)
        if entry.id is not None:
            self._by_id[entry.id].append(entry)
        self._by_key[entry.raw, entry.tools].append(entry)
        if entry.raw:
            self._by_text[entry.raw].append(entry)

    def enter(self, entry: Entry, message: Message) -> None:
        """Note that an entry stands in a conversation, as this message."""
        if message.text not in (entry.text, entry.raw):
            self._by_text[message.text].append(entry)
        entry.entered = True
        entry.text = message.text
        entry.name = entry.name or message.name

    def replay(self, messages: Sequence[Message], matches: Sequence[Match], agent: Node, end: int) -> None:
        """Note what a run was given: what is not known, and stands before ``end``, was there before the run.

        Args:
            messages: The list, in order.
            matches: What its assistant messages are.
            agent: The agent to which the run belongs.
            end: Position in the list behind which nothing is from before the run.
        """
        numbered = [item for item in enumerate(messages) if item[1].is_assistant]
        old = [
            message
            for (place, message), match in zip(numbered, matches, strict=False)
            if place < end and not isinstance(match, Entry)
        ]
        self._past[agent] = self._past[agent].with_messages(old)

    def past_of(self, agent: Node) -> Past:
        """What is known by now to have been there before an agent's part of the run."""
        return self._past[agent]

    def match(self, messages: Sequence[Message], agent: Node, past: Past) -> list[Match]:
        """Find out what each assistant message of one list is.

        Ids are compared first, texts next (frameworks give new ids to the messages of their input); a
        message of the past takes precedence over an equal one of this run, because it came first.

        Args:
            messages: Assistant messages, in order.
            agent: The agent in whose runs the list was found.
            past: What may be in the list from before the run; a bare reply holds nothing of it.

        Returns:
            For each message the entry, ``REPLAYED``, or None for a message that is not known yet.
        """
        if not messages:
            return []
        used: set[Entry] = set()
        found: list[Match] = [
            None if message.id is None else self._by_identity(message, message.id, used, past)
            for message in messages
        ]
        replayed = defaultdict(int, past.keys)
        for message, match in zip(messages, found, strict=True) if REPLAYED in found else ():
            if match is REPLAYED:
                replayed[message.text, message.tools] -= 1
        return [
            self._by_content(message, agent, replayed, used) if match is None else match
            for message, match in zip(messages, found, strict=True)
        ]

    def _by_identity(self, message: Message, message_id: str, used: set[Entry], past: Past) -> Match:
        named = self._by_id.get(message_id)
        if named is None:
            return REPLAYED if message_id in past.ids else None
        same = [entry for entry in named if entry not in used]
        exact = next((entry for entry in same if message.text in (entry.raw, entry.text)), None)
        # an edited message keeps its id; an id that several messages share names none of them
        entry = exact or (same[0] if len(named) == 1 and same else None)
        if entry is not None:
            used.add(entry)
        return entry

    def _by_content(
        self, message: Message, agent: Node, replayed: dict[_Key, int], used: set[Entry]
    ) -> Match:
        key = (message.text, message.tools)
        if replayed and replayed.get(key, 0) > 0:
            replayed[key] -= 1
            return REPLAYED
        other = None
        for alike in (self._by_key.get(key, ()), self._by_text.get(message.text, ())):
            for entry in alike:
                if entry in used or (entry.id != message.id and _contradict(entry.id, message.id)):
                    continue
                if entry.agent is agent:
                    used.add(entry)
                    return entry
                other = other or entry
        if other is not None:
            used.add(other)
        return other


def _contradict(one: str | None, other: str | None) -> bool:
    """Whether two ids that differ, each the id of a LangChain model run, tell of different messages."""
    return _names_run(one) and _names_run(other)


def _names_run(message_id: str | None) -> bool:
    return message_id is not None and message_id.startswith(RUN_ID_PREFIX)


RUN_ID_PREFIX = "lc_run--"
"""LangChain's message ids begin so, followed by the id of the model's run."""


def named_run(message_id: str | None) -> str | None:
    """The id of the model run that a LangChain message id names."""
    if message_id is None or not _names_run(message_id):
        return None
    return message_id[len(RUN_ID_PREFIX) :][:36]
