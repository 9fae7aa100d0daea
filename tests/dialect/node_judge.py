"""Node as the judge of patterns: what V8 says about them, through ``oracle.js``."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

ORACLE = Path(__file__).with_name("oracle.js")

GroupSpans: TypeAlias = tuple[tuple[int, int] | None, ...]
"""The spans of a match and of its groups, in UTF-16 units."""


@dataclass(frozen=True)
class Case:
    """A pattern, and the texts to search."""

    pattern: str
    flags: str
    texts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ruling:
    """What V8 says: an error message, or the matches in each text (None: no answer in time)."""

    error: str | None
    found: tuple[tuple[GroupSpans, ...] | None, ...] = ()


def find_node(path: str | None = None) -> str:
    """The Node to ask: the argument, else ``$NODE``, else ``node``."""
    return path or os.environ.get("NODE") or "node"


def ask(cases: Iterable[Case], node: str, *, most: int = 1, limit: int = 1000) -> Iterator[Ruling]:
    """Asks one Node process about all cases, one after the other.

    Args:
        cases: The questions.
        node: The program.
        most: How many matches of each text to report.
        limit: Milliseconds for each text.
    """
    command = [node, str(ORACLE)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for case in cases:
            question = {"p": case.pattern, "f": case.flags, "t": case.texts, "limit": limit, "most": most}
            process.stdin.write(json.dumps(question) + "\n")
            process.stdin.flush()
            yield _ruling(json.loads(process.stdout.readline()))
        process.stdin.close()


def _ruling(answer: dict[str, Any]) -> Ruling:
    if "error" in answer:
        return Ruling(answer["error"])
    return Ruling(
        None, tuple(None if found is None else tuple(map(_spans, found)) for found in answer["found"])
    )


def _spans(match: list[list[int] | None]) -> GroupSpans:
    return tuple(None if span is None else (span[0], span[1]) for span in match)
