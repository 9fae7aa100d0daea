"""From a run, or the runs of a trace, to a transcript."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from turngrade.adapters.langsmith.shapes import as_mapping
from turngrade.adapters.langsmith.trace.ledger import Entry
from turngrade.adapters.langsmith.trace.output import final_output
from turngrade.adapters.langsmith.trace.runs import RunView, flatten
from turngrade.adapters.langsmith.trace.scopes import Produced, produced_in
from turngrade.adapters.langsmith.trace.tree import Trace, build_trace
from turngrade.core import AssistantMessage, Transcript

Messages: TypeAlias = tuple[AssistantMessage, ...]


def transcript_from_run(
    run: object, *, source: str | None = None, children: Iterable[object] | None = None
) -> Transcript:
    """The transcript of a run.

    The run is only read: nothing in it is changed, and a generator in its outputs is not consumed.

    Args:
        run: A ``RunTree``, a ``langsmith.schemas.Run``, a v2 ``langsmith.types.run.Run``, or a dict with the
            same keys. It need not be the root of its trace.
        source: Where it comes from: a file, a project.
        children: All runs below it, in any order, flat or nested. By default those in its ``child_runs``.
            Where neither is there, and the run is no model call, the transcript says that it is incomplete.

    Raises:
        ValueError: ``run`` is no run.
    """
    given = None if children is None else list(children)
    views = flatten([run, *(given or ())])
    root = views[0]
    trace = build_trace(views, root.id)
    unknown = given is None and root.children is None and not root.is_model_call
    reason = (
        "Its child runs were not loaded, so what was said inside the run may be missing." if unknown else None
    )
    return _transcript(trace, source, trace.incomplete or reason)


def transcript_from_trace(runs: Sequence[object], *, source: str | None = None) -> Transcript:
    """The transcript of all runs of one trace, flat or nested, in any order.

    Args:
        runs: The runs, as for `transcript_from_run`. What is not among them was not recorded, unless the
            runs say otherwise (ids of children, tokens used, a parent that is not there).
        source: Where they come from.

    Raises:
        ValueError: There is no run, or one of them is no run.
    """
    if not runs:
        raise ValueError("a trace needs at least one run")
    trace = build_trace(flatten(runs))
    return _transcript(trace, source, trace.incomplete)


def _transcript(trace: Trace, source: str | None, incomplete: str | None) -> Transcript:
    produced = produced_in(trace)
    root = trace.root.run
    output = final_output(trace.root, produced)
    messages, conversation, model_calls = _scopes(produced)
    return Transcript(
        messages=messages,
        output=output.text,
        id=root.id,
        source=source,
        conversation=conversation,
        model_calls=model_calls,
        output_fields=output.fields,
        output_without_text=output.without_text,
        incomplete=incomplete or _incomplete(produced, root),
        metadata=_metadata(root),
    )


def _scopes(produced: Produced) -> tuple[Messages, Messages, Messages]:
    """The messages of the scopes run, conversation and model-calls; often they are the same ones."""
    inside = frozenset(produced.conversation)
    run = _messages(produced.run, inside)
    same = produced.conversation == produced.run and all(message.raw_text is None for message in run)
    conversation = run if same else _messages(produced.conversation, inside, raw=False)
    same = produced.model_calls == produced.run
    return run, conversation, run if same else _messages(produced.model_calls, inside)


def _messages(entries: Sequence[Entry], inside: frozenset[Entry], *, raw: bool = True) -> Messages:
    return tuple(
        [
            AssistantMessage(
                text=entry.text,
                index=index,
                id=entry.id,
                agent=_agent(entry),
                raw_text=entry.raw if raw and entry.raw != entry.text else None,
                in_conversation=entry in inside,
            )
            for index, entry in enumerate(entries)
        ]
    )


def _agent(entry: Entry) -> str | None:
    if entry.name is not None or entry.agent.parent is None:
        return entry.name
    node = entry.node or entry.agent
    named = node.run.metadata.get("lc_agent_name")
    return named if isinstance(named, str) and named else entry.agent.run.name or None


def _incomplete(produced: Produced, root: RunView) -> str | None:
    missing = produced.returned.missing_call
    if missing is not None:
        return f"The model's call {missing} is missing, whose message is in the root's outputs."
    if any(isinstance(value, Iterator | AsyncIterator) for value in _values(root.outputs)):
        return "The run's output is a generator; what it yields is not part of the run yet."
    return None


def _values(outputs: object) -> Iterable[object]:
    data = as_mapping(outputs)
    return [outputs] if data is None else data.values()


def _metadata(root: RunView) -> Mapping[str, Any]:
    facts: dict[str, object] = {"run_name": root.name, "thread_id": root.thread_id, "start_time": root.start}
    return {**{key: value for key, value in facts.items() if value}, **root.metadata}
