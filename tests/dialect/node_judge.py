"""Node as the judge of patterns: what V8 says about them, through ``oracle.js``."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeAlias

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
    with Judge(node, most=most, limit=limit) as judge:
        for case in cases:
            judge.put(case)
            yield judge.get()


class Judge:
    """A Node process that is told cases and says, in the same order, what V8 makes of them.

    Args:
        node: The program.
        most: How many matches of each text to report.
        limit: Milliseconds for each text.
    """

    def __init__(self, node: str, *, most: int = 1, limit: int = 1000) -> None:
        command = [node, str(ORACLE)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )
        self._bounds = {"limit": limit, "most": most}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        with self._process:
            pass

    def put(self, case: Case) -> None:
        """Ask, without waiting for the answer."""
        assert self._process.stdin is not None
        question = {"p": case.pattern, "f": case.flags, "t": case.texts, **self._bounds}
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()

    def get(self) -> Ruling:
        """The answer to the first question that has not got one."""
        assert self._process.stdout is not None
        return _ruling(json.loads(self._process.stdout.readline()))


def _ruling(answer: dict[str, Any]) -> Ruling:
    if "error" in answer:
        return Ruling(answer["error"])
    return Ruling(
        None, tuple(None if found is None else tuple(map(_spans, found)) for found in answer["found"])
    )


def _spans(match: list[list[int] | None]) -> GroupSpans:
    return tuple(None if span is None else (span[0], span[1]) for span in match)
