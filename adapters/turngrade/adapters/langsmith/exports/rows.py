"""Rows of the bulk export: the columns that are read, and the runs that they hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias
from uuid import UUID

from turngrade.adapters.langsmith.exports.decoding import load_json
from turngrade.adapters.langsmith.trace.grouping import trace_id_of
from turngrade.adapters.langsmith.trace.runs import view_run
from turngrade.core.bounds import check_parts

Row: TypeAlias = dict[str, Any]

ID_COLUMNS = ("id", "run_id")
KEY_COLUMNS = (*ID_COLUMNS, "trace_id", "parent_run_id", "parent_run_ids", "dotted_order")
COLUMNS = (
    *KEY_COLUMNS,
    "name",
    "run_type",
    "status",
    "error",
    "start_time",
    "inputs",
    "outputs",
    "extra",
    "metadata",
    "tags",
    "total_tokens",
    "thread_id",
    "child_run_ids",
)
WITHOUT_ID = "rows without an id"
"""Stands for the trace of rows that have no id."""

_JSON_COLUMNS = ("parent_run_ids", "inputs", "outputs", "extra", "metadata", "tags", "child_run_ids")
_PLACE = "place in the export"
_UUID_BYTES = 16


class InvalidRow(ValueError):
    """A row with a column that should be JSON and is not.

    Args:
        place: Which row of which file it is.
        column: The column.
    """

    def __init__(self, place: str, column: str) -> None:
        super().__init__(place, column)
        self.place = place
        self.column = column

    def __str__(self) -> str:
        return f"{self.place}: {self.column} is no JSON."


def kept_row(row: Mapping[str, Any], place: str) -> Row:
    """A row to keep until its trace is complete: JSON texts as they are, other values plain, no nulls.

    Args:
        row: The row as pyarrow gives it.
        place: Which row of which file it is, for messages.
    """
    return {name: _plain(value) for name, value in row.items() if value is not None} | {_PLACE: place}


def trace_of(row: Mapping[str, Any]) -> str:
    """The id of a row's trace."""
    ids = {name: _plain(row.get(name)) for name in KEY_COLUMNS}
    if ids["trace_id"]:
        return str(ids["trace_id"])
    try:
        return trace_id_of(view_run(_decoded(ids)), {})
    except ValueError:
        return WITHOUT_ID


def runs_of(rows: Sequence[Row]) -> list[Row]:
    """The runs in rows.

    Raises:
        InvalidRow: A column that should be JSON is not.
        TooLarge: They hold too many values.
    """
    texts = (row.get(name) for row in rows for name in _JSON_COLUMNS)
    check_parts(*(text for text in texts if isinstance(text, str)))
    return [_decoded(row) for row in rows]


def _decoded(row: Row) -> Row:
    run = dict(row)
    for name in _JSON_COLUMNS:
        text = run.get(name)
        if isinstance(text, str):
            try:
                run[name] = load_json(text) if text.strip() else None
            except (ValueError, RecursionError):
                raise InvalidRow(row.get(_PLACE, ""), name) from None
    return run


def _plain(value: Any) -> Any:
    """A value as JSON has it: ids are texts, and a struct has no fields that are null."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return str(UUID(bytes=value)) if isinstance(value, bytes) and len(value) == _UUID_BYTES else value
