"""Flat lists of runs → the runs of each trace."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from turngrade.adapters.langsmith.trace.runs import RunView, view_run


def group_by_trace(runs: Iterable[object]) -> dict[str, list[object]]:
    """Group runs by trace, in the order in which the traces first appear.

    Args:
        runs: Runs of any kind, of any number of traces, in any order.

    Returns:
        The runs of each trace, by trace id.

    Raises:
        ValueError: One of them is no run.
    """
    listed = [(view_run(run), run) for run in runs]
    views = {view.id: view for view, _ in listed}
    groups: dict[str, list[object]] = {}
    for view, run in listed:
        groups.setdefault(trace_id_of(view, views), []).append(run)
    return groups


def trace_id_of(run: RunView, others: Mapping[str, RunView]) -> str:
    """The id of a run's trace; where it is not recorded, the id of its topmost known ancestor.

    Args:
        run: The run.
        others: Other runs of the source, by id.
    """
    seen = {run.id}
    while run.trace_id is None and run.parents:
        top = run.parents[0]
        if top not in others or top in seen:
            return top
        seen.add(top)
        run = others[top]
    return run.trace_id or run.id
