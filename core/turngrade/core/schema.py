"""The JSON Schema of the spec file, made from its declaration, for editors and other tools."""

from __future__ import annotations

import inspect
from typing import Any

from msgspec import NODEFAULT

from turngrade.core.configs import KINDS, Examples, kind_name
from turngrade.core.models import Grader, Limits, Scoring, SpecFile, file_schema
from turngrade.core.section import Field, Section, fields_of

SCHEMA_ID = "urn:turngrade:spec:0.1"


def spec_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a spec file."""
    from pydantic.json_schema import GenerateJsonSchema  # takes longer to load than a log to grade

    schema = GenerateJsonSchema(by_alias=True).generate(file_schema(SpecFile))
    definitions = schema["$defs"]
    sections: list[type[Section]] = [Examples, Scoring, Limits, *(kind.config for kind in KINDS.values())]
    for section in sections:
        _tell(definitions[section.__name__], section, section.__name__)
    for name, kind in KINDS.items():
        _tell(definitions[kind_name(name)], Grader, kind_name(name), kind.description)
    _tell(schema, SpecFile, "turngrade spec")
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": SCHEMA_ID}
    return {**head, **schema}


def _tell(definition: dict[str, Any], section: type[Section], title: str, about: str = "") -> None:
    """Add what people read, which the validator does not know."""
    definition["title"] = title
    definition["description"] = about or inspect.getdoc(section)
    properties = definition["properties"]
    for field in fields_of(section):
        properties[field.in_file] = _property(properties[field.in_file], field)
        if field.key.also is not None:
            _allow(definition, field, field.key.also)


def _property(derived: dict[str, Any], field: Field) -> dict[str, Any]:
    told = {"title": derived["title"], **field.key.json} if field.key.json is not None else derived
    default = {} if field.default in (NODEFAULT, None) else {"default": field.default}
    return {**told, **default, "description": field.key.description}


def _allow(definition: dict[str, Any], field: Field, also: str) -> None:
    """One of a key's two names must be there."""
    definition["properties"][also] = {
        **definition["properties"][field.in_file],
        "title": also.capitalize(),
        "description": f"Same as `{field.in_file}`.",
    }
    definition["required"] = [key for key in definition["required"] if key != field.in_file]
    definition["oneOf"] = [{"required": [field.in_file]}, {"required": [also]}]
