"""Kill ``turngrade grade`` at random moments, hundreds of times, and look at what it left behind.

    python -m tests.faults.stops [--kills 210] [--seed 1]

After each kill: no log is damaged, an output file is whole or as it was before, nothing but hidden temporary
files is left (and none where the process could clean up), no process lives on, and a rerun ends with the same
bytes as a run that nobody disturbed. Exit code 1 where that was not so.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.faults.originals import CHATS, DATA, SPEC, ZSTD_LOG
from tests.langsmith.loopback import API_KEY, Loopback
from tests.langsmith.project_runs import trace

from turngrade.adapters.inspect.archive import Unpacker, members

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
KINDS = ("out.jsonl", "out.csv", "out.parquet", "out.xml", "out.md", "out.html", "out.scores.jsonl")
INTERRUPTED = 2
ENDS_WITHIN = 30
TRACES = 12

State = dict[str, object]
"""What is in a folder: the bytes of its files, those of a log's members one by one."""


@dataclass(frozen=True)
class Scenario:
    """One way of calling the command.

    Args:
        name: What is written.
        arguments: The command line behind the verb.
        inputs: Writes what is read, logs included.
        changes: The files that it may change; all others stay as they are.
        share: How many of a hundred kills strike it.
    """

    name: str
    arguments: tuple[str, ...]
    inputs: Callable[[Path], object]
    changes: tuple[str, ...]
    share: int


@dataclass
class Tally:
    """What became of the kills of one scenario."""

    kills: int = 0
    too_late: int = 0
    litter: int = 0
    written: int = 0
    faults: list[str] = field(default_factory=list)


def chats(folder: Path) -> None:
    """Files of conversations, and a log."""
    (folder / "logs").mkdir()
    for number in range(6):
        (folder / "logs" / f"chats-{number}.jsonl").write_bytes(CHATS.data * 15)
    (folder / "logs" / "log.eval").write_bytes(ZSTD_LOG.data)


def one_log(name: str) -> Callable[[Path], object]:
    """A log, for the scores to be written into."""
    return lambda folder: shutil.copy(DATA / "inspect" / name, folder / f"log{Path(name).suffix}")


def scenarios() -> Iterator[Scenario]:
    """Every kind of output, alone and together, in one process and in several; logs, and LangSmith."""
    for name in KINDS:
        yield Scenario(name.removeprefix("out"), ("logs", "-q", "-o", name), chats, (name,), 9)
    every = tuple(argument for name in KINDS for argument in ("-o", name))
    yield Scenario("all at once", ("logs", "-q", *every), chats, KINDS, 14)
    yield Scenario("all, -j 2", ("logs", "-q", "-j", "2", *every), chats, KINDS, 7)
    back = ("--write-back", "-q", "-o", "out.jsonl")
    copies = ("out.jsonl", "log-graded.eval")
    yield Scenario("--write-back", ("log.eval", *back), one_log("epochs.eval"), copies, 6)
    for name in ("inspect-0.3.260.eval", "inspect-0.3.260.json"):
        log = f"log{Path(name).suffix}"
        yield Scenario(f"--in-place {log}", (log, *back, "--in-place"), one_log(name), ("out.jsonl", log), 3)
    yield Scenario("langsmith:", ("langsmith:shop", *back), lambda folder: None, ("out.jsonl",), 4)


