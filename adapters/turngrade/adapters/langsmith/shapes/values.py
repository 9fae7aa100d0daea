"""Live Python objects seen as plain data: nothing is copied deeply, called, consumed or changed."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

_ATOMS = frozenset({str, int, float, bool, list, tuple, type(None)})
"""What JSON values are made of, objects apart: most values are of these types, and are told apart first."""


def as_mapping(value: object) -> Mapping[str, Any] | None:
    """A value as a mapping of its fields, or None where it has none.

    Mappings are taken as they are. Pydantic models (LangChain messages among them), dataclasses, and other
    objects that look like a message are read field by field, without ``model_dump`` or properties, so that a
    generator inside is never consumed.
    """
    kind = type(value)
    if kind is dict:
        return value  # type: ignore[return-value]
    if kind in _ATOMS:
        return None
    try:
        return _fields_of(value)
    except Exception:  # whatever an object's own attribute access raises
        return None


def _fields_of(value: object) -> Mapping[str, Any] | None:
    kind = type(value)
    if isinstance(value, Mapping):
        return value
    if isinstance(value, type):
        return None
    if _is_model(kind):  # type: ignore[arg-type]  # classes are hashable
        fields: dict[str, Any] = getattr(value, "__dict__", {})
        extra = getattr(value, "__pydantic_extra__", None)
        return {**fields, **extra} if extra else fields
    if dataclasses.is_dataclass(value):
        return {field.name: getattr(value, field.name, None) for field in dataclasses.fields(value)}
    fields = getattr(value, "__dict__", {})
    return fields if "content" in fields and ("role" in fields or "type" in fields) else None


@lru_cache(maxsize=256)
def _is_model(kind: type) -> bool:
    """Whether it is a class of pydantic 2, or of pydantic 1; the answer takes longer than all the rest."""
    return hasattr(kind, "model_fields") or hasattr(kind, "__fields__")


def as_list(value: object) -> Sequence[Any] | None:
    """A value as a list, or None where it is none. Strings and mappings are no lists."""
    return value if isinstance(value, (list, tuple)) else None


def text_or_none(value: object) -> str | None:
    """A non-empty string, or None."""
    return plain_text(value) if isinstance(value, str) and value else None


def plain_text(value: str) -> str:
    """A string without the subclass that it may have: a member of an enumeration, a string of numpy."""
    return value if type(value) is str else str.__str__(value)


def told(value: object) -> str:
    """What a value says of itself; empty where it says nothing, or fails to."""
    if value is None:
        return ""
    if type(value) is str:
        return value
    try:
        return plain_text(value) if isinstance(value, str) else str(value)
    except Exception:  # whatever an object's own method raises; nesting that is too deep
        return ""


def is_set(value: object) -> bool:
    """Whether a value is there and not empty; one that cannot tell, such as an array, is."""
    try:
        return bool(value)
    except Exception:  # whatever an object's own method raises
        return True
