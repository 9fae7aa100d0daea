"""Every pattern comes back with the right verdict, in time and in little memory."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.dialect.catastrophes import ALL, BURNING, Catastrophe, pumped

from turngrade.core.dialect import (
    Deadline,
    InvalidPattern,
    MatchTimeout,
    PatternTooLarge,
    compile_pattern,
)

SECONDS = 2.5
NOISE = 1.0
"""What a busy machine may add; measured when quiet, nothing is later than a tenth of the budget."""
MEGABYTES = 300

MEASURE = """
import json, resource, sys
from turngrade.core.dialect import Deadline, MatchError, compile_pattern
pattern, flags, text = json.load(sys.stdin)
try:
    match = compile_pattern(pattern, flags).search(text, deadline=Deadline.after(4))
    status = "no match" if match is None else "match"
except MatchError as error:
    status = str(error)
if sys.platform == "linux":  # where getrusage may tell the peak of the parent
    status_lines = open("/proc/self/status").read().splitlines()
    peak = next(int(line.split()[1]) / 1024 for line in status_lines if line.startswith("VmHWM:"))
else:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 / 1024
print(json.dumps([status, peak]))
"""

HUNGRY = (
    Catastrophe(r"(?:.|\n)*$", pumped("a"), 1_000_000, verdict=True),
    Catastrophe(r"^((a)|(b)|(.))*$", pumped("abcd"), 250_000, verdict=True),
    Catastrophe(r"(?:(?:(?:a|b)*c)*d)*e$", pumped("abcd"), 250_000),
    Catastrophe(r'(?:[^"]|"")*"$', pumped('a""'), 333_000, verdict=True),
    Catastrophe(r"(ab?)*?$", pumped("ab"), 500_000, verdict=True),
    Catastrophe(r"^(?:(.)\1|.)*$", pumped("aab"), 333_000, verdict=True),
    Catastrophe(r"^((.)\2|(.))*$", pumped("aab"), 333_000, verdict=True),
    Catastrophe(r"(?=((?:a|b)*)c)(?<=((?:.)*))x", pumped("ab"), 500_000),
    Catastrophe(r"^(?:😀|.)*$", pumped("😀a"), 333_000, verdict=True),
    Catastrophe(r"(?:a{1,50}){1,50}b", pumped("a"), 1_000_000),
    Catastrophe(r"a[^]{1,500}b", pumped("ab", "c"), 500_000, verdict=True),
    Catastrophe(r"[ab]*a[ab]{14}c", pumped("abbabaaabababbbabaabbbab"), 40_000),
)


def names(catastrophe: Catastrophe) -> str:
    return f"{catastrophe.pattern}/{catastrophe.flags}"


def assert_verdict_in_time(catastrophe: Catastrophe, size: int) -> None:
    pattern, text = compile_pattern(catastrophe.pattern, catastrophe.flags), catastrophe.text(size)
    began = time.monotonic()
    match = pattern.search(text, deadline=Deadline.after(SECONDS))
    assert time.monotonic() - began < SECONDS * 1.1 + NOISE
    assert (match is not None) == catastrophe.verdict


@pytest.mark.parametrize("catastrophe", ALL, ids=names)
def test_the_verdict_comes_in_time(catastrophe: Catastrophe) -> None:
    assert_verdict_in_time(catastrophe, catastrophe.size // 2)


@pytest.mark.slow
@pytest.mark.parametrize("catastrophe", ALL, ids=names)
def test_the_verdict_comes_in_time_on_larger_texts(catastrophe: Catastrophe) -> None:
    assert_verdict_in_time(catastrophe, catastrophe.size * 10)


def test_what_cannot_be_answered_is_given_up_in_time() -> None:
    pattern, text = compile_pattern(BURNING.pattern), BURNING.text(BURNING.size)
    began = time.monotonic()
    with pytest.raises(MatchTimeout) as caught:
        pattern.test(text, deadline=Deadline.after(0.5))
    assert caught.value.limit_seconds == 0.5
    assert str(caught.value) == "Timed out after 0.5 s"
    assert 0.45 < time.monotonic() - began < 0.55 + NOISE


@pytest.mark.parametrize(
    "length", [50_000, *(pytest.param(n, marks=pytest.mark.slow) for n in (300_000, 1_000_000))]
)
def test_a_long_text_is_given_up_in_time(length: int) -> None:
    """``regex`` looks at its clock after so many steps, each of which may read the whole text.

    The clock is that of the CPU, and others may take the CPU between two looks.
    """
    pattern, text = compile_pattern(r"(\w+)\s?\1\d"), "a" * length + " b1"
    began, worked = time.monotonic(), time.thread_time()
    with pytest.raises(MatchTimeout):
        pattern.search(text, deadline=Deadline.after(SECONDS))
    taken, worked = time.monotonic() - began, time.thread_time() - worked
    assert worked < SECONDS * 1.1 + NOISE
    assert taken < 2 * (SECONDS * 1.1 + NOISE)


@pytest.mark.skipif(sys.platform == "win32", reason="measures with the resource module")
@pytest.mark.parametrize(
    "catastrophe", [*HUNGRY[:2], *(pytest.param(c, marks=pytest.mark.slow) for c in HUNGRY[2:])], ids=names
)
def test_a_million_units_take_little_memory(catastrophe: Catastrophe) -> None:
    question = json.dumps([catastrophe.pattern, catastrophe.flags, catastrophe.text(catastrophe.size)])
    done = subprocess.run(
        [sys.executable, "-c", MEASURE], input=question, capture_output=True, check=True, encoding="utf-8"
    )
    status, megabytes = json.loads(done.stdout)
    assert megabytes < MEGABYTES
    assert status in ("match" if catastrophe.verdict else "no match", "Timed out after 4 s")


@pytest.mark.parametrize(
    "pattern",
    [
        "x{2147483648}",
        "(x?){1000000}y",
        "(?:\\b){2000000000}x?" + "(?:a{300}){300}",
        "(?:(?:(?:(?:a?){100}){100}){100}){100}x",
        "(" * 20 + "a" + ")+" * 20,
        "(?:" * 14 + "ab" + "){2}" * 14,
        "(?:" * 5_000 + ")" * 5_000,
        "[" * 400 + "]" * 400,
        "(?=" * 400 + ")" * 400,
        "((?:a{99}){99}){99}",
    ],
    ids=lambda pattern: pattern[:30],
)
def test_a_pattern_that_is_too_large_is_told_before_the_cost_is_paid(pattern: str) -> None:
    began = time.monotonic()
    with pytest.raises(PatternTooLarge):
        compile_pattern(pattern, "v" if pattern.startswith("[") else "")
    assert time.monotonic() - began < 0.2 + NOISE


@pytest.mark.parametrize(
    ("pattern", "flags"),
    [(r"\P{Ll}" * 160, "iu"), (r"[^\P{L}a]" * 100, "u"), (r"[\p{L}" + r"&&\p{L}" * 120 + "]", "iv")],
)
def test_too_many_large_sets_are_told_before_they_are_compiled(pattern: str, flags: str) -> None:
    began = time.process_time()
    with pytest.raises(PatternTooLarge) as caught:
        compile_pattern(pattern, flags)
    assert time.process_time() - began < 0.2
    assert "use fewer" in str(caught.value.hint)
    with pytest.raises(InvalidPattern, match="Unterminated group"):
        compile_pattern(pattern + "(", flags)


def test_sets_of_an_everyday_number_are_compiled() -> None:
    name = r"[\p{Lu}][\p{L}\p{M}'’-]+"
    assert compile_pattern(rf"^{name}(?:\s{name}){{0,3}}(?:,\s*{name})?$", "u").test("Élodie Ngũgĩ, Çelik")


@pytest.mark.parametrize(
    "pattern", ["(?:){1000000000}x", "(?:a{0}){1000000000}", "a{0,2000000000}b", "(?:^){9999999}a"]
)
def test_counts_that_cost_nothing_are_no_matter(pattern: str) -> None:
    assert compile_pattern(pattern).search("ab x") is not None


def test_the_script_for_larger_corpora_agrees(tmp_path: Path) -> None:
    rows = [{"pattern": c.pattern, "flags": c.flags, "text": c.text(c.size // 10)} for c in ALL[::12]]
    file = tmp_path / "pairs.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    script = Path(__file__).parents[1] / "benchmarks" / "redos.py"
    done = subprocess.run(
        [sys.executable, str(script), str(file), "--seconds", "1", "--skip", "V8", "regex"],
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "turngrade" in done.stdout
