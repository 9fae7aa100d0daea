"""The assistant messages of a trace in the three scopes.

A model output belongs to scope ``run`` if it ever entered a conversation: the root's state, a graph node's or
a sub-agent's messages, or the messages given to a later call. Where no conversation is recorded around a call,
nothing tells it apart from the agent's own, and it belongs to the run unless it is marked as a guard's, a
judge's, middleware's or a summariser's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from turngrade.adapters.langsmith.ledger import Entry, Ledger, Match, named_run
from turngrade.adapters.langsmith.shapes import (
    EMPTY,
    Message,
    Reading,
    find_lists,
    is_conversation,
    read_payload,
    read_root,
)
from turngrade.adapters.langsmith.tree import Node, Trace

_SILENT_KINDS = frozenset({"prompt", "parser", "retriever", "embedding"})
"""Run types whose outputs are no turn of a conversation."""


@dataclass(frozen=True, slots=True)
class Produced:
    """What was produced in a trace.

    Args:
        run: Scope ``run``, in order.
        model_calls: Scope ``model-calls``, in order.
        conversation: Scope ``conversation``: what stands in the final main conversation, in order.
        root: What the root's outputs say.
        returned: The messages of this run among them.
        copied: Whether the root's outputs are a tracer's copy of a call that does not count.
        missing_call: Id of a model run that the root's state names and that is not in the trace.
    """

    run: tuple[Entry, ...]
    model_calls: tuple[Entry, ...]
    conversation: tuple[Entry, ...]
    root: Reading
    returned: tuple[Entry, ...] = ()
    copied: bool = False
    missing_call: str | None = None


def collect(trace: Trace) -> Produced:
    """Go through the runs of a trace in order and sort out who said what."""
    return _Walk(trace).result()


class _Walk:
    """One passage through a trace: inputs on the way in, outputs on the way out."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.ledger = Ledger()
        self.readings: dict[Node, Reading] = {}
        self.inputs: dict[Node, list[tuple[Message, ...]]] = {}
        self.root_entries: list[Entry] = []
        self.copied = False
        self.missing_call: str | None = None

    def result(self) -> Produced:
        self._visit()
        entries = self.ledger.entries
        run = tuple(entry for entry in entries if self._counts(entry))
        conversation = self._conversation(run)
        root = self._reading(self.trace.root)
        returned = tuple(self.root_entries)
        return Produced(run, tuple(entries), conversation, root, returned, self.copied, self.missing_call)

    def _visit(self) -> None:
        stack = [(self.trace.root, False)]
        while stack:
            node, left = stack.pop()
            if left:
                self._leave(node)
                continue
            self._enter(node)
            stack.append((node, True))
            stack += [(child, False) for child in reversed(node.children)]

    def _enter(self, node: Node) -> None:
        lists = find_lists(node.run.inputs)
        self.inputs[node] = lists
        for messages in lists:
            self.ledger.replay(messages, conversation=is_conversation(messages))
        if node.run.is_model_call:
            self._call(node)

    def _leave(self, node: Node) -> None:
        if node.run.kind == "prompt":
            for messages in find_lists(node.run.outputs):
                self.ledger.replay(messages, conversation=False)
        elif node is self.trace.root:
            self._root(node)
        elif not node.run.is_model_call and node.run.kind not in _SILENT_KINDS:
            self._state(node)

    def _call(self, node: Node) -> None:
        outer = [
            entry
            for entry in self.ledger.entries
            if entry.node is not None and entry.node in set(_calls(node))
        ]
        for message in self._replies(node):
            if any(message.text == entry.raw for entry in outer):
                continue  # recorded twice, by a framework and by the client below it
            self.ledger.add(Entry.of(message, node, nested=bool(outer)))

    def _replies(self, node: Node) -> tuple[Message, ...]:
        reading = self._reading(node)
        if reading.kind == "state":  # a function that returns the conversation it was given, and its reply
            messages = reading.messages[_cut(reading.messages, self.inputs[node]) :]
            return tuple(message for message in messages if message.is_assistant)
        return reading.assistant

    def _state(self, node: Node) -> None:
        reading = self._reading(node)
        if reading.kind != "state" or not (reading.update or is_conversation(reading.messages)):
            return
        matches = self.ledger.match(reading.assistant, past=is_conversation(reading.messages))
        handwritten = reading.update and (node.is_graph_node or is_conversation(reading.messages))
        cut = _cut(reading.messages, self.inputs[node])
        self._record(reading, matches, cut, handwritten=handwritten)

    def _record(
        self, reading: Reading, matches: Sequence[Match], cut: int, *, handwritten: bool
    ) -> list[Entry]:
        """Mark what entered a conversation, and add the messages that no model call produced."""
        known: list[Entry] = []
        positions = [index for index, message in enumerate(reading.messages) if message.is_assistant]
        for position, match in zip(positions, matches, strict=True):
            message = reading.messages[position]
            if isinstance(match, Entry):
                match.entered, match.text = True, message.text
                known.append(match)
            elif match is None and handwritten and position >= cut:
                entry = Entry.of(message, None, entered=True)
                self.ledger.add(entry, after=known[-1] if known else None)
                known.append(entry)
        return known

    def _root(self, node: Node) -> None:
        reading = self._reading(node)
        if node.run.is_model_call:
            self.root_entries = [entry for entry in self.ledger.entries if entry.node is node]
        elif reading.kind == "state":
            self._root_state(node, reading)
        else:
            self._root_reply(reading)

    def _root_state(self, node: Node, reading: Reading) -> None:
        matches = self.ledger.match(reading.assistant, past=is_conversation(reading.messages))
        cut = self._root_cut(node, reading, matches)
        self.root_entries = self._record(reading, matches, cut, handwritten=True)

    def _root_cut(self, node: Node, reading: Reading, matches: Sequence[Match]) -> int:
        cut = _cut(reading.messages, self.inputs[node])
        positions = [index for index, message in enumerate(reading.messages) if message.is_assistant]
        for position, match in zip(positions, matches, strict=True):
            run_id = named_run(reading.messages[position].id)
            if match is not None or run_id is None or position < cut or run_id in self.trace.ids:
                continue
            if cut == 0 and self._has_calls:
                cut = position + 1  # nothing of the input is in the state, and the call was another run's
            else:
                self.missing_call = self.missing_call or run_id
        return cut

    @property
    def _has_calls(self) -> bool:
        return any(node.run.is_model_call for node in self.trace.nodes)

    def _root_reply(self, reading: Reading) -> None:
        messages = reading.assistant
        for message, match in zip(messages, self.ledger.match(messages, past=False), strict=True):
            if isinstance(match, Entry):
                self._returned(match, message, reading)
            elif match is None and not self._said_before(message, reading):
                entry = Entry.of(message, None, entered=True)
                self.ledger.add(entry)
                self.root_entries.append(entry)

    def _returned(self, entry: Entry, message: Message, reading: Reading) -> None:
        if reading.kind == "reply" and not self._counts(entry):
            self.copied = True  # a tracer copied the last call, a guard's, up to the root
            return
        entry.entered, entry.text = True, message.text
        self.root_entries.append(entry)

    def _said_before(self, message: Message, reading: Reading) -> bool:
        pieces = [piece for piece in reading.pieces or (message.text,) if piece]
        said = [entry.raw for entry in self.ledger.entries if self._counts(entry)]
        return bool(said) and all(any(piece in text for text in said) for piece in pieces)

    def _counts(self, entry: Entry) -> bool:
        if entry.entered or entry.node is None:
            return True
        return not (entry.nested or entry.node.is_marked or self._is_governed(entry.node))

    def _is_governed(self, node: Node) -> bool:
        """Whether a conversation is recorded around a call, so that what counts would stand in it."""
        below = node
        for above in node.ancestors():
            if below.starts_sub_agent:
                return False
            if self._records_conversation(above):
                return True
            below = above
        return False

    def _records_conversation(self, node: Node) -> bool:
        if node.run.is_model_call or node.run.kind in _SILENT_KINDS:
            return False
        reading = self._reading(node)
        if reading.kind == "state" and is_conversation(reading.messages):
            return True
        return any(child.is_graph_node and self._reading(child).kind == "state" for child in node.children)

    def _conversation(self, run: tuple[Entry, ...]) -> tuple[Entry, ...]:
        root = self.trace.root
        reading = self._reading(root)
        if root.run.is_model_call or (reading.kind == "state" and is_conversation(reading.messages)):
            return tuple(self.root_entries)
        main = tuple(entry for entry in run if entry.node is None or entry.node.sub_agent() is None)
        states = self._main_states()
        if states:
            return self._from_states(states, main)
        return self._from_last_call(main)

    def _main_states(self) -> list[Node]:
        """The outermost runs below the root that recorded a conversation: graphs that a function called."""
        found: list[Node] = []
        stack = list(reversed(self.trace.root.children))
        while stack:
            node = stack.pop()
            if node.starts_sub_agent:
                continue
            if self._records_conversation(node):
                found.append(node)
            else:
                stack += reversed(node.children)
        return found

    def _from_states(self, states: list[Node], main: tuple[Entry, ...]) -> tuple[Entry, ...]:
        inside = {match for node in states for match in self._matches(node) if isinstance(match, Entry)}
        governed = {node for state in states for node in _below(state)}
        return tuple(
            entry for entry in main if entry in inside or entry.node is None or entry.node not in governed
        )

    def _matches(self, node: Node) -> list[Match]:
        reading = self._reading(node)
        if reading.kind == "state":
            return self.ledger.match(reading.assistant)
        return [match for child in node.children if child.is_graph_node for match in self._matches(child)]

    def _from_last_call(self, main: tuple[Entry, ...]) -> tuple[Entry, ...]:
        """A loop written by hand: the last call was given the conversation to which its reply belongs."""
        last = self.root_entries[-1] if self.root_entries else None
        if last is None or last.node is None:
            return main
        given = max(self.inputs[last.node], key=len, default=())
        matches = self.ledger.match([message for message in given if message.is_assistant])
        before = {match for match in matches if isinstance(match, Entry)}
        if not before:
            return main
        return tuple(entry for entry in main if entry in before or entry.node is last.node)

    def _reading(self, node: Node) -> Reading:
        if node not in self.readings:
            self.readings[node] = self._read(node)
        return self.readings[node]

    def _read(self, node: Node) -> Reading:
        if node is self.trace.root:
            return read_root(node.run.outputs, node.run.inputs)
        return EMPTY if node.run.kind in _SILENT_KINDS else read_payload(node.run.outputs)


def _calls(node: Node) -> list[Node]:
    return [above for above in node.ancestors() if above.run.is_model_call]


def _below(node: Node) -> list[Node]:
    found = [node]
    for item in found:
        found += item.children
    return found


def _cut(messages: Sequence[Message], inputs: Sequence[Sequence[Message]]) -> int:
    """Position behind the last message that a state shares with the run's inputs; 0 where it shares none."""
    last = inputs[0][-1] if inputs else None
    if last is None:
        return 0
    for position in range(len(messages) - 1, -1, -1):
        message = messages[position]
        same_id = message.id is not None and message.id == last.id
        if same_id or (message.role == last.role and message.text == last.text):
            return position + 1
    return 0
