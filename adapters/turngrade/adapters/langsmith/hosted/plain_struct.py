"""Stands in for ``msgspec`` in a hosted evaluator: its value objects, made by the standard library."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

__all__ = ["Struct", "field", "force_setattr", "replace"]


class Struct:
    """A base class whose subclasses are dataclasses."""

    def __init_subclass__(cls, *, frozen: bool = False, eq: bool = True) -> None:
        dataclass(frozen=frozen, eq=eq)(cls)


def force_setattr(value: Struct, name: str, new: object) -> None:
    """Set a field of an object that is frozen, while it is made."""
    object.__setattr__(value, name, new)
