"""The spec reference tells every key, type, default and reason, and none that does not exist."""

from __future__ import annotations

import json
import re
from pathlib import Path

from msgspec import NODEFAULT

from turngrade.core import configs, models
from turngrade.core.section import Field, Section, fields_of
from turngrade.core.transcript import SCOPES
from turngrade.core.verdict import REASONS, Hit, Verdict

PAGE = Path(__file__).parents[2] / "docs" / "spec.md"
GROUPS = {
    "all": set(configs.KINDS),
    "positive": {name for name in configs.KINDS if "-not-" not in name},
    "`*-not-*`": {name for name in configs.KINDS if "-not-" in name},
    "`transcript-*`": {name for name in configs.KINDS if name.startswith("transcript-")},
    "`*-matches`": {name for name in configs.KINDS if name.endswith("-matches")},
    "`*-contains`": {name for name in configs.KINDS if name.endswith("-contains")},
}


def table(heading: str) -> list[list[str]]:
    """The cells of the first table below a heading."""
    page = PAGE.read_text("utf-8")
    section = re.split(rf"^#+ {re.escape(heading)}$", page, flags=re.MULTILINE)[1]
    [rows] = re.findall(r"^\| -.*\n((?:\|.*\n)+)", section, re.MULTILINE)[:1]
    return [[cell.strip() for cell in row.split("|")[1:-1]] for row in rows.splitlines()]


def names(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def config_of(grader_type: str) -> dict[str, Field]:
    return {field.in_file: field for field in fields_of(configs.KINDS[grader_type].config)}


def told_default(field: Field) -> str:
    """A default as the tables write it; sections, which default to an object of their own, have none."""
    if field.required:
        return "required"
    if field.default in (None, NODEFAULT):
        return ""
    return f"`{field.default if isinstance(field.default, str) else json.dumps(field.default)}`"


def test_top_level_keys() -> None:
    told = {names(key)[0]: default for key, default, *_ in table("Top level")}
    assert told == {field.in_file: told_default(field) for field in fields_of(models.SpecFile)}


def test_grader_types_and_what_they_require() -> None:
    told = {names(type)[0]: names(required) for type, _, required in table("Graders")}
    required = {
        type: [key for key, field in config_of(type).items() if field.required] for type in configs.KINDS
    }
    assert told == required
    assert set(told) == set(configs.GRADER_TYPES)


def test_config_keys_types_and_defaults() -> None:
    told = {
        (type, names(key)[0], default)
        for key, types, default, *_ in table("Config")
        for part in types.split(", ")
        for type in GROUPS.get(part, set(names(part)))
    }
    real = {
        (type, key, told_default(field)) for type in configs.KINDS for key, field in config_of(type).items()
    }
    assert told == real


def test_scoring_and_limits() -> None:
    sections: dict[str, type[Section]] = {"Scoring": models.Scoring, "Limits": models.Limits}
    for heading, section in sections.items():
        told = {names(key)[0]: default for key, default, *_ in table(heading)}
        assert told == {field.in_file: told_default(field) for field in fields_of(section)}


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
