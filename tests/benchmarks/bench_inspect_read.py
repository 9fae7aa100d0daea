"""How fast Inspect logs are read, against decompressing them and against Inspect's own reader.

usage: python -m tests.benchmarks.bench_inspect_read [--samples 500] [--turns 30] [--chars 2000] [--rounds 5]

Each way runs in fresh processes, in turn, and its best time counts: a busy machine is busy for all of them.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Measured:
    """The best of several runs of one way to read a log.

    Args:
        seconds: Wall-clock time.
        cpu: Seconds of CPU, all threads together.
        peak: Peak memory of the process in MB, the interpreter and all imports included.
        found: Number of samples and of assistant messages.
    """

    seconds: float
    cpu: float
    peak: float
    found: tuple[int, int]


def decompress(log: str) -> tuple[int, int]:
    """What no reader can do without: the bytes of all samples, by the fastest decompressor, unchecked."""
    import zstandard

    from turngrade.adapters.inspect.archive import Unpacker, members

    count = 0
    decompressor = zstandard.ZstdDecompressor()
    with open(log, "rb") as file:
        unpacker = Unpacker(file)
        for member in members(file):
            if member.name.startswith("samples/"):
                decompressor.decompress(unpacker.packed(member), max_output_size=member.size)
                count += 1
    return count, 0


def turngrade(log: str) -> tuple[int, int]:
    """turngrade's reader, all scopes."""
    from turngrade.adapters.inspect import read_transcripts
    from turngrade.core.transcript import Transcript

    samples = messages = 0
    for transcript in read_transcripts(log):
        assert isinstance(transcript, Transcript), transcript
        samples += 1
        messages += len(transcript.messages)
    return samples, messages


def inspect(log: str) -> tuple[int, int]:
    """Inspect's reader of whole logs."""
    from inspect_ai.log import read_eval_log

    samples = read_eval_log(log).samples or []
    return len(samples), sum(message.role == "assistant" for sample in samples for message in sample.messages)


WAYS: dict[str, Callable[[str], tuple[int, int]]] = {
    "decompress": decompress,
    "turngrade": turngrade,
    "read_eval_log": inspect,
}


def measure(log: Path, rounds: int, ways: tuple[str, ...] = tuple(WAYS)) -> dict[str, Measured]:
    """Measure the ways to read a log, in turn.

    Args:
        log: The log.
        rounds: How often; of the slow way a third of it.
        ways: Which ways.
    """
    best: dict[str, Measured] = {}
    for number in range(rounds):
        for way in ways:
            if way == "read_eval_log" and number % 3:
                continue
            found = _in_a_fresh_process(way, log)
            if way not in best or found.seconds < best[way].seconds:
                best[way] = found
    return best


def table(measured: dict[str, Measured]) -> str:
    """The figures as a Markdown table."""
    base = measured["decompress"].seconds
    lines = ["| way | s | x decompress | CPU s | peak MB | samples, messages |", "|---|---|---|---|---|---|"]
    lines += [
        f"| {way} | {m.seconds:.3f} | {m.seconds / base:.1f} | {m.cpu:.3f} | {m.peak:.0f} | {m.found} |"
        for way, m in measured.items()
    ]
    return "\n".join(lines)


def _in_a_fresh_process(way: str, log: Path) -> Measured:
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.bench_inspect_read", "--way", way, "--log", str(log)],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    row = json.loads(done.stdout.splitlines()[0])
    return Measured(row["seconds"], row["cpu"], row["peak"], (row["found"][0], row["found"][1]))


def _run_one(way: str, log: str) -> None:
    WAYS[way](str(SMALL))  # imports, and whatever is set up once
    start, cpu = time.perf_counter(), time.process_time()
    found = WAYS[way](log)
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    peak = _peak()
    print(json.dumps({"seconds": seconds, "cpu": cpu, "peak": peak, "found": found}))


def _peak() -> float:
    """Peak memory in MB. Not by `getrusage`, which on Linux may report the parent's."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("no VmHWM in /proc/self/status")


SMALL = Path(__file__).parents[1] / "data" / "inspect" / "plain.eval"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=500)
    parser.add_argument("--turns", type=int, default=30)
    parser.add_argument("--chars", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--log", type=Path, help="a log of one's own")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "turngrade-bench")
    parser.add_argument("--way", choices=WAYS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.way:
        _run_one(options.way, str(options.log))
        return
    log = options.log
    if log is None:
        from tests.benchmarks.big_log import big_log

        options.folder.mkdir(exist_ok=True)
        log = big_log(options.folder, options.samples, options.turns, options.chars)
    print(table(measure(log, options.rounds)))


if __name__ == "__main__":
    main()
