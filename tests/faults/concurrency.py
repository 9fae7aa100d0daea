"""What the tests of concurrency grade, in this process and in others."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeAlias

from turngrade.core import Spec, Transcript, compile_pattern, load_spec

PATTERNS = (
    r"\bso (?:it|they) goes\b",
    r"(?:(\w+)\s?)+!$",
    r"(?:a|aa)+$",
    r"(?<=(\w)\1)x",
    r"(['\"]).*?\1;",
    r"(?:[^\"]*\"[^\"]*\")*[^\"]*$x",
    r"(?:(?:😀|b)+)+c",
    r"^(?=.*\d)(?=.*[a-z]).{8,}$",
    r"(?<word>\w+) \k<word>",
    r"[ab]*a[ab]{9}c",
    r"(?:",
    r"(?:a{300}){300}",
)
TRANSCRIPTS = tuple(
    Transcript.from_texts(texts, output=texts[-1], id=str(number))
    for number, texts in enumerate(
        (
            ["so it goes", "so it goes on!"],
            ["aaaa" * 500 + "!", "b" * 3_000],
            ["'quoted'; and \"more\"", "x" * 20_000],
            ["😀b" * 2_000 + "d", "the the"],
            ["abbabaaab" * 300 + "c", "pass1word"],
            ["llx", "word word " * 200],
        )
    )
)

Told: TypeAlias = list[list[tuple[Any, ...]]]
"""Of every transcript and grader: status, reason and hits."""


def spec() -> Spec:
    """A spec with a grader of each pattern, and some without."""
    graders: list[dict[str, Any]] = [
        {"type": "transcript-matches", "name": f"pattern {number}", "config": {"pattern": pattern}}
        for number, pattern in enumerate(PATTERNS)
    ]
    graders.append({"type": "output-not-contains", "config": {"substring": "WORD"}})
    graders.append({"type": "regex-match", "config": {"pattern": "GOES", "flags": "i"}})
    return load_spec({"graders": graders})


def verdicts_of(shared: Spec) -> Told:
    """What a spec says of all transcripts."""
    return [
        [(verdict.status, verdict.reason, verdict.hits) for verdict in shared.grade(transcript).verdicts]
        for transcript in TRANSCRIPTS
    ]


def growth_of_distinct_patterns(count: int) -> float:
    """Compile and use so many patterns, no two of them equal; megabytes by which the peak of memory grows."""
    before = 0.0
    for number in range(count):
        if number == WARM:
            before = _peak()
        compile_pattern(rf"(?:(a{number})|b\d+)+c\1").search(f"a{number}b1ca{number}")
    return _peak() - before


WARM = 100
"""Patterns after which all tables are loaded."""


def _peak() -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:"))
