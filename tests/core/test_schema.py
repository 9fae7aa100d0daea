"""The JSON Schema accepts what the loader accepts, and refuses what it refuses."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from turngrade.core import InvalidSpec, load_spec, spec_schema
from turngrade.core.configs import GRADER_TYPES
from turngrade.core.models import SpecFile
from turngrade.core.section import keys_of

VALIDATOR = jsonschema.Draft202012Validator(spec_schema())

GOOD: list[dict[str, Any]] = [
    {
        "$schema": "x",
        "name": "n",
        "version": 1,
        "graders": [{"type": "contains", "config": {"value": ["a", "b"]}}],
    },
    {"graders": [{"type": "transcript-contains", "config": {"value": "a"}}], "output_key": "a"},
    {"graders": [{"type": "transcript-contains", "config": {"substring": "a"}}], "limits": {"timeout": 1}},
    {
        "graders": [{"type": "regex-match", "name": "x", "config": {"pattern": "a", "flags": ""}}],
        "hits": "first",
    },
    {
        "graders": [
            {"type": "output-not-matches", "config": {"pattern": "a", "unless": "b", "negate": True}}
        ],
        "scoring": {"weights": {"output-not-matches": 1}, "threshold": 0.5},
    },
]

BAD: list[dict[str, Any]] = [
    {"graders": []},
    {"grader": []},
    {"graders": [{"type": "contains", "config": {"value": []}}]},
    {"graders": [{"type": "contains", "config": {}}]},
    {"graders": [{"type": "output-contains", "config": {}}]},
    {"graders": [{"type": "output-contains", "config": {"value": "a", "substring": "b"}}]},
    {"graders": [{"type": "output-matches", "config": {"pattern": ""}}]},
    {"graders": [{"type": "output-matches", "config": {"pattern": "a", "scope": "run"}}]},
    {"graders": [{"type": "transcript-matches", "config": {"pattern": "a", "scope": "all"}}]},
    {"graders": [{"type": "transcript-matches", "config": {"pattern": "a", "min_matches": -1}}]},
    {"graders": [{"type": "x", "config": {"pattern": "a"}}]},
    {"graders": [{"type": "contains", "config": {"value": "a"}}], "limits": {"timeout": 0}},
    {"graders": [{"type": "contains", "config": {"value": "a"}}], "scoring": {"threshold": 2}},
]


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(spec_schema())


@pytest.mark.parametrize("spec", GOOD)
def test_good_specs(spec: dict[str, Any]) -> None:
    VALIDATOR.validate(spec)
    load_spec(spec)


@pytest.mark.parametrize("spec", BAD)
def test_bad_specs(spec: dict[str, Any]) -> None:
    assert not VALIDATOR.is_valid(spec)
    with pytest.raises(InvalidSpec):
        load_spec(spec)


def test_every_type_and_every_top_level_key_is_in_it() -> None:
    schema = spec_schema()
    assert tuple(schema["properties"]) == keys_of(SpecFile)
    assert set(GRADER_TYPES) <= set(schema["properties"]["graders"]["items"]["discriminator"]["mapping"])
