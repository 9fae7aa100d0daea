"""One passage through a trace, in order: who said what, and which conversations were recorded."""

from __future__ import annotations

from collections.abc import Sequence

from turngrade.adapters.langsmith.shapes import (
    EMPTY,
    Message,
    Reading,
    find_lists,
    is_conversation,
    read_payload,
    read_root,
)
from turngrade.adapters.langsmith.trace.ledger import Entry, Ledger, Match
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
        self._given: dict[Node, list[tuple[Message, ...]]] = {}
        self._calls: dict[Node, list[Entry]] = {}
        self._conversations: dict[Node, bool] = {}
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
        return node.sub_agent() or self.trace.root

    def match(self, node: Node, messages: Sequence[Message], *, past: bool = True) -> list[Match]:
        """What assistant messages are that were found in a run; see `Ledger.match`."""
        return self.ledger.match(messages, self.agent_of(node), past=past)

    def counts(self, entry: Entry) -> bool:
        """Whether a message belongs to scope ``run``."""
        if entry.entered or entry.node is None:
            return True
        return not (entry.nested or entry.node.is_marked or self._is_governed(entry.node))

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

    def _enter(self, node: Node) -> None:
        self._given[node] = find_lists(node.run.inputs)
        for messages in self._given[node]:
            self.ledger.replay(messages, self.agent_of(node), conversation=is_conversation(messages))
        if node.run.is_model_call:
            self._calls[node] = self._call(node)

    def _leave(self, node: Node) -> None:
        if node.run.kind == "prompt":  # examples in a prompt are no turns of this run
            for messages in find_lists(node.run.outputs):
                self.ledger.replay(messages, self.agent_of(node), conversation=False)
        elif node.parent is not None and not node.run.is_model_call:
            self._note_outputs(node)

    def _call(self, node: Node) -> list[Entry]:
        outer = [entry for above in node.ancestors() for entry in self.calls_of(above)]
        added: list[Entry] = []
        for message in self._replies(node):
            if any(message.text == entry.raw for entry in outer):
                continue  # one call, recorded by a framework and by the client that it uses
            added.append(Entry.of(message, self.agent_of(node), node, nested=bool(outer)))
            self.ledger.add(added[-1])
        return added

    def _replies(self, node: Node) -> tuple[Message, ...]:
        reading = self.reading(node)
        if reading.kind != "state":
            return reading.assistant
        behind = reading.messages[position_behind(reading.messages, self.given(node)) :]
        return tuple(message for message in behind if message.is_assistant)

    def _note_outputs(self, node: Node) -> None:
        reading = self.reading(node)
        conversation = is_conversation(reading.messages)
        if reading.kind != "state" or not (reading.update or conversation):
            return
        self.note_state(
            node,
            self.match(node, reading.assistant, past=conversation),
            position_behind(reading.messages, self.given(node)),
            handwritten=reading.update and (node.is_graph_node or conversation),
        )

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


def position_behind(messages: Sequence[Message], given: Sequence[Sequence[Message]]) -> int:
    """Position behind the last message that a state shares with a run's inputs; 0 where it shares none.

    Frameworks may give the messages of the input new ids, so that role and text have to do.
    """
    last = given[0][-1] if given else None
    if last is None:
        return 0
    for place in range(len(messages) - 1, -1, -1):
        message = messages[place]
        same_id = message.id is not None and message.id == last.id
        if same_id or (message.role == last.role and message.text == last.text):
            return place + 1
    return 0
