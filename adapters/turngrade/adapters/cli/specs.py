"""Loading the SPEC argument, and telling what is wrong with one."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from turngrade.adapters.cli.terminal import visible

if TYPE_CHECKING:
    from turngrade.core import InvalidSpec, Spec, SpecProblem


class UnusableSpec(click.ClickException):
    """A spec that does not load. The command ends with the exit code for bad usage.

    Args:
        name: The file, as the user wrote it.
        error: What is wrong with it.
        hint: What the user may have meant.
    """

    def __init__(self, name: str, error: InvalidSpec, hint: str = "") -> None:
        hints = [visible(f"    hint: {hint}")] if hint else []
        super().__init__("\n".join([*problem_lines(name, error.problems), *hints]))

    def show(self, file: object = None) -> None:
        """Print every problem on stderr, each with its place."""
        click.echo(self.message, err=True)


def load(name: str, stimulus: str | None = None) -> Spec:
    """Load a spec file.

    Args:
        name: The file.
        stimulus: Name of the Vally stimulus whose graders are to apply to every transcript.

    Raises:
        UnusableSpec: It does not load.
        click.BadParameter: It has no such stimulus.
    """
    from turngrade.core import InvalidSpec, load_spec

    try:
        spec = load_spec(Path(name))
    except InvalidSpec as error:
        raise UnusableSpec(name, error, hint_for(name)) from error
    if stimulus is None:
        return spec
    try:
        return spec.with_stimulus(stimulus)
    except KeyError as error:
        raise click.BadParameter(visible(str(error.args[0])), param_hint="--stimulus") from error


def hint_for(name: str) -> str:
    """What the user may have meant by a file that is no spec; empty where nobody knows."""
    from turngrade.adapters.cli.reading import kind_of
    from turngrade.core.suggest import nearest

    path = Path(name)
    try:
        if not path.exists():
            near = nearest(path.name, os.listdir(path.parent))
            return f"did you mean {path.parent / near}?" if near else ""
        looks_so = path.is_file() and kind_of(path) is not None
    except (OSError, ValueError):
        return ""
    return "it looks like transcripts; the spec comes first, and then the sources" if looks_so else ""


def tell_problems(name: str, spec: Spec) -> None:
    """Say on stderr, before any work, which patterns do not compile and what else the user should know."""
    for line in problem_lines(name, spec.problems(), level="invalid pattern"):
        click.echo(line, err=True)
    for line in problem_lines(name, spec.warnings, level="warning"):
        click.echo(line, err=True)


def problem_lines(name: str, problems: Sequence[SpecProblem], level: str = "error") -> Iterator[str]:
    """``spec.yaml:12:5: error: graders[0].config.pattern: …``, with the lines of help below."""
    for problem in problems:
        place = ":".join(str(part) for part in (name, problem.line, problem.column) if part is not None)
        where = f"{problem.path}: " if problem.path else ""
        first, *others = (problem.detail or problem.message).splitlines()
        yield f"{place}: {level}: {visible(where + first)}"
        yield from (f"    {visible(line)}" for line in others)
