"""One passage through a trace, in order: who said what, and which conversations were recorded."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from msgspec.structs import replace

from turngrade.adapters.langsmith.shapes import (
    EMPTY,
    ListFinder,
    Message,
    Reading,
    is_conversation,
    read_payload,
    read_root,
)
from turngrade.adapters.langsmith.trace.growing import AgentCalls
from turngrade.adapters.langsmith.trace.ledger import NO_PAST, Entry, Ledger, Match, Past, named_run
from turngrade.adapters.langsmith.trace.tree import Node, Trace

_SILENT_KINDS = frozenset({"prompt", "parser", "retriever", "embedding"})
"""Run types whose outputs are no turn of a conversation."""


class Recording:
    """What the runs of a trace record, apart from what the root returned.

    Inputs are noted on the way into a run and outputs on the way out, so that whatever a run is given, and
    nothing in the trace has produced before, is known to come from outside.

    Args:
        trace: The trace.
    """

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.ledger = Ledger()
        self._readings: dict[Node, Reading] = {}
        self._lists = ListFinder()
        self._given = {node: self._lists.find(node.run.inputs) for node in trace.nodes}
        self._calls: dict[Node, list[Entry]] = {}
        self._conversations: dict[Node, bool] = {}
        self._pasts: dict[Node, Past] = {}
        self._agents: defaultdict[Node, AgentCalls] = defaultdict(AgentCalls)
        self._expected: dict[Node, tuple[Message, ...]] = {}
        self._look_ahead()
        self._pass()

    @property
    def entries(self) -> list[Entry]:
        """All messages produced so far, in order."""
        return self.ledger.entries

    @property
    def has_calls(self) -> bool:
        """Whether a model's call is among the runs."""
        return bool(self._calls)

    def reading(self, node: Node) -> Reading:
        """What the outputs of a run say."""
        if node not in self._readings:
            self._readings[node] = self._read(node)
        return self._readings[node]

    def given(self, node: Node) -> list[tuple[Message, ...]]:
        """The message lists in a run's inputs, the main one first."""
        return self._given[node]

    def calls_of(self, node: Node) -> list[Entry]:
        """The replies of a model's call."""
        return self._calls.get(node, [])

    def agent_of(self, node: Node) -> Node:
        """The run with which the sub-agent starts to which a run belongs; the root for the main agent's."""
        return node.sub_agent or self.trace.root

    def match(self, node: Node, messages: Sequence[Message], *, past: bool = True) -> list[Match]:
        """What assistant messages are that were found in a run; see `Ledger.match`.

        Args:
            node: The run.
            messages: Assistant messages in its inputs or outputs, in order.
            past: Whether they may be from before the run; a bare reply is not.
        """
        return self.ledger.match(messages, self.agent_of(node), self._past_of(node) if past else NO_PAST)

    def counts(self, entry: Entry) -> bool:
        """Whether a message belongs to scope ``run``."""
        if entry.node is None or any(candidate.entered for candidate in self.calls_of(entry.node)):
            return True
        return not (entry.node.is_marked or self._is_governed(entry.node))

    def was_taken(self, entry: Entry) -> bool:
        """Whether no other candidate of the same call entered a conversation in a message's place."""
        if entry.node is None or entry.entered:
            return True
        return not any(candidate.entered for candidate in self.calls_of(entry.node))

    def records_conversation(self, node: Node) -> bool:
        """Whether a run's own outputs, or the nodes of its graph, are a conversation's record."""
        if node not in self._conversations:
            self._conversations[node] = self._records(node)
        return self._conversations[node]

    def note_state(self, node: Node, matches: Sequence[Match], cut: int, *, handwritten: bool) -> list[Entry]:
        """Mark what entered a conversation, and add the messages that no model's call produced.

        Args:
            node: The run whose outputs are a state.
            matches: What its assistant messages are.
            cut: Position in the state before which unknown messages are of the past.
            handwritten: Whether unknown messages behind that are new ones, written by hand.

        Returns:
            The messages of this run in the state, in order.
        """
        known: list[Entry] = []
        following = next((match for match in matches if isinstance(match, Entry)), None)
        numbered = [item for item in enumerate(self.reading(node).messages) if item[1].is_assistant]
        for (place, message), match in zip(numbered, matches, strict=True):
            if isinstance(match, Entry):
                self.ledger.enter(match, message)
                known.append(match)
            elif match is None and handwritten and place >= cut:
                entry = Entry.of(message, self.agent_of(node))
                self.ledger.add(entry, after=known[-1] if known else None, before=following)
                known.append(entry)
        return known

    def _pass(self) -> None:
        stack = [(self.trace.root, False)]
        while stack:
            node, done = stack.pop()
            if done:
                self._leave(node)
                continue
            self._enter(node)
            stack.append((node, True))
            stack += [(child, False) for child in reversed(node.children)]

    def _look_ahead(self) -> None:
        for node in self.trace.nodes:
            calls = self._agents[self.agent_of(node)]
            for messages in self._given[node]:
                calls.see(messages)
            if node.run.is_model_call:
                self._expected[node] = self._replies(node)
                calls.expect(node, self._given[node], self._expected[node])
            elif (reading := self.reading(node)).kind == "state":
                calls.see(reading.messages, final=node is self.trace.root)

    def _enter(self, node: Node) -> None:
        agent = self.agent_of(node)
        calls = self._agents[agent]
        for number, messages in enumerate(self._given[node]):
            assistant = [message for message in messages if message.role == "assistant"]
            if not assistant:
                continue
            matches = self.ledger.match(assistant, agent, self.ledger.past_of(agent))
            given = messages[: calls.end_of_given(messages, matches)]
            if len(given) < len(messages):
                self._given[node][number] = given
                matches = matches[: sum(message.is_assistant for message in given)]
            own = [match for match in matches if isinstance(match, Entry)]
            if is_conversation(given):
                for entry in own:
                    entry.entered = True
            if len(own) < len(matches):
                self.ledger.replay(given, matches, agent, calls.end_of_past(given, matches))
        self._pasts[node] = self.ledger.past_of(agent)

    def _leave(self, node: Node) -> None:
        if node.run.kind == "prompt":  # examples in a prompt are no turns of this run
            agent = self.agent_of(node)
            for messages in self._lists.find(node.run.outputs):
                assistant = [message for message in messages if message.is_assistant]
                matches = self.ledger.match(assistant, agent, self.ledger.past_of(agent))
                self.ledger.replay(messages, matches, agent, len(messages))
        elif node.run.is_model_call:
            self._note_call(node)
        elif node.parent is not None:
            self._note_outputs(node)

    def _note_call(self, node: Node) -> None:
        agent = self.agent_of(node)
        replies = self._expected[node]
        self._calls[node] = [Entry.of(message, agent, node) for message in replies]
        for entry in self._calls[node]:
            self.ledger.add(entry)
        self._agents[agent].happened(node, self._given[node], replies)

    def _replies(self, node: Node) -> tuple[Message, ...]:
        """What a call replied, without what is one more recording of a call around it."""
        reading = self.reading(node)
        replies = reading.assistant
        if reading.kind == "state":
            behind = reading.messages[self.cut(node) :]
            replies = tuple(message for message in behind if message.is_assistant)
        outer: list[Message] = []
        above = node.parent
        while above is not None:
            outer += self._expected.get(above, ())
            above = above.parent
        if not outer:
            return replies
        return tuple(reply for reply in replies if not any(_is_part(reply, whole) for whole in outer))

    def cut(self, node: Node) -> int:
        """Position in a run's state before which unknown messages are of the past.

        A state that begins with what the run was given goes on behind it. Another one holds the rest of its
        thread in front; so does one that begins alike, if what follows names calls of an earlier trace.
        """
        messages, given = self.reading(node).messages, next(iter(self._given[node]), ())
        behind = position_behind(messages, given)
        if node.run.is_model_call and 0 < behind == len(
            messages
        ):  # it appended its reply to what it was given
            return next((at for at in range(behind, 0, -1) if not messages[at - 1].is_assistant), 0)
        begin = len(given)
        if not 0 < begin < behind or not _begins_with(messages, given):
            return behind
        named = (named_run(message.id) for message in messages[begin:behind])
        earlier = any(run_id is not None and run_id not in self.trace.ids for run_id in named)
        return behind if earlier else begin

    def _past_of(self, node: Node) -> Past:
        """What may stand in a run's messages from before the run.

        Only where a run was not given the conversation can the lists that calls below it were given tell.
        """
        if node.run.is_model_call or node.is_graph_node or self.cut(node) > 0:
            return self._pasts[node]
        return self.ledger.past_of(self.agent_of(node))

    def _note_outputs(self, node: Node) -> None:
        reading = self._readings[node] = self._without_later_messages(node)
        conversation = is_conversation(reading.messages)
        if reading.kind != "state" or not (reading.update or conversation):
            return
        self.note_state(
            node,
            self.match(node, reading.assistant, past=conversation),
            self.cut(node),
            handwritten=reading.update and (node.is_graph_node or conversation),
        )

    def _without_later_messages(self, node: Node) -> Reading:
        """What a run's outputs said when it ended: a later run may have appended to the list."""
        reading = self.reading(node)
        if reading.kind != "state":
            return reading
        agent = self.agent_of(node)
        matches = self.ledger.match(reading.assistant, agent, self.ledger.past_of(agent))
        end = self._agents[agent].end_of_given(reading.messages, matches)
        return replace(reading, messages=reading.messages[:end])

    def _read(self, node: Node) -> Reading:
        if node is self.trace.root:
            return read_root(node.run.outputs, node.run.inputs)
        return EMPTY if node.run.kind in _SILENT_KINDS else read_payload(node.run.outputs)

    def _is_governed(self, node: Node) -> bool:
        """Whether a conversation is recorded around a call: had its output entered one, it would be there."""
        below = node
        for above in node.ancestors():
            if below.starts_sub_agent:
                return False
            if self.records_conversation(above):
                return True
            below = above
        return False

    def _records(self, node: Node) -> bool:
        if node.run.is_model_call or node.run.kind in _SILENT_KINDS:
            return False
        reading = self.reading(node)
        if reading.kind == "state" and is_conversation(reading.messages):
            return True
        return any(child.is_graph_node and self.reading(child).kind == "state" for child in node.children)


def position_behind(messages: Sequence[Message], given: Sequence[Message]) -> int:
    """Position behind the last message that a state shares with a run's inputs; 0 where it shares none.

    Frameworks may give the messages of the input new ids, so that role and text have to do.
    """
    if not given:
        return 0
    last = given[-1]
    for place in range(len(messages) - 1, -1, -1):
        message = messages[place]
        if (message.id is not None and message.id == last.id) or _are_alike(message, last):
            return place + 1
    return 0


def _begins_with(messages: Sequence[Message], given: Sequence[Message]) -> bool:
    return all(map(_are_alike, messages, given))


def _are_alike(one: Message, other: Message) -> bool:
    return one.role == other.role and one.text == other.text


def _is_part(reply: Message, whole: Message) -> bool:
    """Whether a reply is, or is a part of, what a run around its call replied."""
    if reply.tools and whole.tools and reply.tools != whole.tools:
        return False
    return reply.text == whole.text or (bool(reply.text) and reply.text in whole.text)
