"""Grades hundreds of catastrophic patterns, each in a process of its own, and counts what goes wrong.

    python -m tests.faults.patterns [--sizes 0 200000 1000000] [--only PART]

Every pattern is graded on texts of each size (0: the one that is worst for an engine without precautions) by
a spec with the limits that users have, and a budget of two seconds. A fault is a verdict that comes more than
a tenth later, a pattern that takes more CPU time to compile than that tenth, memory beyond 300 MB, a thread
beside it that is kept waiting, an exception, or a process that dies or hangs. Time beyond the budget counts
as far as the process had a CPU for it, and what is late is tried again: other processes may be busy. Linux
only: memory is the peak that the kernel tells. Exit code 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path

from tests.faults.patterns_corpus import NATURAL, Evil, corpus

from turngrade.core import Transcript, load_spec

BUDGET = 2.0
SIZES = (NATURAL, 200_000, 1_000_000)
MEGABYTES = 300
OVER = 0.1
"""Share of the budget by which a verdict, and the compiler, may be late."""
COMPILING = 0.2
"""Seconds of CPU that loading a spec may take, however small the budget is."""
BEAT = 0.005
LATEST_BEAT = 0.5
"""Seconds that another thread may be kept waiting; a busy machine does some of it."""
GIVE_UP = 20.0
TRIES = 3


@dataclass(frozen=True)
class Outcome:
    """How a pattern was graded on a text.

    Attributes:
        status: ``pass``, ``fail``, ``error``, or what became of the process.
        reason: The reason of an error.
        compiling: Seconds of CPU time to load the spec.
        grading: Seconds to the verdict.
        share: How much of a CPU the process had for it; less than 1 where it only waited for one.
        late_beat: The longest that a thread beside it was kept waiting, in seconds.
        megabytes: How much the peak of memory grew.
    """

    status: str
    reason: str | None = None
    compiling: float = 0.0
    grading: float = 0.0
    share: float = 1.0
    late_beat: float = 0.0
    megabytes: float = 0.0

    def faults(self, budget: float) -> list[str]:
        """What is wrong, in words."""
        found = [] if self.status in ("pass", "fail", "error") else [f"process {self.status}"]
        if (self.grading - budget) * self.share > budget * OVER:
            found.append(f"verdict after {self.grading:.2f} s")
        if self.compiling > max(budget * OVER, COMPILING):
            found.append(f"compiled in {self.compiling:.2f} s")
        if self.late_beat > LATEST_BEAT:
            found.append(f"another thread waited {self.late_beat:.2f} s")
        if self.megabytes > MEGABYTES:
            found.append(f"{self.megabytes:.0f} MB")
        return found


def try_out(evil: Evil, size: int, budget: float = BUDGET) -> Outcome:
    """Grade in a child process; the best of some tries where it is late."""
    best = _in_child(evil, size, budget)
    for _ in range(TRIES - 1):
        if not best.faults(budget):
            break
        again = _in_child(evil, size, budget)
        best = replace(
            again if len(again.faults(budget)) < len(best.faults(budget)) else best,
            megabytes=max(best.megabytes, again.megabytes),  # memory does not depend on who else is busy
        )
    return best


def _in_child(evil: Evil, size: int, budget: float) -> Outcome:
    fork = multiprocessing.get_context("fork")
    here, there = fork.Pipe(duplex=False)
    child = fork.Process(target=_child, args=(evil, size, budget, there))
    child.start()
    there.close()
    try:
        return here.recv() if here.poll(budget + GIVE_UP) else Outcome("hangs")
    except EOFError:
        child.join()
        return Outcome(f"died ({child.exitcode})")
    finally:
        child.kill()
        child.join()


def _child(evil: Evil, size: int, budget: float, answer: Connection) -> None:
    transcript = Transcript.from_texts([evil.of_size(size)])
    grader = {"type": "regex-match", "config": {"pattern": evil.pattern, "flags": evil.flags}}
    spec_file = {"graders": [grader], "limits": {"timeout": budget}}
    at_first, heart = _peak(), Heart()
    cpu = time.process_time()
    try:
        spec = load_spec(spec_file)
        compiling, began = time.process_time() - cpu, time.monotonic()
        (verdict,) = spec.grade(transcript).verdicts
        grading = time.monotonic() - began
    except BaseException as error:
        answer.send(Outcome(f"raised {error!r}"))
        return
    share = min(1.0, (time.process_time() - cpu - compiling) / grading)
    times = (compiling, grading, share, heart.stop())
    answer.send(Outcome(verdict.status, verdict.reason, *times, _peak() - at_first))


class Heart(threading.Thread):
    """Work that goes on beside the grading, and notes how long it was kept from it."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._longest = 0.0
        self._stopped = False
        self.start()

    def run(self) -> None:
        """Beat."""
        last = time.monotonic()
        while not self._stopped:
            time.sleep(BEAT)
            now = time.monotonic()
            self._longest = max(self._longest, now - last - BEAT)
            last = now

    def stop(self) -> float:
        """The longest pause between two beats, beyond what was meant."""
        self._stopped = True
        self.join()
        return self._longest


