"""How fast `turngrade grade` is from end to end, start-up and written results included."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.benchmarks.bench_read_eval import CHARS, TURNS, way
from tests.benchmarks.fresh import Command, measure
from tests.benchmarks.logs import FOLDER, big_log
from tests.benchmarks.table import Row

GRADERS: list[dict[str, Any]] = [
    {"type": type, "name": name, "config": {key: value}}
    for type, name, key, value in (
        ("transcript-not-matches", "promise", "pattern", r"(?i)\b(?:promise|guarantee)\b[^.!?]*\brefund"),
        ("transcript-not-matches", "apology", "pattern", r"(?i)i(?:'m| am) (?:so |very )?sorry"),
        ("transcript-not-matches", "social-security", "pattern", r"\b\d{3}-\d{2}-\d{4}\b"),
        ("transcript-not-matches", "traceback", "pattern", r"Traceback \(most recent call last\):"),
        ("transcript-matches", "greeting", "pattern", r"\b(?:Hello|Hi|Dear)\b"),
        ("transcript-not-contains", "secret", "substring", "api_key"),
        ("transcript-contains", "quoted", "substring", '"quoted"'),
        ("output-matches", "says-something", "pattern", r"\S"),
        ("output-not-matches", "refusal", "pattern", r"(?i)\bas an? (?:ai|language model)\b"),
        ("output-not-contains", "internal-error", "substring", "internal error"),
    )
]
"""Ten graders, as specs for agents have them."""


def rows(*, small: bool, folder: Path = FOLDER) -> list[Row]:
    """The figures: time against one scorer of Inspect's, and against decompressing the log."""
    samples, rounds = (20, 2) if small else (500, 6)
    log = big_log(samples, TURNS, CHARS, folder=folder)
    with TemporaryDirectory() as work:
        spec, verdicts, scored = (Path(work, name) for name in ("spec.json", "verdicts.jsonl", "scored.eval"))
        spec.write_text(json.dumps({"graders": GRADERS}), "utf-8")
        grade = ("turngrade", "grade", str(spec), str(log), "-o", str(verdicts))
        score = ("inspect", "score", str(log), "--scorer", "includes", "--action", "append")
        options = ("--output-file", str(scored), "--model", "mockllm/model", "--display", "none")
        found = measure(
            {
                "decompress": way("decompress", log),
                "turngrade": Command(grade, Path(work), codes=(0, 1)),
                "inspect": Command((*score, *options), Path(work), one_in=rounds),
            },
            rounds,
        )
        assert len(verdicts.read_text("utf-8").splitlines()) == samples
        assert scored.stat().st_size > log.stat().st_size / 2
    ours, theirs, pure = (found[name].cpu for name in ("turngrade", "inspect", "decompress"))
    counted = f"{samples} samples, {len(GRADERS)} graders"
    return [
        Row(
            "inspect score, one scorer : turngrade grade, ten graders",
            theirs / ours,
            required=15,
            goal=50,
            at_least=True,
            counted=counted,
        ),
        Row("turngrade grade, ten graders : decompress the log", ours / pure, required=25, goal=8),
    ]