class Stage:
    """A folder in which a scenario is played, again and again.

    Args:
        scenario: What is called.
        folder: An empty folder.
        server: The LangSmith server.
    """

    def __init__(self, scenario: Scenario, folder: Path, server: Loopback) -> None:
        self.scenario, self.folder, self.server = scenario, folder, server
        self.before = self.set_up()
        began = time.monotonic()
        self.code = self.start().wait()
        self.seconds = time.monotonic() - began
        self.after, self.rows = state_of(folder), feedback(server)

    def set_up(self) -> State:
        """Put everything back to where it was before the first call."""
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.folder / "tmp").mkdir(parents=True)
        (self.folder / "spec.yaml").write_text(SPEC, "utf-8")
        self.scenario.inputs(self.folder)
        for name in self.scenario.changes:
            if name.startswith("out"):
                (self.folder / name).write_text("what an earlier call wrote")
        self.server.store.feedback.clear()
        return state_of(self.folder)

    def start(self) -> subprocess.Popen[bytes]:
        """Call the command, in a session of its own."""
        environment = {
            **os.environ,
            "TMPDIR": str(self.folder / "tmp"),
            "LANGSMITH_ENDPOINT": self.server.url,
            "LANGSMITH_API_KEY": API_KEY,
        }
        command = [
            sys.executable,
            "-m",
            "turngrade.adapters.cli",
            "grade",
            "spec.yaml",
            *self.scenario.arguments,
        ]
        return subprocess.Popen(
            command,
            cwd=self.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def kill(self, number: signal.Signals, chance: random.Random, tally: Tally) -> None:
        """Kill one call, look at what is left, run it again and compare."""
        self.set_up()
        child = self.start()
        self._wait(child, chance)
        child.send_signal(number)
        code = child.wait(ENDS_WITHIN)
        tally.kills += 1
        tally.too_late += code == self.code
        where = f"{self.scenario.name}, {number.name}"
        for fault in self._look(child.pid, code, number, tally):
            tally.faults.append(f"{where}: {fault}")
        again = self.start().wait()
        if again != self.code:
            tally.faults.append(f"{where}: the rerun ended with {again}, not {self.code}")
        if self._without_litter(state_of(self.folder)) != self.after:
            tally.faults.append(f"{where}: the rerun has other bytes")
        if feedback(self.server) != self.rows:
            tally.faults.append(f"{where}: the rerun left other feedback: {feedback(self.server)}")

    def _wait(self, child: subprocess.Popen[bytes], chance: random.Random) -> None:
        """Until a random moment: of the whole call, or of what follows the first file that it makes."""
        length = self.seconds
        if chance.random() < 0.7:
            begun = time.monotonic()
            while child.poll() is None and not any(map(is_temporary, os.listdir(self.folder))):
                time.sleep(0.001)
            length = max(0.05, self.seconds - (time.monotonic() - begun))
        time.sleep(chance.uniform(0, length))

    def _look(self, pid: int, code: int, number: signal.Signals, tally: Tally) -> Iterator[str]:
        if not _is_gone(pid):
            yield "a process lives on"
        ended = code in (self.code, INTERRUPTED)
        if not ended and code != -number and not (number == signal.SIGINT and code == 1):
            yield f"exit code {code}"
        now = state_of(self.folder)
        litter = [name for name in now if is_temporary(name)]
        tally.litter += len(litter)
        if litter and ended:
            yield f"left behind: {litter}"
        for name in {*now, *self.before} - set(litter):
            was, is_, will = (state.get(name) for state in (self.before, now, self.after))
            tally.written += is_ != was
            if is_ != was and (is_ != will or name not in self.scenario.changes):
                yield f"{name} is damaged"

    def _without_litter(self, state: State) -> State:
        return {name: content for name, content in state.items() if not is_temporary(name)}


def is_temporary(name: str) -> bool:
    """Whether a file is one that nobody reads: hidden, or in the folder for temporary files."""
    return name.startswith((".", "tmp/"))


def state_of(folder: Path) -> State:
    """What is in a folder."""
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): content_of(path) for path in paths}


def content_of(path: Path) -> object:
    """The bytes of a file; of an archive those of its members, whose times differ from run to run."""
    if path.suffix != ".eval" or path.name.startswith("."):
        return path.read_bytes()
    with path.open("rb") as file:
        unpacker = Unpacker(file)
        return {member.name: bytes(unpacker.read(member)) for member in members(file)}


def feedback(server: Loopback) -> list[tuple[object, ...]]:
    """The rows of feedback that the server has, each as often as it is there."""
    return sorted((row["run_id"], row["key"], str(row["score"])) for row in server.store.feedback)


def _is_gone(group: int) -> bool:
    """Whether all processes of a session have ended, soon."""
    for _ in range(ENDS_WITHIN * 20):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


@contextmanager
def shop() -> Iterator[Loopback]:
    """A LangSmith server with a project, which keeps doubles."""
    with Loopback() as server:
        for number in range(TRACES):
            server.store.add_trace("shop", trace(number, f"first {number}", f"write to {number}@example.com"))
        server.store.on_repeated_id = "append"
        yield server


def play(chosen: Sequence[Scenario], kills: int, seed: int, server: Loopback) -> Iterator[tuple[str, Tally]]:
    """Kill calls of some scenarios, so many of each hundred as they say; each kind of signal in turn."""
    chance = random.Random(seed)
    for scenario in chosen:
        with tempfile.TemporaryDirectory() as name:
            stage, tally = Stage(scenario, Path(name) / "stage", server), Tally()
            for number in range(max(1, round(kills * scenario.share / 100))):
                stage.kill(SIGNALS[number % len(SIGNALS)], chance, tally)
        yield scenario.name, tally


def main() -> int:
    """Kill, look, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=210)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(
        "| what is written | kills | had ended | temporary files left by SIGKILL | files written | faults |"
    )
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    faults: list[str] = []
    total = Tally()
    with shop() as server:
        for name, tally in play(list(scenarios()), options.kills, options.seed, server):
            print(f"| {name} {_cells(tally)}", flush=True)
            faults += tally.faults
            for number in ("kills", "too_late", "litter", "written"):
                setattr(total, number, getattr(total, number) + getattr(tally, number))
    total.faults = faults
    print(f"| all {_cells(total)}")
    print(*faults, sep="\n", file=sys.stderr)
    return 1 if faults else 0


def _cells(tally: Tally) -> str:
    numbers = (tally.kills, tally.too_late, tally.litter, tally.written, len(tally.faults))
    return "| " + " | ".join(map(str, numbers)) + " |"


if __name__ == "__main__":
    sys.exit(main())
