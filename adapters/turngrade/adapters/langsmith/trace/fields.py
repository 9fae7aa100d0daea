"""A run's outputs as fields, for a spec's ``output_key``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from turngrade.adapters.langsmith.shapes import as_list, as_mapping, plain_text, read_message

_WRAPPERS = ("output", "outputs", "result")


class Fields(Mapping[str, Any]):
    """A read-only view that is worked out where it is looked into.

    Mappings, pydantic models and dataclasses are fields by name, lists and tuples by position (``"0"``), and
    a message is its text.

    Args:
        data: The values by name.
    """

    __slots__ = ("_data",)

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = data

    def __getitem__(self, key: str) -> Any:
        return _field(self._data[key])

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def __repr__(self) -> str:
        return f"Fields({', '.join(self._data)})"


def output_fields(outputs: object) -> Fields | None:
    """The fields of a run's outputs; None where there are none.

    What stands under the only key ``output``, ``outputs`` or ``result`` can be addressed without that key.
    """
    data = as_mapping(outputs)
    if not data:
        return None
    only = next(iter(data))
    inner = as_mapping(data[only]) if len(data) == 1 and only in _WRAPPERS else None
    return Fields({**(inner or {}), **data})


def _field(value: object) -> object:
    if isinstance(value, str):
        return plain_text(value)
    items = as_list(value)
    if items is not None:
        return Fields({str(position): item for position, item in enumerate(items)})
    message = read_message(value)
    if message is not None:
        return message.text
    data = as_mapping(value)
    return value if data is None else Fields(data)
