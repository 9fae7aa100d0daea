"""Two results, side by side: which verdicts flipped."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

Key: TypeAlias = tuple[str | None, str | None, int | None]
"""Source, id and epoch of a transcript."""

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


@dataclass(frozen=True, slots=True)
class Said:
    """What a result says of one grader on one transcript."""

    status: str
    evidence: str


Result: TypeAlias = Mapping[Key, Mapping[str, Said]]
"""Verdicts by transcript and grader."""


@dataclass(frozen=True, slots=True)
class Flip:
    """A verdict that is another one in the new result."""

    key: Key
    grader: str
    old: Said
    new: Said


@dataclass(frozen=True, slots=True)
class Comparison:
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


def read_result(name: str) -> Result:
    """Read a file of grades.

    Raises:
        InvalidResult: It cannot be read, or a line is no grade.
    """
    result: dict[Key, dict[str, Said]] = {}
    try:
        with Path(name).open(encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    key, verdicts = _row(name, number, line)
                    result.setdefault(key, {}).update(verdicts)
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidResult(
            name, None, f"cannot be read: {getattr(error, 'strerror', None) or error}"
        ) from error
    return result


def verdicts_of(row: Mapping[str, Any]) -> tuple[Key, dict[str, Said]]:
    """The key and the verdicts of one row; KeyError and TypeError where it is no grade."""
    verdicts = {
        str(verdict["name"]): Said(str(verdict["status"]), str(verdict["evidence"]))
        for verdict in row["verdicts"]
    }
    if row.get("error") is not None:
        verdicts[READABLE] = Said("error", str(row["error"]))
    return (row["source"], row["id"], row["epoch"]), verdicts


def compare(old: Result, new: Result) -> Comparison:
    """Compare two results.

    Transcripts are the same by source, id and epoch; where a source has another name in the new result, by id
    and epoch, if these are unique on both sides.
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


def _row(name: str, number: int, line: str) -> tuple[Key, dict[str, Said]]:
    try:
        return verdicts_of(json.loads(line))
    except json.JSONDecodeError as error:
        raise InvalidResult(name, number, f"not JSON: {error.msg}") from error
    except (KeyError, TypeError, AttributeError) as error:
        why = "not a row that turngrade grade -o FILE.jsonl writes"
        raise InvalidResult(name, number, why) from error


def _partners(old: Result, new: Result) -> dict[Key, Key]:
    """For new transcripts that the old result has not by their full key: which one they are."""
    unmatched_old = _unique(key for key in old if key not in new)
    unmatched_new = _unique(key for key in new if key not in old)
    return {key: unmatched_old[short] for short, key in unmatched_new.items() if short in unmatched_old}


def _unique(keys: Iterator[Key]) -> dict[tuple[str | None, int | None], Key]:
    listed = list(keys)
    counts = Counter((id, epoch) for _, id, epoch in listed)
    return {(id, epoch): (source, id, epoch) for source, id, epoch in listed if counts[id, epoch] == 1 and id}
