"""Measure functions and commands, each in a fresh process; of several runs in turn the best one counts.

A busy machine is busy for all of them. Ratios are of CPU time: it heeds least what else is running, and on an
idle machine it is the time that one waits, for all that is compared here works in one thread.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent

_Name = TypeVar("_Name")


@dataclass(frozen=True, slots=True)
class Call:
    """A function to be measured.

    Args:
        module: Where it is.
        function: Its name. It returns what it counted: a list of whole numbers.
        args: Its arguments.
        warm_up: Arguments of a call before the clock starts: for imports, and what is set up once.
        one_in: Measured in one of so many rounds; for what takes long.
        repeat: Calls in one process, of which the best counts too; for what is short.
    """

    module: str
    function: str
    args: tuple[str, ...]
    warm_up: tuple[str, ...]
    one_in: int = 1
    repeat: int = 1


@dataclass(frozen=True, slots=True)
class Command:
    """A command to be measured, start-up included.

    Args:
        args: The command; the first is a script of this environment.
        cwd: Where it runs.
        codes: The exit codes that it may end with.
        one_in: As with `Call`.
    """

    args: tuple[str, ...]
    cwd: Path
    codes: tuple[int, ...] = (0,)
    one_in: int = 1


@dataclass(frozen=True, slots=True)
class Measured:
    """The best of several runs.

    Args:
        cpu: Seconds of CPU, all threads together.
        seconds: Wall-clock time.
        peak: Peak memory of the process in MB, the interpreter and all imports included; 0 for a command.
        counted: What it counted; empty for a command.
    """

    cpu: float
    seconds: float
    peak: float = 0.0
    counted: tuple[int, ...] = ()


def measure(ways: Mapping[_Name, Call | Command], rounds: int) -> dict[_Name, Measured]:
    """Measure several ways in turn.

    Args:
        ways: What is compared, by name.
        rounds: How often.
    """
    best: dict[_Name, Measured] = {}
    for number in range(rounds):
        for name, way in ways.items():
            if number % way.one_in == 0:
                found = _call(way) if isinstance(way, Call) else _command(way)
                best[name] = min(best.get(name, found), found, key=lambda measured: measured.cpu)
    return best


def _call(call: Call) -> Measured:
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.fresh", json.dumps([call.module, call.function])]
        + [json.dumps(each) for each in (call.warm_up, call.args, call.repeat)],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    if done.returncode:
        raise RuntimeError(f"{call}: {done.stderr[-2000:]}")
    row = json.loads(done.stdout.splitlines()[-1])
    return Measured(row["cpu"], row["seconds"], row["peak"], tuple(row["counted"]))


def _command(command: Command) -> Measured:
    start = time.perf_counter()
    with subprocess.Popen(
        [str(BIN / command.args[0]), *command.args[1:]],
        cwd=command.cwd,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in command.codes:
        raise RuntimeError(f"{command.args}: exit code {process.returncode}")
    return Measured(used.ru_utime + used.ru_stime, time.perf_counter() - start)


def main(arguments: Sequence[str]) -> None:
    """Call a function, and print what it took: the process that `measure` starts."""
    (module, name), warm_up, args, repeat = map(json.loads, arguments)
    function = getattr(importlib.import_module(module), name)
    function(*warm_up)
    took = []
    for _ in range(repeat):
        start, cpu = time.perf_counter(), time.process_time()
        counted = function(*args)
        took.append((time.process_time() - cpu, time.perf_counter() - start))
    cpu, seconds = min(took)
    print(json.dumps({"cpu": cpu, "seconds": seconds, "peak": _peak(), "counted": counted}))


def _peak() -> float:
    """Peak memory in MB. Not by `getrusage`, which on Linux may report the parent's."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("no VmHWM in /proc/self/status")


if __name__ == "__main__":
    main(sys.argv[1:])
