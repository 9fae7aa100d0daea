"""A mapping of the spec file: declared once as a class, validated by pydantic's engine, frozen.

The engine (``pydantic_core``) is used without pydantic's models: to define thirty of them takes longer than
to read and grade a log.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, NamedTuple, get_args, get_origin

import msgspec
from pydantic_core import CoreSchema
from pydantic_core import core_schema as cs

_STRICT: Final = cs.CoreConfig(strict=True)
"""No silent conversion of types."""


TEXT: Final = cs.str_schema()
NON_EMPTY: Final = cs.str_schema(min_length=1)
FLAG: Final = cs.bool_schema()


class Key(NamedTuple):
    """What ``Annotated`` says of one key of a section.

    Args:
        schema: What its value must be.
        description: What it is for; the JSON Schema tells it.
        alias: The key in the file, where it is not the name of the field.
        also: A second name of the key.
        json: What the JSON Schema says of the value in place of what follows from ``schema``.
    """

    schema: CoreSchema
    description: str
    alias: str | None = None
    also: str | None = None
    json: Mapping[str, Any] | None = None


class Section(msgspec.Struct, frozen=True):
    """A mapping of the spec file. The class is its definition; an object is validated and immutable."""


class Field(NamedTuple):
    """One field of a section.

    Args:
        name: Its name.
        key: What a spec file may say of it.
        required: Whether a spec file must have the key.
        default: Its default; ``msgspec.NODEFAULT`` where it is required, or made anew for each object.
    """

    name: str
    key: Key
    required: bool
    default: Any

    @property
    def in_file(self) -> str:
        """The key that a spec file has for it."""
        return self.key.alias or self.name


def fields_of(section: type[Section]) -> tuple[Field, ...]:
    """The fields of a section, those of its bases first."""
    return tuple(
        Field(field.name, _key(field.type), field.required, field.default)
        for field in msgspec.structs.fields(section)
    )


def keys_of(section: type[Section]) -> tuple[str, ...]:
    """The keys that a spec file may have in a section."""
    return tuple(field.in_file for field in fields_of(section))


def reference(section: type[Section]) -> CoreSchema:
    """The schema of a value that is a section, by its name."""
    return cs.definition_reference_schema(section.__name__)


def section_schema(
    section: type[Section],
    *,
    extra: Literal["forbid", "ignore"] = "forbid",
    narrowed: Mapping[str, CoreSchema] | None = None,
    ref: str | None = None,
) -> CoreSchema:
    """The schema that makes a section of a mapping.

    Args:
        section: The section's class.
        extra: What is done with keys that it does not have.
        narrowed: Schemas, by field, in place of those that the class declares.
        ref: Its name for `reference`; by default the name of the class.
    """
    schemas = narrowed or {}
    fields = {
        field.name: _field_schema(field, schemas.get(field.name, field.key.schema))
        for field in fields_of(section)
    }
    return cs.no_info_after_validator_function(
        lambda values: section(**values),
        cs.typed_dict_schema(fields, extra_behavior=extra, config=_STRICT),
        ref=ref or section.__name__,
    )


def _field_schema(field: Field, schema: CoreSchema) -> cs.TypedDictField:
    """The schema of one key; a default is left to the class."""
    names: str | list[list[str | int]] | None = field.key.alias
    if field.key.also is not None:
        names = [[field.in_file], [field.key.also]]
    return cs.typed_dict_field(schema, required=field.required, validation_alias=names)


def _key(annotation: Any) -> Key:
    assert get_origin(annotation) is Annotated, annotation
    key = get_args(annotation)[1]
    assert isinstance(key, Key), annotation
    return key
