"""Real patterns on hostile texts: the verdicts of the dialect, of ``regex`` and of ``re`` against V8's.

    python -m tests.dialect.real_patterns --node PATH npm.jsonl pypi.jsonl

Each file holds lines of ``{"pattern", "flags"}``, as ``harvest.mjs`` and ``harvest_python.py`` print them.
Each pattern is tested on twelve texts made from it and damaged, or made of what JavaScript and Python see
differently. Printed is, for each engine, how many patterns it refuses or accepts against V8, and how many
verdicts are wrong; then every wrong verdict of the dialect.
"""

from __future__ import annotations

import argparse
import json
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import regex
from tests.dialect.engine import Engine
from tests.dialect.generators import TextGenerator
from tests.dialect.node_judge import Case, Ruling, ask, find_node

from turngrade.core.dialect import InvalidPattern, parse

Test = Callable[[str], bool]
Compile = Callable[[str, str], Test]

TEXTS = 12
PYTHON_FLAGS = {"i": re.I, "m": re.M, "s": re.S}


def main() -> None:
    """Tests all files and prints the table."""
    options = _options()
    cases = [case for path in options.files for case in _cases(path)]
    counts: dict[str, Counter[str]] = {name: Counter() for name in ENGINES}
    wrong: list[str] = []
    valid = 0
    warnings.simplefilter("ignore")
    for case, ruling in zip(cases, ask(cases, find_node(options.node)), strict=True):
        valid += ruling.error is None
        for name, compiled in ENGINES.items():
            faults = _faults(compiled, case, ruling, counts[name])
            if name == "dialect":
                wrong += faults
    print(f"{len(cases)} patterns, {valid} of them valid, {counts['dialect']['pairs']} pairs")
    for name, count in counts.items():
        print(name, json.dumps(count, sort_keys=True))
    print(*wrong, sep="\n")


def dialect(pattern: str, flags: str) -> Test:
    """The dialect."""
    engine = Engine(pattern, flags)
    return lambda text: bool(engine.spans(text))


def raw_regex(pattern: str, flags: str) -> Test:
    """``regex`` with the pattern as it is."""
    program = regex.compile(pattern, _python_flags(flags) | regex.V0, cache_pattern=False)
    return lambda text: program.search(text, timeout=2.0) is not None


def raw_re(pattern: str, flags: str) -> Test:
    """``re`` with the pattern as it is; without a timeout."""
    program = re.compile(pattern, _python_flags(flags))
    return lambda text: program.search(text) is not None


ENGINES: dict[str, Compile] = {"dialect": dialect, "regex": raw_regex, "re": raw_re}


def _python_flags(flags: str) -> int:
    result = 0
    for flag in flags:
        result |= PYTHON_FLAGS.get(flag, 0)
    return result


def _faults(compiled: Compile, case: Case, ruling: Ruling, count: Counter[str]) -> list[str]:
    """The wrong verdicts of one engine on one pattern."""
    try:
        test = compiled(case.pattern, case.flags)
    except (ValueError, re.error, regex.error, OverflowError, RecursionError):
        count["valid refused"] += ruling.error is None
        return [f"refused {case.pattern!r}"] if ruling.error is None else []
    if ruling.error is not None:
        count["invalid accepted"] += 1
        return [f"accepted {case.pattern!r}: {ruling.error}"]
    faults = list(_wrong_verdicts(test, case, ruling, count))
    count["patterns with a wrong verdict"] += bool(faults)
    return faults


def _wrong_verdicts(test: Test, case: Case, ruling: Ruling, count: Counter[str]) -> Iterator[str]:
    for text, found in zip(case.texts, ruling.found, strict=True):
        if found is None:
            continue
        try:
            verdict = test(text)
        except (TimeoutError, MemoryError):
            count["no answer"] += 1
            continue
        count["pairs"] += 1
        if verdict is not bool(found):
            count["wrong verdicts"] += 1
            yield f"wrong {case.pattern!r} {case.flags!r} {text!r}: {verdict}"


def _cases(path: Path) -> Iterator[Case]:
    rng = Random(path.name)
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        pattern, flags = row["pattern"], "".join(flag for flag in row["flags"] if flag not in "gy")
        try:
            generator = TextGenerator(rng, parse(pattern, flags))
        except InvalidPattern:
            yield Case(pattern, flags)
        else:
            yield Case(pattern, flags, tuple(_hostile(generator.text(), rng) for _ in range(TEXTS)))


def _hostile(text: str, rng: Random) -> str:
    """The text, every other time between characters that JavaScript and Python see differently."""
    around = (
        "",
        "",
        "\n",
        "\r",
        "\u2028",
        "\x85",
        "\x1c",
        "\xa0",
        "\ufeff",
        "é",
        "ſ",
        "\u212a",
        "😀",
        "\ud83d",
        "٣",
    )
    return text if rng.random() < 0.5 else rng.choice(around) + text + rng.choice(around)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--node", help="the Node to ask; default $NODE, else node")
    parser.add_argument("files", nargs="+", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    main()
