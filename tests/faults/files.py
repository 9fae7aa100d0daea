"""Break logs and exports in thousands of ways, and count what became of them.

    python -m tests.faults.files [--quick]

Every broken file is graded between two sound ones. It must not raise, hang or cost a row of theirs; what can
still be read of it must be right, and an error must tell of the rest. Exit code 1 where that was not so.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from tests.faults import damage
from tests.faults.damage import Case, Rule
from tests.faults.judging import Bench, Count
from tests.faults.odd_files import archives, bombs, on_disk, overlapping
from tests.faults.originals import CHAT_LIST, CHATS, DEFLATE_LOG, JSON_LOG, ORIGINALS, ZSTD_LOG, Original

MB = 1 << 20


def cases(quick: bool) -> Iterator[Case]:
    """All cases, or some of each kind."""
    share = 25 if quick else 1
    for original in (ZSTD_LOG, DEFLATE_LOG, JSON_LOG, CHATS) if quick else ORIGINALS:
        yield from damage.truncated(original, 12 if quick else 100)
        yield from damage.flipped(original, 300 // share)
        yield from damage.zeroed(original, 50 // share)
        yield from damage.repeated(original, 50 // share)
        if original.suffix == ".eval":
            yield from damage.wrong_checksums(original)
        yield from _of_json(original, quick)
    yield from bombs(MB if quick else 50 * MB)
    yield overlapping(200 if quick else 20_000)
    yield from archives()


def try_on_disk(bench: Bench) -> None:
    """Grade what is no regular file."""
    for number, odd in enumerate(on_disk()):
        folder = bench.folder / f"odd-{number}"
        folder.mkdir()
        odd.make(folder / odd.name)
        bench.try_file(odd.kind, odd.name, folder / odd.name, odd.rule, bench.rows(odd.original))


def try_growing(bench: Bench, original: Original, seconds: float) -> None:
    """Grade a file again and again while another thread writes it."""
    path = bench.folder / f"growing{original.suffix}"
    path.write_bytes(b"")
    ended = threading.Event()

    def grow() -> None:
        with path.open("ab", buffering=0) as file:
            step = len(original.data) // 97
            for at in range(0, len(original.data), step):
                file.write(original.data[at : at + step])
                time.sleep(seconds / 97)
        ended.set()

    threading.Thread(target=grow).start()
    whole = False
    while not whole:
        whole = ended.is_set()
        rule: Rule = "same" if whole else "shorter" if original.suffix == ".jsonl" else "whole"
        bench.try_file("growing while it is read", original.name, path, rule, bench.rows(original))


def _of_json(original: Original, quick: bool) -> Iterator[Case]:
    if original.suffix in (".json", ".jsonl"):
        yield from damage.encodings(original)
        if not quick:
            yield from damage.odd_values(original)
            yield from damage.json_shapes(original)
    if original in (ZSTD_LOG, JSON_LOG, CHATS, CHAT_LIST):
        yield from damage.nested(original)
    yield from damage.blank(original)


def try_all(bench: Bench, quick: bool) -> None:
    """Try every case."""
    for case in cases(quick):
        bench.try_case(case)
    try_on_disk(bench)
    for original in (ZSTD_LOG, CHATS, ORIGINALS[7]):
        try_growing(bench, original, 0.2 if quick else 10)


def table(counts: dict[str, Count]) -> Iterator[str]:
    """The counts as a Markdown table."""
    yield "| kind of fault | cases | error rows | survived | rows lost |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    total = Count()
    for kind, count in counts.items():
        yield f"| {kind} | {count.cases:,} | {count.error_rows:,} | {count.survived:,} | {count.lost:,} |"
        total.cases += count.cases
        total.error_rows += count.error_rows
        total.survived += count.survived
        total.lost += count.lost
    yield f"| all | {total.cases:,} | {total.error_rows:,} | {total.survived:,} | {total.lost:,} |"


def main() -> int:
    """Try all cases and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="some of each kind, as the tests do")
    quick = parser.parse_args().quick
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        try_all(bench, quick)
    print("\n".join(table(bench.counts)))
    for fault in bench.faults:
        print(fault, file=sys.stderr)
    return 1 if bench.faults else 0


if __name__ == "__main__":
    sys.exit(main())
