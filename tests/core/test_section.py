"""Sections: what a class declares is what is validated, and what the object then holds."""

from __future__ import annotations

import pickle

import pytest
from msgspec import NODEFAULT
from pydantic_core import SchemaValidator, ValidationError

from turngrade.core import InvalidSpec, load_spec
from turngrade.core.configs import GRADER_TYPES, KINDS, TYPE_ALIASES, Examples
from turngrade.core.models import Limits, Scoring, SpecFile, VallyFile, validator
from turngrade.core.section import Section, fields_of, keys_of, section_schema

PATTERN = {"type": "transcript-matches", "config": {"pattern": "a"}}


def test_the_keys_of_a_file_are_those_that_it_may_have() -> None:
    assert keys_of(SpecFile)[0] == "$schema"
    assert "schema_url" not in keys_of(SpecFile)
    assert "stimuli" in keys_of(VallyFile)


@pytest.mark.parametrize("section", [Limits, Scoring, Examples])
def test_the_defaults_are_valid_and_are_those_of_the_class(section: type[Section]) -> None:
    engine = SchemaValidator(section_schema(section))
    assert engine.validate_python({}) == section()
    written = {field.in_file: field.default for field in fields_of(section)}
    given = {key: value for key, value in written.items() if value not in (None, NODEFAULT)}
    assert engine.validate_python(given) == section()


@pytest.mark.parametrize("values", [{"timeout": "1"}, {"timeout": True}, {"max_text_length": 1.0}, {"x": 1}])
def test_nothing_is_converted_and_no_key_is_unknown(values: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        SchemaValidator(section_schema(Limits)).validate_python(values)


@pytest.mark.parametrize("grader_type", [*GRADER_TYPES, *TYPE_ALIASES])
def test_every_type_has_its_config(grader_type: str) -> None:
    kind = KINDS[TYPE_ALIASES.get(grader_type, grader_type)]
    key = "pattern" if "match" in grader_type.lower() else "value"
    [grader] = load_spec([{"type": grader_type, "config": {key: "a"}}]).model.graders
    assert grader is not None
    assert type(grader.config) is kind.config
    assert grader.config.negate is ("-not-" in grader_type)


def test_a_file_is_frozen_and_can_be_pickled() -> None:
    model = validator(SpecFile).validate_python({"graders": [PATTERN], "scoring": {"threshold": 0.5}})
    assert pickle.loads(pickle.dumps(model)) == model
    with pytest.raises(AttributeError):
        model.hits = "first"


def test_a_key_has_no_name_but_that_of_the_file() -> None:
    with pytest.raises(InvalidSpec, match=r"unknown key 'schema_url'; did you mean '\$schema'\?"):
        load_spec({"graders": [PATTERN], "schema_url": "x"})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"graders": [PATTERN]}, {"graders": [PATTERN], "scoring": {}, "limits": {}}),
        ({"graders": [PATTERN]}, {"graders": [PATTERN], "name": "n", "version": 2, "$schema": "x"}),
    ],
)
def test_what_decides_nothing_is_not_in_the_digest(one: dict[str, object], other: dict[str, object]) -> None:
    assert load_spec(one).digest == load_spec(other).digest


def test_the_digest_stays_what_it_was() -> None:
    """Grades that are stored carry it; a change of it takes away what they can be compared with."""
    spec = [
        {"type": "contains", "config": {"value": "a"}},
        {"type": "REGEX_MATCH", "config": {"pattern": "b"}},
    ]
    assert load_spec(spec).digest == "7c2d4882336b0c5a75a3850015dc829e6e4b301729da45657074faad152649cc"
