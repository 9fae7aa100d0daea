"""Model calls of a sample: every one in order, with whose it was and what it counts as."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from .shape import Choice, Event, Output

Kind: TypeAlias = Literal["agent", "other"]
"""``other``: inside the run, but not said by an agent (guards, judges, summarisers, failed calls)."""

OTHER_ROLES = frozenset({"grader", "judge", "scorer", "monitor", "guard", "guardrail"})
"""Model roles whose calls watch or judge the agent. Roles are free text: these cannot be an agent's."""

_SCORING = frozenset({"scorer", "scorers"})
_GUARDS = frozenset({"sentinel"})

_PLUMBING = _SCORING | {
    "init", "solvers", "solver", "tool", "handoff", "task", "branch", "checkpoint", "prior_run", "sandbox",
}  # fmt: skip
"""Types of the spans that Inspect opens around its own machinery: they name nobody who speaks."""

_RUN = frozenset({"solvers", "solver", "plan", "agent", "tool", "handoff", "subtask"})
"""Types of the spans (and old steps) that are the run itself."""

_NATIVE_COMPACTION = "CompactionNative"


@dataclass(slots=True, eq=False)
class Call:
    """One model call inside the run.

    Args:
        choices: The candidates that it produced.
        path: Names of the agents (and of spans that users open) around it, outermost first.
        kind: What it counts as.
        label: For kind ``other``, who spoke.
        toolless: Whether the model could call no tool.
    """

    choices: list[Choice]
    path: tuple[str, ...]
    kind: Kind
    label: str | None
    toolless: bool


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in the run an event stands."""

    path: tuple[str, ...] = ()
    scoring: bool = False
    guard: bool = False
    inside: bool = False
    """Inside a solver, an agent or a tool: scoring there is a judge within the run."""
    outside: bool = False
    """Inside scoring that no part of the run has asked for."""

    def within(self, type: str, name: str) -> _Place:
        """The place inside a span of that type."""
        if type in _SCORING:
            return replace(self, scoring=True, outside=self.outside or not self.inside)
        return _Place(
            path=self.path if type in _PLUMBING or type in _GUARDS else (*self.path, name),
            scoring=self.scoring,
            guard=self.guard or type in _GUARDS,
            inside=self.inside or type in _RUN,
            outside=self.outside,
        )


_TOP = _Place()


def model_calls(events: list[Event]) -> list[Call]:
    """All model calls inside the run, in the order of their events.

    Scoring that follows the run is left out: it is the grader's work, not the run's. A judge that the run
    itself asks for stays in, as kind ``other``.

    Args:
        events: The sample's transcript events.
    """
    return list(_Walk(events).calls(events, _TOP))


@dataclass(slots=True)
class _Walk:
    """One pass over a sample's events. Spans are looked up by id: parallel agents' events interleave."""

    events: list[Event]
    _begins: dict[str | int | None, Event] = field(init=False)
    _compacts: bool = field(init=False)
    _places: dict[str, _Place] = field(default_factory=dict)
    _recent: dict[str | None, list[Call]] = field(default_factory=dict)
    """Calls of a span since its last tool call or compaction."""
    _equipped: set[str | None] = field(default_factory=set)
    """Spans in which some call was offered tools."""

    def __post_init__(self) -> None:
        self._begins = {}
        self._compacts = False
        self._look_ahead(self.events)

    def _look_ahead(self, events: list[Event]) -> None:
        for event in events:
            if event.event == "span_begin":
                self._begins[event.id] = event
            elif event.event == "compaction":
                self._compacts = True
            elif event.events:
                self._look_ahead(event.events)

    def calls(self, events: list[Event], around: _Place) -> Iterator[Call]:
        """Calls of one list of events, those nested in old subtask and tool events included."""
        steps: list[_Place] = []
        for event in events:
            kind = event.event
            if kind == "model":
                place = self._place(event, steps, around)
                if not place.outside and (call := _call(event, place)) is not None:
                    if self._compacts:
                        self._note(event.span_id, call)
                    yield call
            elif kind == "tool" or kind == "subtask":
                if self._compacts:
                    self._recent.pop(event.span_id, None)
                if event.events:
                    place = self._place(event, steps, around).within("nested", _name(event))
                    yield from self.calls(event.events, place)
            elif kind == "compaction":
                recent = self._recent.pop(event.span_id, [])
                _mark_summarisers(event, recent, event.span_id in self._equipped)
            elif kind == "step":
                _step(event, steps, around)

    def _note(self, span_id: str | None, call: Call) -> None:
        """Keep in mind what a compaction in the same span asks for."""
        self._recent.setdefault(span_id, []).append(call)
        if not call.toolless:
            self._equipped.add(span_id)

    def _place(self, event: Event, steps: list[_Place], around: _Place) -> _Place:
        """Where an event stands: in its span, else in the innermost step, else where its list does."""
        span_id = event.span_id
        if span_id is not None:
            place = self._places.get(span_id) or self._span(span_id)
            if place is not None:
                return place
        return steps[-1] if steps else around

    def _span(self, span_id: str | None) -> _Place | None:
        """The place inside a span; None where its begin is not recorded."""
        chain: dict[str, None] = {}
        while span_id is not None and span_id in self._begins and span_id not in self._places:
            if span_id in chain:  # a damaged log: spans that are each other's parents
                break
            chain[span_id] = None
            span_id = self._begins[span_id].parent_id
        place = self._places.get(span_id) if span_id is not None else None
        for id in reversed(chain):
            begin = self._begins[id]
            name = str(begin.name)
            place = (place or _TOP).within(str(begin.type or name), name)
            self._places[id] = place
        return place


def _step(event: Event, steps: list[_Place], around: _Place) -> None:
    """Follow a step of the releases before spans: begin and end enclose the events between."""
    if event.action == "begin":
        here = steps[-1] if steps else around
        steps.append(here.within(str(event.type or event.name), str(event.name)))
    elif steps:
        steps.pop()


def _name(event: Event) -> str:
    return str(event.name or event.function or event.event)


def _call(event: Event, place: _Place) -> Call | None:
    """The call that a model event records; None where it has no output (yet)."""
    output = event.output
    if event.pending or not isinstance(output, Output) or not output.choices:
        return None
    if event.error and not any(choice.message.content for choice in output.choices):
        return None  # a failed call has an empty output; one that was cancelled may have been answered
    label = _other(event, place)
    kind: Kind = "agent" if label is None else "other"
    return Call(output.choices, place.path, kind, label, event.tool_choice == "none")


def _other(event: Event, place: _Place) -> str | None:
    """Who spoke, where it was not the agent."""
    if place.guard:
        return "sentinel"
    if place.scoring:
        return "scorer"
    if event.role in OTHER_ROLES:
        return event.role
    return "failed call" if event.error else None


def _mark_summarisers(compaction: Event, before: list[Call], equipped: bool) -> None:
    """Mark the calls that wrote the summary of a compaction.

    The call before the event is the summariser. A summary that is still too long is summarised again: in an
    agent that has tools, the calls just before that carry none are such earlier passes. Compaction by the
    provider makes no call.
    """
    if compaction.type != "summary" or not before or _strategy(compaction) == _NATIVE_COMPACTION:
        return
    passes = [before.pop()]
    while equipped and before and before[-1].toolless:
        passes.append(before.pop())
    for call in passes:
        call.kind, call.label = "other", "compaction"


def _strategy(compaction: Event) -> str | None:
    metadata = compaction.metadata
    if not isinstance(metadata, Mapping):
        return None
    applied = metadata.get("strategy_applied") or metadata.get("strategy")
    return applied if isinstance(applied, str) else None
