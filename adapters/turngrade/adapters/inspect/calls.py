"""Model calls of a sample: every one in order, with whose it was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from .shape import CallOutput, Choice, Event

OTHER_ROLES = frozenset({"grader", "judge", "scorer", "monitor", "guard", "guardrail"})
"""Model roles whose calls watch or judge the agent. Roles are free text: these cannot be an agent's."""

_SCORING = frozenset({"scorer", "scorers"})
_GUARDS = frozenset({"sentinel"})

_PLUMBING = _SCORING | _GUARDS | {
    "init", "solvers", "solver", "tool", "handoff", "task", "branch", "checkpoint", "prior_run", "sandbox",
}  # fmt: skip
"""Types of the spans that Inspect opens around its own machinery: they name nobody who speaks."""

_RUN = frozenset({"solvers", "solver", "plan", "agent", "tool", "handoff", "subtask"})
"""Types of the spans (and old steps) that are the run itself."""

_WHOLE_RUN = frozenset({"solvers", "solver", "plan"})
"""Types of the spans (and old steps) around all that a run does."""

_NATIVE_COMPACTION = "CompactionNative"


class Speaker(Struct, frozen=True):
    """Whose a model call was.

    Args:
        path: Names of the agents (and of spans that users open) around the call, outermost first.
        other: Who called where it was no agent: a guard, a judge, a summariser; None for an agent.
    """

    path: tuple[str, ...] = ()
    other: str | None = None

    def as_other(self, other: str) -> Speaker:
        """The same one, who is no agent; what the place says goes before what the call says."""
        return self if self.other is not None else Speaker(self.path, other)


class _Place(Struct, frozen=True):
    """Where in the run an event stands.

    Args:
        speaker: Whose the calls there are. inside: Whether it is within a solver, an agent or a tool. Scoring
        there is a judge that the run asks for. outside: Whether it is within scoring that follows the run.
    """

    speaker: Speaker = Speaker()
    inside: bool = False
    outside: bool = False

    def within(self, type: str, name: str) -> _Place:
        """The place inside a span of that type."""
        speaker = self.speaker
        if type not in _PLUMBING:
            speaker = Speaker((*speaker.path, name), speaker.other)
        elif type in _GUARDS:
            speaker = speaker.as_other(type)
        elif type in _SCORING:
            speaker = speaker.as_other("scorer")
        outside = self.outside or (type in _SCORING and not self.inside)
        return _Place(speaker, self.inside or type in _RUN, outside)


_TOP = _Place()


def model_calls(events: list[Event]) -> Iterator[tuple[list[Choice], Speaker]]:
    """All model calls inside the run that have an output, in the order of their events.

    Scoring that follows the run is left out: it is the grader's work, not the run's. A judge that the run
    itself asks for stays in.

    Args:
        events: The sample's transcript events.

    Yields:
        What the call produced, one candidate or several, and whose it was.
    """
    spans = _Spans()
    compacted = spans.look_ahead(events)
    return _calls(events, _TOP, spans, frozenset(_summarisers(events)) if compacted else frozenset())


def tell_of_the_run(events: list[Event]) -> bool:
    """Whether events tell what happened in the run, and not only how it was scored.

    A log that was read without its events has those of scoring once it is scored again.

    Args:
        events: The sample's transcript events.
    """
    begun = any(
        (event.event in ("span_begin", "step") and str(event.type) in _WHOLE_RUN)
        or event.event in ("subtask", "tool")
        for event in events
    )
    return begun or any(True for _ in model_calls(events))


def _calls(
    events: list[Event], around: _Place, spans: _Spans, summarisers: frozenset[int]
) -> Iterator[tuple[list[Choice], Speaker]]:
    """Calls of one list of events, those nested in old subtask and tool events included."""
    steps = [around]
    for event in events:
        kind = event.event
        if kind == "model":
            place = spans.place(event.span_id) or steps[-1]
            if not place.outside and (choices := _choices(event)):
                other = _other(event, summarisers)
                yield choices, place.speaker if other is None else place.speaker.as_other(other)
        elif kind == "step":
            _step(event, steps)
        elif event.events:
            place = (spans.place(event.span_id) or steps[-1]).within("nested", _name(event))
            yield from _calls(event.events, place, spans, summarisers)


