"""Modifiers: flags for a group only, as in ``(?i-s:…)`` (ES2025)."""

from __future__ import annotations

import re
from typing import Final

from turngrade.core.dialect.flags import Mode
from turngrade.core.dialect.scanner import Scanner

_FLAGS: Final = re.compile("[ims]*")


def modified_mode(scanner: Scanner, mode: Mode, start: int) -> Mode:
    """Reads what is between ``(?`` and the body of a group that neither captures nor looks.

    Args:
        scanner: Where to read.
        mode: The mode outside of the group.
        start: The place of the group, to blame for whatever is wrong.

    Returns:
        The mode inside of the group.
    """
    if scanner.eat(":"):
        return mode
    switched_on, dash, switched_off = _flags(scanner), scanner.eat("-"), _flags(scanner)
    letters = switched_on + switched_off
    if len(set(letters)) < len(letters):
        scanner.fail("Repeated flag in flag group", start)
    if dash and scanner.sees("-"):
        scanner.fail("Multiple dashes in flag group", start)
    if not scanner.eat(":"):
        scanner.fail("Invalid group", start)
    if not letters:
        scanner.fail("Invalid flag group", start)
    return mode.modified(switched_on, switched_off)


def _flags(scanner: Scanner) -> str:
    letters = scanner.match(_FLAGS)
    return "" if letters is None else letters[0]
