"""The spec reference tells every key, type, default and reason, and none that does not exist."""

from __future__ import annotations

import json
import re
from pathlib import Path

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from turngrade.core import models
from turngrade.core.transcript import SCOPES
from turngrade.core.verdict import REASONS, Hit, Verdict

PAGE = Path(__file__).parents[2] / "docs" / "spec.md"
GRADER_MODELS: dict[str, type[BaseModel]] = {
    "transcript-matches": models.TranscriptMatches,
    "transcript-not-matches": models.TranscriptNotMatches,
    "output-matches": models.OutputMatches,
    "output-not-matches": models.OutputNotMatches,
    "transcript-contains": models.TranscriptContains,
    "transcript-not-contains": models.TranscriptNotContains,
    "output-contains": models.OutputContains,
    "output-not-contains": models.OutputNotContains,
    "regex-match": models.RegexMatch,
    "contains": models.Contains,
}
GROUPS = {
    "all": set(GRADER_MODELS),
    "positive": {name for name in GRADER_MODELS if "-not-" not in name},
    "`*-not-*`": {name for name in GRADER_MODELS if "-not-" in name},
    "`transcript-*`": {name for name in GRADER_MODELS if name.startswith("transcript-")},
    "`*-matches`": {name for name in GRADER_MODELS if name.endswith("-matches")},
    "`*-contains`": {name for name in GRADER_MODELS if name.endswith("-contains")},
}


def table(heading: str) -> list[list[str]]:
    """The cells of the first table below a heading."""
    page = PAGE.read_text("utf-8")
    section = re.split(rf"^#+ {re.escape(heading)}$", page, flags=re.MULTILINE)[1]
    [rows] = re.findall(r"^\| -.*\n((?:\|.*\n)+)", section, re.MULTILINE)[:1]
    return [[cell.strip() for cell in row.split("|")[1:-1]] for row in rows.splitlines()]


def names(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def config_of(grader_type: str) -> dict[str, FieldInfo]:
    config = GRADER_MODELS[grader_type].model_fields["config"].annotation
    assert isinstance(config, type)
    assert issubclass(config, BaseModel)
    return config.model_fields


def told_default(field: FieldInfo) -> str:
    """A default as the tables write it; sections, which default to an object of their own, have none."""
    if field.is_required():
        return "required"
    default = field.get_default(call_default_factory=True)
    if default is None or isinstance(default, BaseModel):
        return ""
    return f"`{default if isinstance(default, str) else json.dumps(default)}`"


def test_top_level_keys() -> None:
    told = {names(key)[0]: default for key, default, *_ in table("Top level")}
    fields = {field.alias or name: field for name, field in models.SpecFile.model_fields.items()}
    assert told == {key: told_default(field) for key, field in fields.items()}


def test_grader_types_and_what_they_require() -> None:
    told = {names(type)[0]: names(required) for type, _, required in table("Graders")}
    required = {
        type: [key for key, field in config_of(type).items() if field.is_required()] for type in GRADER_MODELS
    }
    assert told == required
    assert set(told) == set(models.GRADER_TYPES)


def test_config_keys_types_and_defaults() -> None:
    told = {
        (type, names(key)[0], default)
        for key, types, default, *_ in table("Config")
        for part in types.split(", ")
        for type in GROUPS.get(part, set(names(part)))
    }
    real = {
        (type, key, told_default(field)) for type in GRADER_MODELS for key, field in config_of(type).items()
    }
    assert told == real


def test_scoring_and_limits() -> None:
    for heading, model in (("Scoring", models.Scoring), ("Limits", models.Limits)):
        told = {names(key)[0]: default for key, default, *_ in table(heading)}
        assert told == {key: told_default(field) for key, field in model.model_fields.items()}


def test_scopes() -> None:
    assert [names(scope)[0] for scope, *_ in table("Scope")] == list(SCOPES)


def test_verdict_fields() -> None:
    hit = Hit(0, "m1", None, "text", 0, 1, "a")
    verdict = Verdict("n", "contains", "error", "e", "memory", (hit,), 1, "help")
    told = [name for field, _ in table("Verdicts") for name in names(field)]
    assert told == list(verdict.to_dict())


def test_reasons() -> None:
    page = PAGE.read_text("utf-8")
    [rows] = re.findall(r"^\| reason .*\n\| -.*\n((?:\|.*\n)+)", page, re.MULTILINE)
    told = [name for row in rows.splitlines() for name in names(row.split("|")[1])]
    assert sorted(told) == sorted(REASONS)
