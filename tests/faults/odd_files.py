"""Files that are odd as files, or as archives: what is written here is no damage, but made so on purpose."""

from __future__ import annotations

import io
import json
import os
import struct
import warnings
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.faults.damage import Case, Rule
from tests.faults.originals import CHATS, DEFLATE_LOG, Original
from tests.inspect.archives import HEADER, ZSTD, sample

MB = 1 << 20


def parts(*samples: dict[str, object]) -> list[tuple[str, bytes]]:
    """The members of a log."""
    named = [(f"samples/{each['id']}_epoch_1.json", json.dumps(each).encode()) for each in samples]
    return [("header.json", json.dumps(HEADER).encode()), *named]


def packed(members: list[tuple[str, bytes]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """An archive of members, whose names may stand there twice."""
    data = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        with zipfile.ZipFile(data, "w", method) as archive:
            for name, content in members:
                archive.writestr(name, content)
    return data.getvalue()


SMALL = parts(sample("one", id="a"), sample("two", id="b"))
SOUND = Original(Path("small.eval"), checked=True, content=packed(SMALL))
"""The log that the archives here are variants of: samples ``a`` and ``b``."""

HALF = Original(Path("half.eval"), checked=True, content=packed(SMALL[:2]))


def bombs(size: int = 50 * MB) -> Iterator[Case]:
    """Members that hold far more or far less than they claim, beside a sound sample.

    Args:
        size: What they hold, or claim.
    """
    for method in (zipfile.ZIP_DEFLATED, ZSTD):
        for content in (bytes(size), b'{"id": "b", "epoch": 1, "messages": "' + b"a" * size + b'"}'):
            whole = packed([*SMALL[:2], (SMALL[2][0], content)], method)
            for claims in (0, 10, 1000, size // 2, 2 * size, (1 << 31) - 1, 1 << 30, (1 << 32) - 2):
                yield Case("zip bombs", SOUND, _claiming(whole, claims), "whole", f"{method} claims {claims}")
        empty = packed([*SMALL[:2], (SMALL[2][0], b"")], method)
        yield Case("zip bombs", SOUND, _claiming(empty, size), "whole", f"{method} of nothing")


def _claiming(data: bytes, size: int) -> bytes:
    """The archive with another size of its last member in the directory, and in the member's own header."""
    changed = bytearray(data)
    struct.pack_into("<I", changed, data.rindex(b"PK\x01\x02") + 24, size)
    struct.pack_into("<I", changed, data.rindex(b"PK\x03\x04") + 22, size)
    return bytes(changed)


def overlapping(count: int) -> Case:
    """Many names in the directory for the bytes of one member."""
    name = b"samples/%06d_epoch_1.json"
    whole = packed([*SMALL, ((name % 0).decode(), SMALL[1][1])])
    entry = whole.rindex(b"PK\x01\x02")
    end = whole.rindex(b"PK\x05\x06")
    directory = whole.index(b"PK\x01\x02")
    one = whole[entry:end]
    many = b"".join(one.replace(name % 0, name % number) for number in range(1, count))
    body = whole[:end] + many
    tail = struct.pack(
        "<4s4H2IH", b"PK\x05\x06", 0, 0, count + 3, count + 3, len(body) - directory, directory, 0
    )
    return Case("zip bombs", SOUND, body + tail, "counted", "one member under many names")


def archives() -> Iterator[Case]:
    """Archives in archives, names that climb, members that are there twice, and other methods."""
    inner = packed(SMALL)
    for depth in range(1, 6):
        yield Case(
            "nested archives", HALF, packed([*SMALL[:2], (SMALL[2][0], inner)]), "counted", f"{depth} deep"
        )
        inner = packed([("samples/a_epoch_1.json", inner)])
    for name in (
        "../../../etc/passwd",
        "/etc/passwd",
        "..\\..\\x",
        "C:\\x",
        "a\0b",
        "a" * 60_000,
        "\u202e",
        "~/x",
    ):
        climbing = [(f"samples/{name}_epoch_1.json", SMALL[2][1]), (name, b"x"), *SMALL[:2]]
        yield Case("names that climb", HALF, packed(climbing), "counted", ascii(name[:20]))
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, ZSTD):
        twice = [*SMALL, *SMALL, SMALL[1]]
        yield Case("duplicate members", SOUND, packed(twice, method), "same", f"method {method}")
        older = (SMALL[1][0], json.dumps(sample("older", id="a")).encode())
        yield Case(
            "duplicate members", SOUND, packed([SMALL[0], older, *SMALL[1:]], method), "same", "updated"
        )
    for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        yield Case("other compression", SOUND, packed(SMALL, method), "whole", f"method {method}")
    for front in (b"#!/bin/sh\n", b"MZ" + bytes(100), b"\xef\xbb\xbf"):
        yield Case("archive behind something", SOUND, front + packed(SMALL), "whole", repr(front[:5]))
    yield Case(
        "archive behind something", SOUND, packed(SMALL) + b"\n" * 70_000, "whole", "in front of blanks"
    )
    many = [SMALL[0], *((f"x/{number}", b"") for number in range(5000)), *SMALL[1:]]
    yield Case("thousands of members", SOUND, packed(many), "same")


@dataclass(frozen=True)
class OnDisk:
    """Something with the name of a file.

    Args:
        kind: The kind of fault.
        name: Its name.
        make: Makes it.
        rule: What must come of it.
        original: The file whose rows are right.
    """

    kind: str
    name: str
    make: Callable[[Path], object]
    rule: Rule = "told"
    original: Original = CHATS


def _link(target: str) -> Callable[[Path], object]:
    return lambda path: path.symlink_to(target)


def _written(data: bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(data)


def _folder_with(name: str, make: Callable[[Path], object]) -> Callable[[Path], object]:
    def make_folder(path: Path) -> None:
        path.mkdir()
        make(path / name)

    return make_folder


def _links_around(path: Path) -> None:
    path.mkdir()
    (path / "chats.jsonl").write_bytes(CHATS.data)
    (path / "again").symlink_to("..")


def on_disk() -> Iterator[OnDisk]:
    """Pipes, folders, links and empty files under the names of logs."""
    for suffix in (".eval", ".json", ".jsonl", ".parquet"):
        yield OnDisk("empty file", f"empty{suffix}", _written(b""))
        yield OnDisk("empty file", f"blank{suffix}", _written(b"\xef\xbb\xbf \r\n\n"))
        yield OnDisk("folder named like a log", f"folder{suffix}", _folder_with("note.txt", Path.touch))
        log = _folder_with("log.eval", _written(DEFLATE_LOG.data))
        yield OnDisk("folder named like a log", f"logs{suffix}", log, "counted", DEFLATE_LOG)
        yield OnDisk("link to itself", f"loop{suffix}", _link(f"loop{suffix}"))
        yield OnDisk("link to nothing", f"dangling{suffix}", _link("/nowhere/at/all"))
        loop = _folder_with(f"x{suffix}", lambda path: path.symlink_to(path.name))
        yield OnDisk("link to itself", f"loops-{suffix[1:]}", loop)
        yield OnDisk("device", f"null{suffix}", _link("/dev/null"))
        yield OnDisk("pipe in a folder", f"pipe-{suffix[1:]}", _folder_with(f"x{suffix}", os.mkfifo))
    yield OnDisk("folders that link around", "around", _folder_with("in", _links_around), "counted")
