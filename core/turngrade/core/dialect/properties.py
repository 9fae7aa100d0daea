r"""The characters behind ``\p{…}``, of the Unicode release that a current V8 knows.

Carried along rather than taken from Python or ``regex``, whose releases know others: a verdict must not
depend on them. JavaScript takes the names letter by letter: ``\p{greek}``, ``\p{IsGreek}`` and
``\p{InGreek}`` are errors.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

from turngrade.core.dialect.nodes import Ranges

PROPERTIES_OF_STRINGS: Final = frozenset(
    {
        "Basic_Emoji",
        "Emoji_Keycap_Sequence",
        "RGI_Emoji",
        "RGI_Emoji_Flag_Sequence",
        "RGI_Emoji_Modifier_Sequence",
        "RGI_Emoji_Tag_Sequence",
        "RGI_Emoji_ZWJ_Sequence",
    }
)
r"""What ``\p{…}`` takes with ``v`` only; not supported."""

_KINDS: Final = {
    "General_Category": "gc",
    "gc": "gc",
    "Script": "sc",
    "sc": "sc",
    "Script_Extensions": "scx",
    "scx": "scx",
}
"""What may stand before ``=``."""


def property_ranges(name: str, value: str | None) -> Ranges | None:
    """The characters with a property.

    Args:
        name: What stands before ``=``, or all there is.
        value: What stands behind ``=``, or None.

    Returns:
        The characters, or None if ECMA-262 knows no such property or value.
    """
    if value is not None:
        return _ranges(_KINDS[name], value) if name in _KINDS else None
    binary = _ranges("binary", name)
    return _ranges("gc", name) if binary is None else binary


def property_names() -> Mapping[str, str]:
    r"""Everything that may stand in ``\p{…}``, by its last part in lower case."""
    scripts = {name.lower(): f"Script={name}" for name in _tables()["sc"]}
    plain = (name for kind in ("binary", "gc") for name in _tables()[kind])
    return scripts | {name.lower(): name for name in plain}


@cache
def _ranges(kind: str, name: str) -> Ranges | None:
    packed = _tables()[kind].get(name)
    return None if packed is None else tuple(_unpacked(packed.split()))


def _unpacked(cells: Iterable[str]) -> Iterable[tuple[int, int]]:
    """Ranges from their distance to the one before and, behind ``+``, how many characters follow."""
    start = 0
    for cell in cells:
        distance, _, more = cell.partition("+")
        low = start + int(distance, 16)
        high = low + int(more or "0", 16)
        yield low, high
        start = high + 1


@cache
def _tables() -> dict[str, dict[str, str]]:
    """The packed ranges by kind of property (binary, gc, sc, scx) and name."""
    from importlib.resources import files  # costs start-up time, and few patterns name a property

    tables: dict[str, dict[str, str]] = {}
    data = files(__package__ or "").joinpath("properties.txt").read_text("ascii")
    for line in data.splitlines():
        if not line.startswith("#"):
            kind, names, packed = line.split(" ", 2)
            tables.setdefault(kind, {}).update(dict.fromkeys(names.split("="), packed))
    return tables
