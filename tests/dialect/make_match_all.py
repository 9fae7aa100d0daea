"""Makes ``tests/data/dialect/match_all.jsonl``: what ``matchAll`` of a current V8 finds in random cases.

    NODE=…/node python tests/dialect/make_match_all.py

Needs a Node that knows the modifiers of ES2025 (``npm install node@26``). Run from the root of the repository
with ``tests`` on ``PYTHONPATH``.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from tests.dialect.generators import PatternGenerator, TextGenerator, random_flags
from tests.dialect.node_judge import Case, ask, find_node

from turngrade.core.dialect import InvalidPattern, parse

TARGET = Path(__file__).parents[1] / "data" / "dialect" / "match_all.jsonl"
SEED = 20
COUNT = 1_000
MOST = 30


def random_cases() -> list[Case]:
    """Valid patterns without ``y``, which ``matchAll`` would need a second flag for."""
    rng, cases = Random(SEED), list[Case]()
    while len(cases) < COUNT:
        flags = random_flags(rng).replace("y", "")
        pattern = PatternGenerator(rng, flags, strict=True).pattern()
        try:
            tree = parse(pattern, flags)
        except InvalidPattern:
            continue
        text = TextGenerator(rng, tree).text()
        cases.append(Case(pattern, flags, (text * 2,)))
    return cases


def main() -> None:
    """Ask and write."""
    cases = random_cases()
    with TARGET.open("w", encoding="utf-8", newline="\n") as file:
        for case, ruling in zip(cases, ask(cases, find_node(), most=MOST), strict=True):
            found = ruling.found[0] if ruling.error is None else None
            if found is not None and 0 < len(found) < MOST:
                row = {"pattern": case.pattern, "flags": case.flags, "text": case.texts[0], "found": found}
                file.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