def _peak() -> float:
    """The most memory that this process has had, in megabytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:"))


def table(outcomes: Iterable[tuple[Evil, Outcome]], budget: float = BUDGET) -> str:
    """A line for each family, and one for all."""
    by_family: dict[str, list[tuple[Evil, Outcome]]] = {}
    for evil, outcome in outcomes:
        by_family.setdefault(evil.family, []).append((evil, outcome))
    everything = [pair for pairs in by_family.values() for pair in pairs]
    rows = [_HEADINGS, *(_row(family, pairs, budget) for family, pairs in by_family.items())]
    rows.append(_row("all", everything, budget))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell.rjust(width) if at else cell.ljust(width) for at, (cell, width) in enumerate(cells))
        for cells in (list(zip(row, widths, strict=True)) for row in rows)
    )


_HEADINGS = (
    "family", "patterns", "cases", "pass", "fail", "time", "large", "invalid", "slowest", "compiled", "beat",
    "memory", "faults",
)  # fmt: skip


def _row(family: str, pairs: list[tuple[Evil, Outcome]], budget: float) -> tuple[str, ...]:
    outcomes = [outcome for _, outcome in pairs]
    kinds = [outcome.reason if outcome.status == "error" else outcome.status for outcome in outcomes]
    numbers = [len({(evil.pattern, evil.flags) for evil, _ in pairs}), len(pairs)]
    numbers += [
        kinds.count(kind) for kind in ("pass", "fail", "timeout", "pattern_too_large", "invalid_pattern")
    ]
    seconds = [
        max(getattr(outcome, name) for outcome in outcomes) for name in ("grading", "compiling", "late_beat")
    ]
    memory = max(outcome.megabytes for outcome in outcomes)
    faults = sum(bool(outcome.faults(budget)) for outcome in outcomes)
    return (
        family,
        *map(str, numbers),
        *(f"{second:.2f} s" for second in seconds),
        f"{memory:.0f} MB",
        str(faults),
    )


def run(
    evils: Iterable[Evil], sizes: Iterable[int], budget: float = BUDGET
) -> Iterator[tuple[Evil, Outcome]]:
    """Try every pattern on every size; faults are printed when they are seen."""
    load_spec([{"type": "output-matches", "config": {"pattern": "."}}])  # once, for all children
    for evil in evils:
        for size in sizes:
            outcome = try_out(evil, size, budget)
            if faults := outcome.faults(budget):
                print(
                    f"{evil.pattern[:90]!r} {evil.flags!r}, {size or evil.natural}: {', '.join(faults)}",
                    flush=True,
                )
            yield evil, outcome


def main() -> int:
    """Try all, print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="lengths of the texts")
    parser.add_argument("--only", default="", help="families whose name has this in it")
    options = parser.parse_args()
    chosen = [evil for evil in corpus() if options.only in evil.family]
    outcomes = list(run(chosen, options.sizes))
    print(table(outcomes))
    return 1 if any(outcome.faults(BUDGET) for _, outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
