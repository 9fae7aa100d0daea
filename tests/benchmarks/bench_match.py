"""What the dialect and its guards cost, next to ``regex`` with the same pattern untranslated.

    python -m tests.benchmarks.bench_match [--messages 300] [--rounds 3] [--each]

Both sides search every message with the same ``timeout=`` and ``concurrent=True``; ours is translated, keeps
a budget, takes a slot, and makes a match with its groups. Rounds of both sides alternate and the best of each
counts, in CPU time of the process. The verdicts differ here and there, as they should.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

import regex
from tests.benchmarks.table import Row

from turngrade.core.dialect import Deadline, Pattern, Subject, compile_pattern, parse

SECONDS = 5.0
MOST = 1.3
"""What turngrade may take of the time of bare ``regex``."""

PATTERNS: tuple[tuple[str, str, str], ...] = (
    ("refund promise", r"\b(?:you will|you'll) (?:get|receive) a (?:full )?refund\b", "i"),
    ("apology", r"i(?:'m| am) (?:so |very )?sorry", "i"),
    ("refusal", r"\b(?:i|we) (?:can(?:no|')t|won't|am unable to|are unable to) (?:help|assist|do that)", "i"),
    ("model speaks of itself", r"as an? (?:ai|artificial intelligence|language model)\b", "i"),
    ("guarantee", r"\bguarante(?:e|ed|es)\b", "i"),
    ("traceback", r"^Traceback \(most recent call last\):$", "m"),
    ("failure", r"error|exception|failed", "i"),
    ("to do", r"\b(?:TODO|FIXME|XXX)\b", ""),
    ("e-mail", r"[\w.+-]+@[\w-]+\.[\w.-]+", ""),
    ("e-mail, strict", r"\b[A-Z0-9._%+-]+@[A-Z0-9.-]+\.[A-Z]{2,}\b", "i"),
    ("social security number", r"\b\d{3}-\d{2}-\d{4}\b", ""),
    ("card number", r"\b(?:\d[ -]?){13,16}\b", ""),
    ("phone", r"\+?\d{1,3}?[ .-]?\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}", ""),
    ("IBAN", r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}\b", ""),
    ("link", r"https?:\/\/[^\s)\]>]+", ""),
    ("bare domain", r"\b(?:[a-z0-9-]+\.)+(?:com|org|net|io)\b", "i"),
    ("IPv4", r"\b(?:\d{1,3}\.){3}\d{1,3}\b", ""),
    ("ISO date", r"\b\d{4}-(?:0[1-9]|1[0-2])-\d{2}\b", ""),
    ("written date", r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2}\b", "i"),
    ("time", r"\b(?:[01]?\d|2[0-3]):[0-5]\d\b", ""),
    ("dollars", r"\$\s?\d{1,3}(?:,\d{3})*(?:\.\d{2})?", ""),
    ("order id", r"\bORD-\d{6}\b", ""),
    ("ticket", r"\b[A-Z]{2,5}-\d+\b", ""),
    ("uuid", r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", "i"),
    ("commit", r"\b[0-9a-f]{40}\b", ""),
    ("version", r"\bv?\d+\.\d+\.\d+\b", ""),
    ("secret key", r"\b(?:sk|pk|ghp)[-_][A-Za-z0-9]{20,}", ""),
    ("whole JSON object", r"^\s*\{[\s\S]*\}\s*$", ""),
    ("JSON field", r'"(?:status|state)"\s*:\s*"(?:ok|done)"', ""),
    ("code block", r"```(?:\w+)?\n[\s\S]*?\n```", ""),
    ("shell removal", r"\brm\s+-[a-z]*r[a-z]*f?\s", ""),
    ("numbered list", r"^\s*\d+[.)] \S", "m"),
    ("heading", r"^#{1,6} .+$", "m"),
    ("final answer", r"final answer\s*[:=]\s*(.+)", "i"),
    ("thinking", r"<thinking>[\s\S]*?<\/thinking>", ""),
    ("both words", r"^(?=[\s\S]*\bdeploy)(?=[\s\S]*\bproduction)", "i"),
    ("without a word", r"^(?![\s\S]*\bsorry\b)", "i"),
    ("word twice", r"\b(\w{4,}) \1\b", ""),
    ("not reset", r"password(?!\s+reset)", "i"),
    ("drop table", r"drop\s+table\s+\w+", "i"),
)
PROSE = (
    "the order was shipped on Monday and should arrive within three days . thank you for your patience "
    "we have checked the status of your account ; nothing is wrong with it . please reply to this message "
    "if you need more help with the password reset or the invoice from 2024-03-01 over $ 129.00 at 10:45"
)
NATIVE = "Grüße für später größer café déjà vu naïve señor niño żółw 你好 世界 привет мир"
RARE = (
    "I'm sorry, but I can't help with that.", "Traceback (most recent call last):", "mail a.b@example.com",
    "https://example.com/path?x=1", "ORD-123456", "as an AI language model", "```python\nprint(1)\n```",
    '{"status": "ok"}', "555-12-3456", "guaranteed", "# Heading", "1. first", "rm -rf build", "v1.2.3",
    "the the refund", "deploy to production", "192.168.0.1", "you'll get a refund", "Final answer: 42",
)  # fmt: skip


class Side(NamedTuple):
    """One way to search, and its best time for each pattern."""

    name: str
    search: Callable[[int, Sequence[Any]], None]
    best: list[float]


def messages(count: int) -> list[str]:
    """Messages of 0.2 to 20 KB: prose, code and JSON; 45 % beyond ASCII, 11 % with emoji."""
    rng = Random(7)
    return [_message(rng, int(200 * 100 ** rng.random())) for _ in range(count)]


def _message(rng: Random, size: int) -> str:
    kind, beyond, emoji = rng.random(), rng.random() < 0.45, rng.random() < 0.11
    parts, prose, native = list[str](), PROSE.split(), NATIVE.split()
    while size > 0:
        part = rng.choice(native if beyond and rng.random() < 0.1 else prose)
        if rng.random() < 0.002:
            part = rng.choice(RARE)
        if emoji and rng.random() < 0.02:
            part = "😀"
        if kind < 0.2:
            part = f"    if {part} == {rng.randint(0, 99)}:\n        return '{part}'\n"
        elif kind < 0.35:
            part = f'"{part}": {rng.randint(0, 9999)},'
        elif rng.random() < 0.05:
            part += "\n"
        parts.append(part)
        size -= len(part) + 1
    return " ".join(parts)


def measure(sides: Sequence[Side], texts: dict[str, list[Any]], rounds: int) -> None:
    """Let the sides take turns on each pattern."""
    for number in range(len(PATTERNS)):
        for _ in range(rounds):
            for side in sides:
                began = time.process_time()
                side.search(number, texts[side.name])
                side.best[number] = min(side.best[number], time.process_time() - began)


def main() -> int:
    """Measure and print; exit code 1 if the ratio is above 1.3."""
    parser = argparse.ArgumentParser(description="The cost of the dialect next to bare regex.")
    parser.add_argument("--messages", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--each", action="store_true", help="print every pattern")
    options = parser.parse_args()
    plain = messages(options.messages)
    sides = measured(plain, options.rounds)
    report(sides, sum(map(len, plain)), each=options.each)
    report_compiling(options.rounds)
    return 0 if sum(sides[0].best) <= MOST * sum(sides[1].best) else 1


def rows(*, small: bool) -> list[Row]:
    """The figure for the table of all benchmarks."""
    plain = messages(40 if small else 300)
    ours, bare = measured(plain, 3)
    counted = f"{len(PATTERNS)} patterns, {len(plain)} messages"
    ratio = sum(ours.best) / sum(bare.best)
    return [Row("search with guards : bare regex, untranslated", ratio, required=MOST, counted=counted)]


def measured(plain: list[str], rounds: int) -> tuple[Side, Side]:
    """Both sides, measured."""
    ours = [compile_pattern(pattern, flags) for _, pattern, flags in PATTERNS]
    bare = [regex.compile(pattern, _flags(flags)) for _, pattern, flags in PATTERNS]
    sides = (_side("turngrade", ours, _search), _side("regex", bare, _search_bare))
    measure(sides, {"turngrade": [Subject(text) for text in plain], "regex": plain}, rounds)
    return sides


def _side(name: str, programs: Sequence[Any], search: Callable[[Any, Sequence[Any]], None]) -> Side:
    return Side(name, lambda number, texts: search(programs[number], texts), [float("inf")] * len(PATTERNS))


def _search(pattern: Pattern, subjects: Sequence[Subject]) -> None:
    for subject in subjects:
        pattern.search(subject, deadline=Deadline(SECONDS))


def _search_bare(program: Any, texts: Sequence[str]) -> None:
    for text in texts:
        program.search(text, timeout=SECONDS, concurrent=True)


def _flags(letters: str) -> int:
    return sum({"i": regex.I, "m": regex.M, "s": regex.S}[letter] for letter in letters)


def report(sides: Sequence[Side], size: int, *, each: bool) -> None:
    """Print the sums, and the ratio of each pattern."""
    ours, bare = (side.best for side in sides)
    ratios = [one / other for one, other in zip(ours, bare, strict=True)]
    if each:
        for (name, _, _), one, other, ratio in zip(PATTERNS, ours, bare, ratios, strict=True):
            print(f"{name:24} {one * 1e3:8.2f} ms {other * 1e3:8.2f} ms {ratio:6.2f}")
    for side in sides:
        rate = size * len(PATTERNS) / sum(side.best) / 1e6
        print(f"{side.name:10} {sum(side.best):7.3f} s {rate:7.0f} MB/s (characters × patterns)")
    print(
        f"sum of times: ratio {sum(ours) / sum(bare):.2f}; median of ratios {statistics.median(ratios):.2f}"
    )


def report_compiling(rounds: int) -> None:
    """Print how long it takes to parse, translate and compile a pattern."""
    best = [float("inf")] * len(PATTERNS)
    for _ in range(rounds):
        for number, (_, pattern, flags) in enumerate(PATTERNS):
            began = time.perf_counter()
            Pattern(parse(pattern, flags))
            best[number] = min(best[number], time.perf_counter() - began)
    print(f"compiling: median {statistics.median(best) * 1e3:.2f} ms, slowest {max(best) * 1e3:.2f} ms")


if __name__ == "__main__":
    raise SystemExit(main())
