"""``--only``: some of a spec's graders."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

import click

from turngrade.adapters.cli.terminal import visible
from turngrade.core import Spec


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
    try:
        return spec.only(names_of(spec, names))
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--only") from error


def names_of(spec: Spec, names: Sequence[str]) -> list[str]:
    """The names of the graders that are meant, in the order of the spec; all where none is given.

    Raises:
        click.BadParameter: A name is that of no grader.
    """
    for name in names:
        if not any(fnmatchcase(known, name) for known in spec.grader_names):
            raise click.BadParameter(
                f"the spec has no grader {visible(name)!r}{_nearest(name, spec)}", param_hint="--only"
            )
    return [
        known for known in spec.grader_names if not names or any(fnmatchcase(known, name) for name in names)
    ]


def _nearest(name: str, spec: Spec) -> str:
    from difflib import get_close_matches  # only faults need it

    near = get_close_matches(name, spec.grader_names, n=1)
    if near:
        return f"; did you mean {visible(near[0])!r}?"
    return f"; it has: {', '.join(map(visible, spec.grader_names))}"
