"""Catastrophic patterns: how often no answer comes, from this package, from ``regex`` and from V8.

    python tests/benchmarks/redos.py PAIRS.jsonl [--seconds 2.5] [--only ID …] [--skip V8]

Each line of the file holds ``pattern``, ``flags`` and a text, either as ``text`` or as ``prefix``, ``pump``,
``n`` and ``suffix``. Needs ``node`` on the path. Exit code 1 if an answer is wrong or late.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import regex

from turngrade.core.dialect import Deadline, MatchError, MatchTimeout, PatternTooLarge, compile_pattern

JUDGE = Path(__file__).with_name("judge.mjs")
LATE = 1.1


@dataclass(frozen=True)
class Pair:
    id: str
    pattern: str
    flags: str
    text: str


@dataclass(frozen=True)
class Answer:
    status: str
    seconds: float

    @property
    def is_verdict(self) -> bool:
        return self.status in ("match", "no match")


def read_pairs(path: Path) -> list[Pair]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    return [
        Pair(row.get("id", str(n)), row["pattern"], row.get("flags", ""), _text(row))
        for n, row in enumerate(rows)
    ]


def _text(row: dict[str, str | int]) -> str:
    if "text" in row:
        return str(row["text"])
    return f"{row['prefix']}{str(row['pump']) * int(row['n'])}{row['suffix']}"


def ours(pair: Pair, seconds: float) -> str:
    try:
        pattern = compile_pattern(pair.pattern, pair.flags)
        return _verdict(pattern.search(pair.text, deadline=Deadline.after(seconds)) is not None)
    except PatternTooLarge:
        return "too large"
    except MatchError as error:
        return "timeout" if isinstance(error, MatchTimeout) else "memory"


def raw(pair: Pair, seconds: float) -> str:
    """The pattern as it is, as somebody would use ``regex`` who does not translate it."""
    flags = sum({"i": regex.I, "m": regex.M, "s": regex.S}.get(flag, 0) for flag in pair.flags)
    try:
        return _verdict(
            regex.search(pair.pattern, pair.text, flags, timeout=seconds, concurrent=True) is not None
        )
    except TimeoutError:
        return "timeout"
    except (MemoryError, RecursionError):
        return "memory"
    except regex.error:
        return "invalid"


def timed(engine: Callable[[Pair, float], str], pairs: Iterable[Pair], seconds: float) -> Iterator[Answer]:
    for pair in pairs:
        began = time.monotonic()
        status = engine(pair, seconds)
        yield Answer(status, time.monotonic() - began)


def v8(pairs: Iterable[Pair], seconds: float) -> Iterator[Answer]:
    with subprocess.Popen(
        ["node", str(JUDGE)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    ) as node:
        assert node.stdin is not None
        assert node.stdout is not None
        for pair in pairs:
            question = {"pattern": pair.pattern, "flags": pair.flags, "text": pair.text, "seconds": seconds}
            node.stdin.write(json.dumps(question) + "\n")
            node.stdin.flush()
            yield Answer(**json.loads(node.stdout.readline()))
        node.stdin.close()


def _verdict(matches: bool) -> str:
    return "match" if matches else "no match"


def report(pairs: list[Pair], answers: dict[str, list[Answer]], seconds: float) -> bool:
    """Print the table; returns whether every answer of ours is right and in time."""
    print(f"{len(pairs)} pairs, budget {seconds:g} s")
    print("engine       answered  errors   share  wrong  late  slowest    total")
    judges = answers.get("V8") or [Answer("not asked", 0.0)] * len(pairs)
    for name, given in answers.items():
        wrong = sum(is_wrong(a, judge) for a, judge in zip(given, judges, strict=True))
        errors = sum(not answer.is_verdict for answer in given)
        late = sum(answer.seconds > seconds * LATE for answer in given)
        slowest, total = max(a.seconds for a in given), sum(a.seconds for a in given)
        print(
            f"{name:12} {len(given) - errors:8} {errors:7} {errors / len(given):7.1%} {wrong:6} {late:5}"
            f" {slowest:7.2f}s {total:7.1f}s"
        )
    bad = False
    for pair, answer, judge in zip(pairs, answers["turngrade"], judges, strict=True):
        late = answer.seconds > seconds * LATE
        if is_wrong(answer, judge) or late or not answer.is_verdict:
            bad = bad or late or is_wrong(answer, judge)
            took = f"{answer.status} after {answer.seconds:.2f} s"
            print(f"{pair.id}: {took}, V8 {judge.status}: {pair.pattern[:90]}")
    print("errors of ours:", dict(Counter(a.status for a in answers["turngrade"] if not a.is_verdict)))
    return not bad


def is_wrong(answer: Answer, judge: Answer) -> bool:
    return answer.is_verdict and judge.is_verdict and answer.status != judge.status


def main() -> int:
    parser = argparse.ArgumentParser(description="How often no answer comes on catastrophic patterns.")
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--seconds", type=float, default=2.5)
    parser.add_argument("--only", nargs="*", default=(), help="ids of pairs")
    parser.add_argument("--skip", nargs="*", default=(), choices=("regex", "V8"))
    options = parser.parse_args()
    pairs = [pair for pair in read_pairs(options.pairs) if not options.only or pair.id in options.only]
    engines: dict[str, Callable[[], Iterator[Answer]]] = {
        "turngrade": lambda: timed(ours, pairs, options.seconds),
        "regex": lambda: timed(raw, pairs, options.seconds),
        "V8": lambda: v8(pairs, options.seconds),
    }
    answers = {name: list(ask()) for name, ask in engines.items() if name not in options.skip}
    return 0 if report(pairs, answers, options.seconds) else 1


if __name__ == "__main__":
    sys.exit(main())
