"""Makes ``tests/data/dialect/golden.jsonl``: what a current V8 says of the features and of random patterns.

    NODE=…/node python -m tests.dialect.make_golden

Needs a Node that knows the modifiers of ES2025 (``npm install node@26``).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from tests.dialect.differential import fresh_cases
from tests.dialect.feature_cases import FEATURES
from tests.dialect.node_judge import Case, ask, find_node

TARGET = Path(__file__).parents[1] / "data" / "dialect" / "golden.jsonl"
RANDOM_CASES = 1_000
TEXTS = 4
MOST = 3


def all_cases() -> Iterator[tuple[str, Case]]:
    """The cases with the name of what they show."""
    for feature, cases in FEATURES.items():
        for case in cases:
            yield feature, case
    for case in islice(fresh_cases(Random(2026).randrange(1 << 30), TEXTS), RANDOM_CASES):
        yield "random", case


def main() -> None:
    """Writes the file."""
    named = list(all_cases())
    rulings = ask((case for _, case in named), find_node(), most=MOST)
    with TARGET.open("w", encoding="utf-8") as out:
        for (feature, case), ruling in zip(named, rulings, strict=True):
            row: dict[str, Any] = {"feature": feature, "pattern": case.pattern, "flags": case.flags}
            if ruling.error is not None:
                row |= {"error": ruling.error}
            else:
                row |= {"texts": case.texts, "found": ruling.found}
            out.write(json.dumps(row, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
