"""Grades are the same with RE2 in front of the patterns (the extra ``fast``) as without it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from tests.benchmarks.messages import BEYOND_ASCII, RARE, messages

from turngrade.core import AssistantMessage, Grade, Spec, Transcript, load_spec
from turngrade.core.dialect import screen, screen_of

GRADERS: list[dict[str, Any]] = [
    {"type": type, "name": name, "config": config}
    for type, name, config in (
        ("transcript-matches", "plain", {"pattern": r"\bORD-\d{6}\b"}),
        ("transcript-not-matches", "negated", {"pattern": r"(?i)i(?:'m| am) sorry"}),
        ("transcript-matches", "counted", {"pattern": r"(?i)\bthe (\w+) of\b", "min_matches": 3}),
        ("transcript-matches", "limited", {"pattern": "😀$", "max_matches": 1}),
        ("transcript-matches", "excepted", {"pattern": r"\d+", "unless": r"\$\d+|v\d+"}),
        ("transcript-matches", "lines", {"pattern": r"(?m)^\d+\.\s"}),
        ("transcript-matches", "both", {"pattern": r"(?s)(?=.*deploy)(?=.*tonight)"}),
        ("transcript-matches", "neither", {"pattern": r"(?is)^(?!.*\berror\b).*$"}),
        ("transcript-matches", "twice", {"pattern": r"(?i)\b(\w+)\s+\1\b", "select": "last"}),
        ("transcript-contains", "guarded", {"value": "password", "unless": "password is"}),
        ("output-matches", "output", {"pattern": r"[\w.-]+@[\w.-]+\.\w+"}),
        ("output-matches", "units", {"pattern": r"\ud83d[\ude00-\ude4f]"}),
        ("regex-match", "flags", {"pattern": "grüße|ПРИВЕТ", "flags": "iu"}),
        ("output-matches", "invalid", {"pattern": "("}),
    )
]


@contextmanager
def without_re2() -> Iterator[None]:
    """An installation without the extra."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(sys.modules, "re2", None)
        _forget()
        yield
    _forget()


def _forget() -> None:
    for cached in (screen._re2, screen_of):
        cached.cache_clear()


def transcripts() -> list[Transcript]:
    texts = messages(600_000)
    made = [Transcript.from_texts(texts[at : at + 7], id=str(at)) for at in range(0, len(texts), 7)]
    short = [Transcript.from_texts([one, other]) for one, other in zip(RARE, 4 * BEYOND_ASCII, strict=False)]
    odd = Transcript(
        (
            AssistantMessage("", 0),
            AssistantMessage("a", 1, raw_text="ORD-123456"),
            AssistantMessage("\ud83d", 2),
        ),
        "\ude00",
    )
    return [*made, *short, odd, Transcript((), None), Transcript.from_texts(["x" * 3_000, "ORD-123456"])]


def grades(spec: Spec) -> list[Grade]:
    return [spec.grade(transcript) for transcript in transcripts()]


def specs() -> list[Spec]:
    return [
        load_spec({"graders": GRADERS}),
        load_spec({"graders": GRADERS, "hits": "first", "limits": {"max_text_length": 2_000}}),
    ]


def test_grades_are_the_same() -> None:
    with without_re2():
        assert not _told(specs()[0])
        plain = [grades(spec) for spec in specs()]
    for spec, expected in zip(specs(), plain, strict=True):
        assert grades(spec) == expected
        assert len(_told(spec)) > 8


def _told(spec: Spec) -> frozenset[object]:
    """What the screen in front of a spec's patterns tells of a text that has none of them."""
    checks = [grader.check for grader in spec.graders if grader.check is not None]
    made = screen_of(tuple(pattern for check in checks for pattern in check.patterns))
    assert made is not None
    made.absent("x" * screen._WORTH_IT)
    return made.absent("none of it")
