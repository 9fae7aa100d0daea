"""From plain data to models: every problem at once, with its path, its line, and what to write instead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeVar, cast

from pydantic_core import ErrorDetails, ValidationError

from turngrade.core.configs import GRADER_TYPES, KINDS, TYPE_ALIASES, Examples
from turngrade.core.models import Grader, Limits, Scoring, SpecFile, validator
from turngrade.core.problems import InvalidSpec, Path, SpecProblem, path_text
from turngrade.core.section import Section, keys_of
from turngrade.core.source import Document
from turngrade.core.suggest import did_you_mean

F = TypeVar("F", bound=SpecFile)

_WANTED = {
    "bool_type": "must be true or false",
    "string_type": "must be a string",
    "string_too_short": "must not be empty",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "finite_number": "must be a finite number",
    "list_type": "must be a list",
    "dict_type": "must be a mapping",
    "model_type": "must be a mapping",
    "model_attributes_type": "must be a mapping with the keys type, name and config",
    "union_tag_not_found": "the key type is missing; known types: " + ", ".join(GRADER_TYPES),
    "invalid_key": "keys must be strings (quote them)",
    "string_unicode": "holds half a surrogate pair; a pattern takes it as \\ud83d (the backslash doubled)",
    "missing": "is required, and missing",
    "too_short": "must not be empty",
}

_SECTIONS: Final[dict[str, type[Section]]] = {"scoring": Scoring, "limits": Limits, "examples": Examples}


def validate(file: type[F], document: Document) -> F:
    """Make a spec file, or a Vally file, of a document.

    Raises:
        InvalidSpec: With all problems, in the order of the document.
    """
    if not isinstance(document.data, dict):
        found = _shown(document.data)
        problem = SpecProblem(
            "", f"a spec is a mapping with the key graders, or a list of graders, not {found}"
        )
        raise InvalidSpec((problem,), document.source)
    try:
        return cast(F, validator(file).validate_python(document.data))
    except ValidationError as error:
        raise InvalidSpec(tuple(_problems(error, document)), document.source) from None


def problem_at(path: Path, message: str, document: Document, detail: str = "") -> SpecProblem:
    """A problem with its position in the document."""
    return SpecProblem(path_text(path), message, *document.places.of(path), detail)


def _problems(error: ValidationError, document: Document) -> Iterator[SpecProblem]:
    told: set[Path] = set()
    for details in error.errors(include_url=False):
        path = _path_in(details, document.data)
        if path not in told:  # a union tells each of its members' complaints
            told.add(path)
            yield problem_at(path, _message(details, path, document.data), document)


def _path_in(details: ErrorDetails, data: Any) -> Path:
    """The error's location without what pydantic adds to it: the tags of unions."""
    path: list[str | int] = []
    at = data
    location = details["loc"]
    for number, step in enumerate(location):
        last = number == len(location) - 1
        if isinstance(at, dict):
            if step == "substring" and step not in at and "value" in at:
                step = "value"
            if step in at or (last and details["type"] == "missing"):
                path.append(step)
                at = at.get(step)
        elif isinstance(at, list) and isinstance(step, int):
            path.append(step)
            at = at[step] if step < len(at) else None
    return tuple(path)


def _message(details: ErrorDetails, path: Path, data: Any) -> str:
    kind = details["type"]
    context = details.get("ctx", {})
    if kind == "extra_forbidden":
        return _unknown_key(str(path[-1]), path[:-1], data)
    if kind == "union_tag_invalid":
        tag = str(context["tag"])
        return f"unknown grader type {tag!r}; {did_you_mean(tag, GRADER_TYPES)}"
    if kind == "literal_error":
        return f"must be {context['expected']}, not {_shown(details['input'])}"
    if kind == "value_error":
        return str(context["error"])
    wanted = _WANTED.get(kind)
    if wanted is None:
        return f"{details['msg'][0].lower()}{details['msg'][1:]}"
    if kind in (
        "invalid_key",
        "string_unicode",
        "missing",
        "union_tag_not_found",
        "string_too_short",
        "too_short",
    ):
        return wanted
    if kind == "list_type" and path[-1:] == ("value",):
        wanted = "must be a string, or a list of strings"
    if kind == "string_type" and isinstance(details["input"], (bool, int, float)):
        wanted += " (quote it)"
    return f"{wanted}, not {_shown(details['input'])}"


def _unknown_key(key: str, parent: Path, data: Any) -> str:
    if parent and isinstance(parent[-1], int):
        config_keys = _config_keys(_grader_type(parent, data))
        if key in config_keys:
            return f"unknown key {key!r} here; it goes under config"
    if key == "value" and parent[-1:] == ("config",):
        return "substring and value are the same key; write one of them"
    return f"unknown key {key!r}; {did_you_mean(key, _known_keys(parent, data))}"


def _known_keys(parent: Path, data: Any) -> tuple[str, ...]:
    if not parent:
        return keys_of(SpecFile)
    if isinstance(parent[-1], int):
        return keys_of(Grader)
    if parent[-1] == "config":
        return _config_keys(_grader_type(parent[:-1], data))
    section = _SECTIONS.get(str(parent[-1]))
    return keys_of(section) if section is not None else ()


def _grader_type(path: Path, data: Any) -> str:
    for step in path:
        data = data[step]
    return str(data.get("type")) if isinstance(data, Mapping) else ""


def _config_keys(grader_type: str) -> tuple[str, ...]:
    kind = KINDS.get(TYPE_ALIASES.get(grader_type, grader_type))
    return keys_of(kind.config) if kind is not None else ()


def _shown(value: Any) -> str:
    try:
        text = "null" if value is None else repr(value)
    except Exception:  # nested too deeply, or an object whose own code fails
        return f"a {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "…"
