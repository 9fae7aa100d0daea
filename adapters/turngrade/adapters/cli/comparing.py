"""Two results, side by side: which verdicts flipped."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Struct

Key: TypeAlias = tuple[str | None, str | None, int | None, int]
"""Source, id and epoch of a transcript, and the number of those before it that have all three the same."""

NO_ROW = "not a row that turngrade grade -o FILE.jsonl writes"

READABLE = ""
"""Stands for the grader's name where a whole transcript could not be read."""


class InvalidResult(ValueError):
    """A file does not hold the rows that ``turngrade grade -o FILE.jsonl`` writes.

    Args:
        name: The file.
        line: The line, from 1; None for the file as a whole.
        why: What is wrong with it.
    """

    def __init__(self, name: str, line: int | None, why: str) -> None:
        super().__init__(name, line, why)
        self.name = name
        self.line = line
        self.why = why

    def __str__(self) -> str:
        place = self.name if self.line is None else f"{self.name}:{self.line}"
        return f"{place}: {self.why}"


class Said(Struct, frozen=True):
    """What a result says of one grader on one transcript."""

    status: str
    evidence: str


Result: TypeAlias = Mapping[Key, Mapping[str, Said]]
"""Verdicts by transcript and grader."""


class Flip(Struct, frozen=True):
    """A verdict that is another one in the new result."""

    key: Key
    grader: str
    old: Said
    new: Said


class Comparison(Struct, frozen=True):
    """What differs between two results.

    Args:
        flips: In the order of the new result.
        same: Number of verdicts that are the same.
        only_old: Verdicts that only the old result has.
        only_new: Verdicts that only the new one has.
    """

    flips: tuple[Flip, ...]
    same: int
    only_old: int
    only_new: int


class Collector:
    """Puts the rows of a result together."""

    def __init__(self) -> None:
        self.result: dict[Key, Mapping[str, Said]] = {}
        self.seen: Counter[tuple[Any, Any, Any]] = Counter()

    def add(self, row: Mapping[str, Any]) -> None:
        """Take one more row; KeyError and TypeError where it is no grade."""
        verdicts = _verdicts_of(row)
        source, id, epoch = place = (row["source"], row["id"], row["epoch"])
        self.result[source, id, epoch, self.seen[place]] = verdicts
        self.seen[place] += 1


def read_result(name: str) -> Result:
    """Read a file of grades.

    Raises:
        InvalidResult: It cannot be read, or a line is no grade.
    """
    collector = Collector()
    try:
        with Path(name).open(encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    _add_line(collector, name, number, line)
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidResult(
            name, None, f"cannot be read: {getattr(error, 'strerror', None) or error}"
        ) from error
    return collector.result


def _verdicts_of(row: Mapping[str, Any]) -> dict[str, Said]:
    verdicts = {
        str(verdict["name"]): Said(str(verdict["status"]), str(verdict["evidence"]))
        for verdict in row["verdicts"]
    }
    if row.get("error") is not None:
        verdicts[READABLE] = Said("error", str(row["error"]))
    return verdicts


def compare(old: Result, new: Result) -> Comparison:
    """Compare two results.

    Transcripts are the same by source, id and epoch; where a source has another name in the new result, by id
    and epoch, if these are those of one source on both sides. Transcripts that have all of this in common are
    paired in their order.
    """
    partner = _partners(old, new)
    flips: list[Flip] = []
    same = only_new = 0
    for key, verdicts in new.items():
        before = old.get(partner.get(key, key), {})
        for grader, said in verdicts.items():
            if grader not in before:
                only_new += 1
            elif before[grader].status == said.status:
                same += 1
            else:
                flips.append(Flip(key, grader, before[grader], said))
    total = sum(len(verdicts) for verdicts in old.values())
    return Comparison(tuple(flips), same, total - same - len(flips), only_new)


def _add_line(collector: Collector, name: str, number: int, line: str) -> None:
    try:
        collector.add(json.loads(line))
    except json.JSONDecodeError as error:
        raise InvalidResult(name, number, f"{NO_ROW} (not JSON: {error.msg})") from error
    except (KeyError, TypeError, AttributeError) as error:
        raise InvalidResult(name, number, NO_ROW) from error


def _partners(old: Result, new: Result) -> dict[Key, Key]:
    """For new transcripts that the old result has not by their full key: which one they are."""
    unmatched_old = _unique(key for key in old if key not in new)
    unmatched_new = _unique(key for key in new if key not in old)
    return {key: unmatched_old[short] for short, key in unmatched_new.items() if short in unmatched_old}


def _unique(keys: Iterator[Key]) -> dict[tuple[str | None, int | None, int], Key]:
    listed = list(keys)
    counts = Counter(key[1:] for key in listed)
    return {key[1:]: key for key in listed if counts[key[1:]] == 1 and key[1]}
