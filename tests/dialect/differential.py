"""Compares the dialect with a live Node on fresh random patterns, or on patterns from a file.

    python -m tests.dialect.differential --node PATH --seed 1 --pairs 1000000
    python -m tests.dialect.differential --node PATH --patterns corpus.jsonl

Compared are whether the pattern is valid, the reason if it is not, and for each text up to three matches:
their spans without captures, their spans and groups with captures. What differs is asked again alone in a
fresh process, because V8 has been seen to change its mind in long runs; it is printed only if it still
differs, as "disputed" if Corvus, an engine of another make, sides with the dialect against V8.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from corvus_regex_ecma262 import Regex
from tests.dialect.engine import Engine, widened
from tests.dialect.generators import PatternGenerator, TextGenerator, mutated, random_flags, structure
from tests.dialect.node_judge import Case, GroupSpans, Ruling, ask, find_node

from turngrade.core.dialect import InvalidPattern, PatternTooLarge
from turngrade.core.dialect.utf16 import join_pairs

MOST = 3
TIMEOUT = 0.5
LONGEST = 200


@dataclass(frozen=True)
class Difference:
    """What the two do not agree about, and on which text (None: whether the pattern is valid)."""

    message: str
    text: str | None = None


@dataclass
class Report:
    """What came of a comparison."""

    counts: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)


def main() -> int:
    """Runs the comparison; the exit code is 1 if anything is wrong."""
    options = _options()
    node = find_node(options.node)
    cases = _corpus(options.patterns) if options.patterns else fresh_cases(options.seed, options.texts)
    report, started = Report(), time.monotonic()
    batch: list[Case] = []
    for case in cases:
        batch.append(case)
        if len(batch) == 500:
            compare(batch, node, report)
            batch = []
            if not options.patterns and report.counts["pairs"] >= options.pairs:
                break
            if time.monotonic() - started > options.minutes * 60:
                break
    compare(batch, node, report)
    for line in report.differences:
        print(line)
    print(json.dumps(report.counts, sort_keys=True), f"{time.monotonic() - started:.0f} s", file=sys.stderr)
    return 1 if report.counts["wrong"] else 0


def fresh_cases(seed: int, texts: int) -> Iterator[Case]:
    """Patterns of all kinds without end."""
    rng = Random(seed)
    while True:
        flags = random_flags(rng)
        kind = rng.choices(["any", "strict", "structure", "mutated"], [35, 25, 30, 10])[0]
        if kind == "structure":
            flags = rng.choice(["", "", "u", "i", "m", "iv"])
            pattern = structure(rng)
        else:
            pattern = PatternGenerator(rng, flags, strict=kind == "strict").pattern()
        if kind == "mutated":
            pattern = mutated(pattern, rng)
        if len(pattern) <= LONGEST:
            yield Case(pattern, flags, _texts(pattern, flags, rng, texts))


def compare(cases: list[Case], node: str, report: Report) -> None:
    """Compares a batch, and asks about disputes again."""
    for case, ruling in zip(cases, ask(cases, node, most=MOST), strict=True):
        difference = _difference(case, ruling, report.counts)
        if difference is None:
            continue
        alone = Case(case.pattern, case.flags, case.texts)
        difference = _difference(alone, next(iter(ask([alone], node, most=MOST))), Counter())
        if difference is None:
            report.counts["only wrong in a long run of V8"] += 1
            continue
        verdict = "disputed" if _second_judge_agrees(case, difference.text) else "wrong"
        report.counts[verdict] += 1
        report.differences.append(f"{verdict} {case.pattern!r} {case.flags!r}: {difference.message}")


def _difference(case: Case, ruling: Ruling, counts: Counter[str]) -> Difference | None:
    counts["patterns"] += 1
    try:
        engine = Engine(case.pattern, case.flags)
    except PatternTooLarge:
        counts["too large"] += 1
        return None
    except InvalidPattern as error:
        counts["invalid"] += 1
        if ruling.error is None:
            return Difference(f"valid, but refused: {error.reason}")
        if join_pairs(str(error)) == join_pairs(ruling.error):
            return None
        return Difference(f"reason {error.reason!r}, V8: {ruling.error!r}")
    if ruling.error is not None:
        return Difference(f"accepted, V8: {ruling.error!r}")
    for text, found in zip(case.texts, ruling.found, strict=True):
        counts["pairs"] += 1
        difference = _text_difference(engine, text, found, counts)
        if difference is not None:
            return difference
    return None


def _second_judge_agrees(case: Case, text: str | None) -> bool:
    """Whether an engine of another make sides with the dialect about the first match in the text."""
    if text is None:
        return False
    try:
        engine, judge = Engine(case.pattern, case.flags), Regex(case.pattern, case.flags)
        return _first(engine, text) == _first_of_judge(judge, text, engine)
    except (ValueError, TimeoutError):
        return False


def _first(engine: Engine, text: str) -> tuple[int, int] | None:
    return next(iter(engine.spans(text)), None)


def _first_of_judge(judge: Regex, text: str, engine: Engine) -> tuple[int, int] | None:
    found = judge.search(text)
    return None if found is None else engine.units(text, found.span())


def _text_difference(
    engine: Engine, text: str, found: tuple[GroupSpans, ...] | None, counts: Counter[str]
) -> Difference | None:
    if found is None:
        counts["no answer from V8"] += 1
        return None
    try:
        spans = tuple(engine.spans(text, most=MOST, timeout=TIMEOUT))
        matches = tuple(engine.matches(text, most=MOST, timeout=TIMEOUT))
    except (TimeoutError, MemoryError) as error:
        counts[type(error).__name__] += 1
        return None
    counts["matches"] += bool(matches)
    if engine.tree.unicode:
        found = tuple(widened(match, text) for match in found)
    if matches != found:
        return Difference(f"{text!r}: {matches}, V8: {found}", text)
    if spans != tuple(match[0] for match in matches):
        return Difference(f"{text!r}: without captures {spans}, V8: {found}", text)
    return None


def _texts(pattern: str, flags: str, rng: Random, count: int) -> tuple[str, ...]:
    try:
        tree = Engine(pattern, flags).tree
    except InvalidPattern:
        return ()
    generator = TextGenerator(rng, tree)
    return tuple(generator.text() for _ in range(count))


def _corpus(path: Path) -> Iterable[Case]:
    """Cases from lines of ``{"pattern", "flags", "texts"}``."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            yield Case(row["pattern"], row.get("flags", ""), tuple(row["texts"]))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--node", help="the Node to ask; default $NODE, else node")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--pairs", type=int, default=100_000, help="how many pairs of pattern and text")
    parser.add_argument("--texts", type=int, default=12, help="how many texts for each pattern")
    parser.add_argument("--minutes", type=float, default=60.0, help="when to stop at the latest")
    parser.add_argument("--patterns", type=Path, help="a JSONL file of patterns and texts")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
