"""How much memory hostile files take: each is graded by a process of its own, whose peak is read.

    python -m tests.faults.memory [--quick]

Without ``--quick`` the files are as large as the limits allow, which takes some minutes and 8 GB of memory.
Exit code 1 where a file took more than docs/limits.md promises, was not told, or cost the sound one a row.
"""

from __future__ import annotations

import argparse
import json
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.faults.originals import CHATS, SPEC

MB = 1 << 20
GIB = 1 << 30

CHILD = """
import sys
from turngrade.adapters.cli.app import run
code = run(sys.argv[1:])
peak = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM:"))
print(code, peak * 1024)
"""


@dataclass(frozen=True)
class Hostile:
    """A file that would take much memory.

    Args:
        name: Its name, whose suffix says what kind it passes for.
        what: What is in it.
        write: Writes it.
        most: Most bytes that grading it may take, beyond what the sound file takes.
    """

    name: str
    what: str
    write: Callable[[Path], None]
    most: int


def sparse(size: int, start: bytes = b"") -> Callable[[Path], None]:
    """A file of zeros that takes no room on the disk."""

    def write(path: Path) -> None:
        with path.open("wb") as file:
            file.write(start)
            file.truncate(size)

    return write


def repeated(piece: bytes, size: int, start: bytes, end: bytes) -> Callable[[Path], None]:
    """A file of one piece over and over."""

    def write(path: Path) -> None:
        block = piece * (MB // len(piece))
        with path.open("wb") as file:
            file.write(start)
            for _ in range(size // len(block)):
                file.write(block)
            file.write(end)

    return write


def archive(
    piece: bytes, size: int, start: bytes, end: bytes, claims: int | None = None
) -> Callable[[Path], None]:
    """A log whose one sample is a piece over and over, packed by deflate to a thousandth.

    Args:
        piece: What is repeated.
        size: Bytes of the sample when unpacked.
        start: What stands in front.
        end: What stands behind.
        claims: The size that the archive says; None says the truth.
    """

    def write(path: Path) -> None:
        block = piece * (MB // len(piece))
        with (
            zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as whole,
            whole.open("samples/a_epoch_1.json", "w", force_zip64=size > GIB) as member,
        ):
            member.write(start)
            for _ in range(size // len(block)):
                member.write(block)
            member.write(end)
        if claims is not None:
            data = path.read_bytes()
            entry = data.rindex(b"PK\x01\x02")
            path.write_bytes(data[: entry + 24] + struct.pack("<I", claims) + data[entry + 28 :])

    return write


SAMPLE = b'{"id": "a", "epoch": 1, "messages": [{"role": "assistant", "content": "%b'
CHAT = b'{"id": "a", "messages": [{"role": "assistant", "content": "%b'
RUN = b'{"id": "a", "trace_id": "a", "run_type": "llm", "outputs": {"output": "%b'


def hostile(size: int) -> Iterator[Hostile]:
    """Files of all kinds.

    Args:
        size: How large they are, or become; 1 GiB is the most that is read at once.
    """
    small = 100 * MB
    text, end = b"no end of words ", b'"}]}'
    for suffix in (".eval", ".json", ".jsonl", ".parquet"):
        yield Hostile(f"zeros{suffix}", "nothing but zeros", sparse(4 * size), small)
    line = CHATS.data.splitlines(keepends=True)[0]
    yield Hostile("line.jsonl", "a line of zeros behind a sound one", sparse(4 * size, line), 3 * size)
    yield Hostile(
        "few.eval", "a sample that claims 1,000 bytes", archive(text, size, SAMPLE % b"", end, 1000), small
    )
    yield Hostile("much.eval", "a sample beyond 1 GiB", archive(text, 2 * GIB, SAMPLE % b"", end), small)
    yield Hostile("text.eval", "a sample of one text", archive(text, size - MB, SAMPLE % b"", end), 4 * size)
    wide = "🙂".encode()
    yield Hostile(
        "wide.eval", "the same, with an emoji", archive(text, size - MB, SAMPLE % wide, end), 8 * size
    )
    yield Hostile(
        "text.jsonl", "a line of one text", repeated(text, size - MB, CHAT % b"", end + b"\n"), 5 * size
    )
    yield Hostile("run.jsonl", "a run of one text", repeated(text, size - MB, RUN % b"", b'"}}\n'), 5 * size)
    yield Hostile(
        "parts.eval",
        "a sample of empty lists",
        archive(b"[],", size, SAMPLE % b'", "x": [', b"NaN]}]}"),
        4 * GIB,
    )
    yield Hostile(
        "parts.jsonl",
        "a line of empty lists",
        repeated(b"[],", size - MB, CHAT % b'", "x": [', b"1]}]}\n"),
        4 * GIB,
    )
    yield Hostile(
        "parts.json",
        "a run of empty objects",
        repeated(b"{},", size - MB, RUN % b'", "x": [', b"1]}}"),
        4 * GIB,
    )


def measure(folder: Path, *files: Path) -> tuple[int, list[dict[str, object]], str]:
    """The peak of grading files, in bytes, the rows, and what was said."""
    spec, out = folder / "spec.yaml", folder / "out.jsonl"
    spec.write_text(SPEC, "utf-8")
    command = [sys.executable, "-c", CHILD, "grade", spec, *files, "-o", out, "-q", "--only", "no-mail"]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True)
    peak = int(done.stdout.split()[-1])
    return peak, [json.loads(row) for row in out.read_text("utf-8").splitlines()], done.stderr


def main() -> int:
    """Measure all files and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="files of 32 MiB")
    size = 32 * MB if parser.parse_args().quick else GIB
    faults = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sound = folder / "sound.jsonl"
        sound.write_bytes(CHATS.data)
        base, right, _ = measure(folder, sound)
        print("| file | what is in it | file, MB | peak, MB | most, MB | |")
        print("| --- | --- | ---: | ---: | ---: | --- |")
        for file in hostile(size):
            path = folder / file.name
            file.write(path)
            peak, rows, err = measure(folder, path, sound)
            told = next((str(row["error"]) for row in rows if "error" in row), err.strip() or "graded")
            kept = rows[-len(right) :] == right
            faults += not kept or peak - base > file.most or not told
            sizes = " | ".join(f"{each // MB:,}" for each in (path.stat().st_size, peak - base, file.most))
            print(f"| {file.name} | {file.what} | {sizes} | {told[:60]} |", flush=True)
            path.unlink()
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
