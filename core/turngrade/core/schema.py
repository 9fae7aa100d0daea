"""The JSON Schema of the spec file, made from the models, for editors and other tools."""

from __future__ import annotations

from typing import Any

from turngrade.core.models import SpecFile

SCHEMA_ID = "urn:turngrade:spec:0.1"


def spec_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a spec file."""
    schema = SpecFile.model_json_schema(by_alias=True)
    for definition in schema["$defs"].values():
        _allow_value_for_substring(definition)
    title = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": SCHEMA_ID}
    return {**title, **schema, "title": "turngrade spec"}


def _allow_value_for_substring(definition: dict[str, Any]) -> None:
    properties = definition.get("properties", {})
    if "substring" in properties:
        properties["value"] = {
            **properties["substring"],
            "title": "Value",
            "description": "Same as `substring`.",
        }
        definition["required"] = [key for key in definition["required"] if key != "substring"]
        definition["oneOf"] = [{"required": ["substring"]}, {"required": ["value"]}]
