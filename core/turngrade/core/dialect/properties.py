r"""The characters behind ``\p{…}``.

Names are checked against the lists of ECMA-262; the characters themselves are those of the ``regex`` package,
whose Unicode data are newer than Python's.
"""

from __future__ import annotations

from array import array
from functools import cache
from sys import byteorder
from typing import Final

import regex

from turngrade.core.dialect.charset import LAST_CODE_POINT
from turngrade.core.dialect.nodes import Ranges
from turngrade.core.dialect.property_names import BINARY_PROPERTIES, GENERAL_CATEGORIES, SCRIPTS

_SPECIAL: Final = {"Any": r"[\s\S]", "ASCII": r"[\x00-\x7f]", "Assigned": r"\P{Cn}"}
_SCRIPT_PROPERTIES: Final = {
    "Script": "Script",
    "sc": "Script",
    "Script_Extensions": "Script_Extensions",
    "scx": "Script_Extensions",
}


def property_ranges(name: str, value: str | None) -> Ranges | None:
    """The characters with a property.

    Args:
        name: What stands before ``=``, or all there is.
        value: What stands behind ``=``, or None.

    Returns:
        The characters, or None if ECMA-262 knows no such property or value.
    """
    expression = _expression(name, value)
    return None if expression is None else _ranges(expression)


def _expression(name: str, value: str | None) -> str | None:
    """What to write for the property in a pattern of ``regex``."""
    if value is None:
        if name in BINARY_PROPERTIES:
            return _SPECIAL.get(name, rf"\p{{{name}=Yes}}")
        return rf"\p{{gc={name}}}" if name in GENERAL_CATEGORIES else None
    if name in ("General_Category", "gc"):
        return rf"\p{{gc={value}}}" if value in GENERAL_CATEGORIES else None
    if name in _SCRIPT_PROPERTIES and value in SCRIPTS:
        return rf"\p{{{_SCRIPT_PROPERTIES[name]}={value}}}"
    return None


@cache
def _ranges(expression: str) -> Ranges | None:
    """The characters that ``expression`` matches, or None if this release of ``regex`` does not know it."""
    try:
        runs = regex.compile(f"{expression}+", regex.V0, cache_pattern=False)
    except regex.error:
        return None
    return tuple((run.start(), run.end() - 1) for run in runs.finditer(_every_character()))


@cache
def _every_character() -> str:
    """All code points in order, the surrogates too: 4 MB, for those who use properties at all."""
    encoded = array("I", range(LAST_CODE_POINT + 1))
    return encoded.tobytes().decode(f"utf-32-{byteorder[0]}e", "surrogatepass")
