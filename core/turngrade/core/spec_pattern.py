"""A pattern as a spec has it, for those who look at specs without grading."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class SpecPattern:
    """A pattern of a spec and where it stands, whether it compiles or not.

    Args:
        path: Where in the spec, such as ``graders[2].config.pattern``.
        key: The key that holds it.
        pattern: As written, with a leading ``(?ims)``.
        flags: The flags beside it; None where they are a prefix of the pattern.
        type: The grader's type, without aliases.
        line: Line in the file, from 1; None where it is not known.
        column: Column in the file, from 1; None where it is not known.
    """

    path: str
    key: Literal["pattern", "unless"]
    pattern: str
    flags: str | None
    type: str
    line: int | None = None
    column: int | None = None
