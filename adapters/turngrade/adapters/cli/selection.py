"""``--only``: some of a spec's graders."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

import click

from turngrade.adapters.cli.terminal import visible
from turngrade.core import Grader, Spec


def only(spec: Spec, names: Sequence[str]) -> Spec:
    """The same spec with the graders of these names; weights and threshold stay as they are.

    Args:
        spec: The spec.
        names: Names, or patterns with ``*`` and ``?``. None at all keeps every grader.

    Raises:
        click.BadParameter: A name is that of no grader, or the graders that are left weigh nothing.
    """
    if not names:
        return spec
    for name in names:
        if not any(fnmatchcase(known, name) for known in spec.grader_names):
            raise click.BadParameter(
                f"the spec has no grader {visible(name)!r}{_nearest(name, spec)}", param_hint="--only"
            )

    def kept(graders: tuple[Grader, ...]) -> tuple[Grader, ...]:
        return tuple(grader for grader in graders if any(fnmatchcase(grader.name, name) for name in names))

    by_stimulus = {name: kept(graders) for name, graders in spec.compiled.by_stimulus.items()}
    chosen = replace(
        spec,
        compiled=replace(spec.compiled, everywhere=kept(spec.compiled.everywhere), by_stimulus=by_stimulus),
    )
    if not spec.aggregation.total((grader.name, grader.type) for grader in chosen.graders):
        raise click.BadParameter(
            "the graders that are left have no weight in scoring.weights", param_hint="--only"
        )
    return chosen


def _nearest(name: str, spec: Spec) -> str:
    near = difflib.get_close_matches(name, spec.grader_names, n=1)
    if near:
        return f"; did you mean {visible(near[0])!r}?"
    return f"; it has: {', '.join(map(visible, spec.grader_names))}"
