"""What the linter says."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import Struct

Level: TypeAlias = Literal["error", "warning"]

PAGE = "docs/lint.md"
"""Where every rule is described; a rule's name is its anchor."""


class Finding(Struct, frozen=True):
    """One thing that is wrong, or misleading, in a spec.

    Args:
        rule: Name of the rule; ``spec`` and ``pattern`` for faults.
        level: ``error`` for what cannot be used, ``warning`` for what is likely not meant.
        file: The spec, as the user wrote it.
        path: Where in the spec, such as ``graders[2].config.pattern``.
        message: What is wrong.
        line: Line in the file, from 1.
        column: Column in the file, from 1.
        detail: The pattern with a caret, and what to write instead.
    """

    rule: str
    level: Level
    file: str
    path: str
    message: str
    line: int | None = None
    column: int | None = None
    detail: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready form."""
        return {
            "rule": self.rule,
            "level": self.level,
            "file": self.file,
            "path": self.path,
            "message": self.message,
            "line": self.line,
            "column": self.column,
            "detail": list(self.detail),
        }
