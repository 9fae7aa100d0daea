"""What forty graders cost on messages, against a plain loop of the same searches, and against V8.

The plain loop is what one writes at first: every pattern, translated and compiled, searched for in every
message by ``regex``, with a time limit, and nothing is shared between searches: each prepares its text. All
sides run in turn, and must find the same.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import regex
from tests.benchmarks.messages import messages
from tests.benchmarks.patterns40 import PATTERNS
from tests.benchmarks.table import Row

from turngrade.core import Spec, Transcript, load_spec
from turngrade.core.dialect import Subject, emit, exec_groups, parse, reference_folding, screen, screen_of

SECONDS = 5.0
MESSAGES_A_RUN = 20
"""As many as a verdict keeps hits."""

QUADRATIC = "both words"
"""V8 takes quadratic time for it."""

_FLAGS = regex.V0 | regex.ASCII


class Found(NamedTuple):
    """The first hit of a pattern in a message."""

    name: str
    message: int
    start: int
    end: int
    groups: tuple[str | None, ...]


class Plain:
    """A pattern as the plain loop searches for it."""

    def __init__(self, name: str, pattern: str, flags: str) -> None:
        tree = parse(pattern, flags)
        self.name = name
        self.group_count = tree.group_count
        self.folding = reference_folding(tree)
        self.search = regex.compile(emit(tree, captures=False), _FLAGS).search
        self.capture = regex.compile(emit(tree, captures=True), _FLAGS).match

    def found(self, number: int, subject: Subject) -> Found | None:
        """The first hit in a text."""
        view = subject.units
        if self.folding is not None and not view.isascii():
            view = view.translate(self.folding)
        match = self.search(view, timeout=SECONDS, concurrent=True)
        if match is None:
            return None
        start, end = subject.span(*match.span(), unicode=False)
        groups: tuple[str | None, ...] = ()
        if self.group_count:
            captured = self.capture(view, match.start(), timeout=SECONDS, concurrent=True)
            units = exec_groups(captured, self.group_count)
            spans = [span and subject.span(*span, unicode=False) for span in units]
            groups = tuple(span and subject.text[slice(*span)] for span in spans)
        return Found(self.name, number, start, end, groups)


def plain_loop(texts: Sequence[str], patterns: Sequence[Plain]) -> list[Found]:
    """Every pattern in every message."""
    hits = []
    for number, text in enumerate(texts):
        found = (pattern.found(number, Subject(text)) for pattern in patterns)
        hits += [hit for hit in found if hit is not None]
    return hits


def graded(spec: Spec, transcripts: Sequence[Transcript]) -> list[Found]:
    """The hits of all verdicts."""
    hits = []
    for run, transcript in enumerate(transcripts):
        for verdict in spec.grade(transcript).verdicts:
            assert verdict.matched == len(verdict.hits), verdict
            assert verdict.passed is bool(verdict.hits), verdict
            for hit in verdict.hits:
                number = run * MESSAGES_A_RUN + (hit.message_index or 0)
                hits.append(Found(verdict.name, number, hit.start, hit.end, hit.groups))
    return hits


def node_loop(texts: Sequence[str], giving_up_after: float) -> dict[str, Any]:
    """The same loop in V8: CPU seconds and matching messages of each pattern, and those given up."""
    node = shutil.which("node")
    assert node is not None, "Node is needed for comparison"
    data = {"patterns": PATTERNS, "texts": texts, "seconds": giving_up_after}
    script = Path(__file__).with_name("matching.mjs")
    done = subprocess.run([node, script], input=json.dumps(data), capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@contextmanager
def without_re2() -> Iterator[None]:
    """An installation without the extra ``fast``."""
    kept = sys.modules.get("re2")
    sys.modules["re2"] = None  # type: ignore[assignment]
    _forget()
    try:
        yield
    finally:
        del sys.modules["re2"]
        if kept is not None:
            sys.modules["re2"] = kept
        _forget()


def _forget() -> None:
    for cached in (screen._re2, screen_of):
        cached.cache_clear()


def measured(ways: Mapping[str, Callable[[], list[Found]]], rounds: int) -> dict[str, float]:
    """The best CPU time of each way in seconds; all find the same hits."""
    best: dict[str, float] = {}
    expected: list[Found] | None = None
    for _ in range(rounds):
        for name, way in ways.items():
            began = time.process_time()
            hits = sorted(way(), key=lambda hit: hit[:2])
            best[name] = min(best.get(name, SECONDS * 1_000), time.process_time() - began)
            expected = expected or hits
            assert hits == expected, f"{name} finds something else"
    assert expected
    return best


def rows(*, small: bool) -> list[Row]:
    """The figures: the plain loop and V8 against graders, without and with the extra ``fast``."""
    texts = messages(400_000 if small else 10_000_000)
    spec = load_spec({"graders": [grader(*pattern) for pattern in PATTERNS]})
    transcripts = [
        Transcript.from_texts(texts[at : at + MESSAGES_A_RUN]) for at in range(0, len(texts), MESSAGES_A_RUN)
    ]
    patterns = [Plain(*pattern) for pattern in PATTERNS]

    def without() -> list[Found]:
        with without_re2():
            return graded(spec, transcripts)

    ways = {
        "plain": lambda: plain_loop(texts, patterns),
        "without": without,
        "with": lambda: graded(spec, transcripts),
    }
    best = measured(ways, rounds=2 if small else 3)
    counted = f"{len(texts)} messages, {sum(map(len, texts)) / 1e6:.1f} million characters"
    return [
        _row("loop of regex searches : 40 graders", best["plain"] / best["without"], (1.3, 2), counted),
        _row("the same, with the extra fast", best["plain"] / best["with"], (2.2, 4), counted),
        *_beside_node(texts, best["with"], graded(spec, transcripts)),
    ]


def _row(what: str, ratio: float, bounds: tuple[float, float], counted: str) -> Row:
    return Row(what, ratio, required=bounds[0], goal=bounds[1], at_least=True, counted=counted)


def _beside_node(texts: Sequence[str], ours: float, hits: Sequence[Found]) -> list[Row]:
    node = node_loop(texts, giving_up_after=2 * ours + 1)
    for name, count in node["counts"].items():
        assert count == sum(hit.name == name for hit in hits), f"V8 finds something else for {name}"
    seconds = sum(node["seconds"].values())
    linear = seconds - node["seconds"][QUADRATIC]
    given_up = ", ".join(node["given_up"]) or "none"
    return [
        Row("loop in Node : 40 graders, extra fast", seconds / ours, counted=f"given up: {given_up}"),
        Row(f"the same, Node without {QUADRATIC!r}", linear / ours, counted="all 40 graders on our side"),
    ]


def grader(name: str, pattern: str, flags: str) -> dict[str, Any]:
    """A pattern as a grader of a spec."""
    prefix = f"(?{flags})" if flags else ""
    return {"type": "transcript-matches", "name": name, "config": {"pattern": prefix + pattern}}
