"""A spec validated grader by grader is the one that the model of the whole file gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import ValidationError

from turngrade.core.models import GRADER_TYPES, SpecFile
from turngrade.core.needed_models import spec_of_needed_models

ROOT = Path(__file__).parents[2]
PATTERN = {"type": "transcript-matches", "config": {"pattern": "a"}}

SPECS: list[dict[str, Any]] = [
    *(yaml.safe_load(path.read_text("utf-8")) for path in sorted(ROOT.glob("examples/*.yaml"))),
    {"graders": [PATTERN]},
    {"graders": [PATTERN], "$schema": "x", "version": 1.5, "hits": "first", "output_key": "a.b"},
    {"graders": [PATTERN], "scoring": {"weights": {"transcript-matches": 1.0}}, "limits": {"timeout": 1}},
    {
        "graders": [
            {"type": "contains", "config": {"value": "a"}},
            {"type": "REGEX_MATCH", "config": {"pattern": "b"}},
        ]
    },
    {"graders": [{"type": "output-not-contains", "name": "n", "config": {"value": "a", "negate": True}}]},
]

WRONG: list[Any] = [
    {},
    [],
    {"graders": []},
    {"graders": ["a"]},
    {"graders": [{"config": {"pattern": "a"}}]},
    {"graders": [{**PATTERN, "type": "transcript-match"}]},
    {"graders": [{**PATTERN, "type": []}]},
    {"graders": [{**PATTERN, "extra": 1}]},
    {"graders": [{**PATTERN, "name": "aggregate"}]},
    {"graders": [PATTERN], "strict": "yes"},
    {"graders": [PATTERN], 1: 2},
]


@pytest.mark.parametrize("data", SPECS)
def test_the_result_is_the_same(data: dict[str, Any]) -> None:
    if "stimuli" in data:
        pytest.skip("a Vally file")
    whole, needed = SpecFile.model_validate(data), spec_of_needed_models(data)
    assert needed == whole
    assert type(needed) is SpecFile
    assert needed.model_fields_set == whole.model_fields_set
    assert needed.model_dump(mode="json") == whole.model_dump(mode="json")
    assert needed.model_dump(exclude_unset=True) == whole.model_dump(exclude_unset=True)


def test_every_type_has_its_model() -> None:
    for type in GRADER_TYPES:
        key = "pattern" if "match" in type else "value"
        assert spec_of_needed_models({"graders": [{"type": type, "config": {key: "a"}}]}) is not None


@pytest.mark.parametrize("data", WRONG)
def test_what_is_wrong_is_left_to_the_whole_model(data: Any) -> None:
    assert spec_of_needed_models(data) is None
    with pytest.raises(ValidationError):
        SpecFile.model_validate(data)
