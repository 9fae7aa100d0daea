"""Specs for scorers, and faults in them in the form that Inspect prints: `PrerequisiteError`.

Inspect prints a `PrerequisiteError` without a traceback and stops before any model call. A `ValueError` out
of a scorer's factory, `InvalidSpec` among them, would reach the user of `inspect score` only as "couldn't be
loaded".
"""

from __future__ import annotations

import logging
import os
import reprlib
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, get_args

from inspect_ai._util.error import PrerequisiteError
from rich.markup import escape

from turngrade.core import InvalidSpec, Spec, SpecProblem, load_spec

from .values import OnError

_reprs = reprlib.Repr()
_reprs.maxother = _reprs.maxstring = 80
_short = _reprs.repr
"""What was given, as Python writes it, cut in the middle where it is long."""

GraderSource: TypeAlias = str | os.PathLike[str] | Mapping[str, Any] | Sequence[Mapping[str, Any]]
"""A spec: the path of its file, its content, or only its list of graders."""

_MANGLED = """\
{scorer}: {key} must be text, but is {value}.

Inspect reads the value of -S as YAML and splits it at commas, so that a
pattern on the command line can arrive as a list, a number or nothing. Put the
grader into a file, with its text in single quotes:

    graders:
      - type: {type}
        config:
          {key}: {example}

and name the file: --scorer turngrade/graders -S graders=FILE.yaml"""

_MISSING = '{scorer}: no {key} is given; it must not be empty. Write -S {key}=TEXT, or {scorer}("TEXT")'

_CONFIG = ("graders[0].config.", "graders[0].config: ", "limits.")
"""Steps in a problem's path that the keyword arguments of a single scorer do not have."""

logger = logging.getLogger(__name__)


def single_spec(
    type: str, config: Mapping[str, Any], *, timeout: float, on_error: OnError, strict: bool
) -> Spec:
    """Build the spec of one grader from a scorer's arguments.

    Args:
        type: The grader's type, as in a spec file.
        config: The grader's config; keys whose value is None are left out.
        timeout: Seconds for the grader on one sample.
        on_error: Checked here, so that a wrong word stops too.
        strict: Whether an invalid pattern stops, and an incomplete transcript is an error.

    Raises:
        PrerequisiteError: The arguments make no valid grader.
    """
    scorer = type.replace("-", "_")
    _check_on_error(scorer, on_error)
    given = {key: value for key, value in config.items() if value is not None}
    for key in ("pattern", "substring", "value"):
        if config.get(key) == "":
            raise stop(_MISSING.format(scorer=scorer, key=key))
    for key in ("pattern", "substring", "flags", "unless"):
        if key in config and not isinstance(config[key], str) and (key in given or key != "unless"):
            example = "''" if key == "flags" else "'a{2,3}'"
            value = _short(config[key])
            raise stop(_MANGLED.format(scorer=scorer, key=key, value=value, type=type, example=example))
    content = {
        "graders": [{"type": type, "config": given}],
        "limits": {"timeout": timeout},
        "strict": strict,
    }
    spec = _load(content, scorer, _CONFIG)
    _warn(spec, scorer, _CONFIG)
    return spec


def graders_spec(graders: GraderSource | None, *, on_error: OnError, strict: bool) -> Spec:
    """Load the spec of the `graders` scorer.

    Args:
        graders: The path of a spec file, the spec's content, or its list of graders.
        on_error: Checked here, so that a wrong word stops too.
        strict: Whether an invalid pattern stops, whatever the spec says.

    Raises:
        PrerequisiteError: There is no such file, or it is no valid spec.
    """
    _check_on_error("graders", on_error)
    if graders is None:
        raise stop('graders: no spec is given. Name its file: graders("spec.yaml"), or -S graders=spec.yaml')
    if not isinstance(graders, (str, os.PathLike, Mapping, Sequence)) or isinstance(
        graders, (bytes, bytearray)
    ):
        raise stop(f"graders must be the path of a spec file, its content or a list, not {_short(graders)}.")
    place = "graders"
    if isinstance(graders, (str, os.PathLike)):
        place = os.fspath(graders)
        if not os.path.exists(place):
            raise stop(f"graders: there is no file {place} (in {os.getcwd()}).")
    spec = _load(graders, place)
    problems = spec.problems()
    if strict and problems:
        raise stop(_listed(f"{place}: not a usable spec (strict)", problems))
    _warn(spec, place)
    return spec


def stop(message: str) -> PrerequisiteError:
    """A `PrerequisiteError` that prints as written: rich would take brackets for markup."""
    return PrerequisiteError(escape(message))


def _check_on_error(scorer: str, on_error: object) -> None:
    if on_error not in get_args(OnError):
        raise stop(f"{scorer}: on_error must be 'incorrect' or 'unscored', not {_short(on_error)}.")


def _load(source: Any, place: str, hidden: Sequence[str] = ()) -> Spec:
    try:
        return load_spec(source)
    except InvalidSpec as error:
        raise stop(_listed(f"{place}: not a usable spec", error.problems, hidden)) from None


def _warn(spec: Spec, place: str, hidden: Sequence[str] = ()) -> None:
    for warning in spec.warnings:
        logger.warning("%s: %s", place, warning)
    problems = spec.problems()
    if problems:
        title = f"{place}: every sample will be an error (scoring_failed), because"
        logger.warning("%s", _listed(title, problems, hidden))


def _listed(title: str, problems: Sequence[SpecProblem], hidden: Sequence[str] = ()) -> str:
    lines = [f"{title}:"]
    for problem in problems:
        path = f"{problem.path}: "
        for prefix in hidden:
            path = path.removeprefix(prefix)
        place = f" (line {problem.line})" if problem.line is not None else ""
        # the detail, where there is one, begins with the message and goes on with a caret and a hint
        first, *more = (problem.detail or problem.message).splitlines()
        lines.append(f"  {path.removeprefix(': ')}{first}{place}")
        lines.extend(f"    {line}" for line in more)
    return "\n".join(lines)
