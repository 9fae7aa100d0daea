"""The assistant messages of a trace in the three scopes.

A model's output belongs to scope ``run`` if it ever entered a conversation: the root's state, the messages of
a graph's node or of a sub-agent, or those given to a later call. Where no conversation is recorded around a
call, nothing tells it apart from the agent's own, and it belongs to the run unless it is marked as that of a
guard, a judge, middleware or a summariser.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from turngrade.adapters.langsmith.trace.ledger import Entry
from turngrade.adapters.langsmith.trace.recording import Recording
from turngrade.adapters.langsmith.trace.returned import Returned, note_returned
from turngrade.adapters.langsmith.trace.tree import Node, Trace


class Produced(Struct, frozen=True):
    """What was produced in a trace.

    Args:
        run: Scope ``run``, in order.
        model_calls: Scope ``model-calls``, in order.
        conversation: Scope ``conversation``: what stands in the final main conversation, in order.
        returned: What the root returned.
    """

    run: tuple[Entry, ...]
    model_calls: tuple[Entry, ...]
    conversation: tuple[Entry, ...]
    returned: Returned


def produced_in(trace: Trace) -> Produced:
    """Go through the runs of a trace and sort out who said what."""
    recording = Recording(trace)
    returned = note_returned(recording)
    run = tuple(entry for entry in recording.entries if recording.counts(entry))
    conversation = _conversation(recording, returned, run)
    if not trace.root.run.is_model_call:
        conversation = tuple(entry for entry in conversation if recording.was_taken(entry))
    return Produced(run, tuple(recording.entries), conversation, returned)


def _conversation(recording: Recording, returned: Returned, run: tuple[Entry, ...]) -> tuple[Entry, ...]:
    root = recording.trace.root
    if root.run.is_model_call or returned.is_conversation:
        return tuple(returned.entries)
    main = tuple(entry for entry in run if entry.agent is root)
    graphs = list(_graphs(recording, root))
    if graphs:
        return _standing_in(recording, graphs, main)
    return _around_last_call(recording, returned, main)


def _graphs(recording: Recording, root: Node) -> Iterator[Node]:
    """The outermost runs below the root that recorded a conversation: graphs that a function called."""
    stack = list(reversed(root.children))
    while stack:
        node = stack.pop()
        if node.starts_sub_agent:
            continue
        if recording.records_conversation(node):
            yield node
        else:
            stack += reversed(node.children)


def _standing_in(recording: Recording, graphs: list[Node], main: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """What the final states of graphs hold, and what was said outside of the graphs."""
    standing = {entry for graph in graphs for entry in _state_of(recording, graph)}
    inside = {node for graph in graphs for node in graph.below()}
    return tuple(
        entry for entry in main if entry in standing or entry.node is None or entry.node not in inside
    )


def _state_of(recording: Recording, graph: Node) -> Iterator[Entry]:
    reading = recording.reading(graph)
    if reading.kind == "state":
        yield from (match for match in recording.match(graph, reading.assistant) if isinstance(match, Entry))
    else:  # a graph that failed has no final state: what its nodes put into it stands there
        for child in graph.children:
            if child.is_graph_node:
                yield from _state_of(recording, child)


def _around_last_call(recording: Recording, returned: Returned, main: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """In a loop written by hand: the conversation that the call was given whose reply the root returned."""
    last = returned.entries[-1].node if returned.entries else None
    if last is None:
        return main
    given = max(recording.given(last), key=len, default=())
    matches = recording.match(last, [message for message in given if message.is_assistant])
    before = {match for match in matches if isinstance(match, Entry)}
    return tuple(entry for entry in main if entry in before or entry.node is last) if before else main