def _choices(event: Event) -> list[Choice]:
    """What a model event's call produced; nothing for one that is under way, or that failed."""
    output = event.output
    if event.pending or not isinstance(output, CallOutput):
        return []
    if event.error and not any(choice.message.content for choice in output.choices):
        return []  # one that was cancelled may have been answered
    return output.choices


def _other(event: Event, summarisers: frozenset[int]) -> str | None:
    """Who called, where the event itself says that it was no agent."""
    if id(event) in summarisers:
        return "compaction"
    if event.role in OTHER_ROLES:
        return event.role
    return "failed call" if event.error else None


class _Spans:
    """The spans of a sample, looked up by id: parallel agents' events interleave."""

    def __init__(self) -> None:
        self._begins: dict[str | int | None, Event] = {}
        self._places: dict[str, _Place | None] = {}

    def look_ahead(self, events: list[Event]) -> bool:
        """Note where spans begin. Returns whether the run was compacted."""
        compacted = False
        for event in events:
            if event.event == "span_begin":
                self._begins[event.id] = event
            elif event.event == "compaction":
                compacted = True
            elif event.events:
                compacted |= self.look_ahead(event.events)
        return compacted

    def place(self, span_id: str | None) -> _Place | None:
        """The place inside a span; None for no span, or one whose begin is not recorded."""
        if span_id is None:
            return None
        if span_id not in self._places:
            self._find(span_id)
        return self._places[span_id]

    def _find(self, span_id: str) -> None:
        """Find the place of a span, and of all around it on the way."""
        chain: list[str] = []
        at: str | None = span_id
        while at is not None and at not in self._places:
            self._places[at] = None  # also ends at spans that are each other's parents, in a damaged log
            begin = self._begins.get(at)
            if begin is None:
                break
            chain.append(at)
            at = begin.parent_id
        place = self._places[at] if at is not None else None
        for each in reversed(chain):
            begin = self._begins[each]
            place = (place or _TOP).within(str(begin.type or begin.name), str(begin.name))
            self._places[each] = place


def _step(event: Event, steps: list[_Place]) -> None:
    """Follow a step of the releases before spans: begin and end enclose the events between."""
    if event.action == "begin":
        steps.append(steps[-1].within(str(event.type or event.name), str(event.name)))
    elif len(steps) > 1:
        steps.pop()


def _name(event: Event) -> str:
    return str(event.name or event.function or event.event)


def _summarisers(events: list[Event]) -> Iterator[int]:
    """Identities of the model events that wrote the summary of a compaction.

    The call before the event, in the same span, is the summariser. A summary that is still too long is
    summarised again: in an agent that has tools, the calls just before that have none are such earlier
    passes. Compaction by the provider makes no call.
    """
    recent: dict[str | None, list[Event]] = {}
    equipped: set[str | None] = set()
    for event in events:
        if event.event == "model":
            recent.setdefault(event.span_id, []).append(event)
            if event.tool_choice != "none":
                equipped.add(event.span_id)
        elif event.event == "tool":
            recent.pop(event.span_id, None)
        elif event.event == "compaction":
            before = recent.pop(event.span_id, [])
            if event.type != "summary" or not before or _strategy(event) == _NATIVE_COMPACTION:
                continue
            yield id(before.pop())
            while event.span_id in equipped and before and before[-1].tool_choice == "none":
                yield id(before.pop())


def _strategy(compaction: Event) -> str | None:
    metadata = compaction.metadata
    if not isinstance(metadata, Mapping):
        return None
    applied = metadata.get("strategy_applied") or metadata.get("strategy")
    return applied if isinstance(applied, str) else None
