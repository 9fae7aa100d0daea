"""What is wrong with a spec: every problem at once, each with its path."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Path: TypeAlias = tuple[str | int, ...]


def path_text(path: Path) -> str:
    """``graders[2].config.pattern`` for ``("graders", 2, "config", "pattern")``."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += f".{step}" if text else step
    return text


@dataclass(frozen=True, slots=True)
class SpecProblem:
    """One thing that is wrong in a spec, or misleading.

    Args:
        path: Where in the spec, such as ``graders[2].config.pattern``; empty for the spec as a whole.
        message: What is wrong and what to write instead.
        line: Line in the file, from 1; None where it is not known.
        column: Column in the file, from 1; None where it is not known.
        detail: More lines of help, such as a caret under the fault of a pattern; empty where there are none.
    """

    path: str
    message: str
    line: int | None = None
    column: int | None = None
    detail: str = ""

    def __str__(self) -> str:
        place = f" (line {self.line}, column {self.column})" if self.line is not None else ""
        return f"{self.path}: {self.message}{place}" if self.path else f"{self.message}{place}"


class InvalidSpec(ValueError):
    """A spec that cannot be used.

    Args:
        problems: All that is wrong with it.
        source: The file, where it came from one.
    """

    def __init__(self, problems: tuple[SpecProblem, ...], source: str | None = None) -> None:
        super().__init__(problems, source)
        self.problems = problems
        self.source = source

    def __str__(self) -> str:
        count = len(self.problems)
        head = f"{count} problem{'s' if count != 1 else ''} in {self.source or 'the spec'}"
        return "\n".join([f"{head}:", *(f"  {problem}" for problem in self.problems)])
