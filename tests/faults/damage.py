"""Ways in which a file breaks: each makes cases of a sound original.

A case says what must come of it:

- ``same``: the rows of the original, and no error.
- ``whole``: every row is one of the original's, and an error tells of each that is missing.
- ``counted``: no fewer rows than the original has, or an error that tells why. For bytes without a checksum:
  what they say now may be something else, and just as valid.
- ``shorter``: every row is one of the original's. Of lines that are gone as a whole nobody can tell.
- ``told``: nothing can be read, and an error says why.
"""

from __future__ import annotations

import json
import random
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from tests.faults.originals import CHATS, JSON_LOG, Original

OTHERS: tuple[Any, ...] = (None, 7, "x", [], {}, [None], [[]], {"a": 1})
"""Values to put in the place of others."""

Rule = Literal["same", "whole", "counted", "shorter", "told"]


@dataclass(frozen=True)
class Case:
    """A broken file.

    Args:
        kind: The kind of fault, a row of the table.
        original: What was broken.
        data: The bytes of the broken file.
        rule: What must come of it.
        detail: What tells it from others of its kind.
    """

    kind: str
    original: Original
    data: bytes
    rule: Rule
    detail: str = ""


def truncated(original: Original, steps: int = 100) -> Iterator[Case]:
    """Cut at every hundredth of the length, and one byte before the end."""
    data = original.data
    lengths = {len(data) * step // steps for step in range(1, steps)} | {len(data) - 1}
    for length in sorted(lengths):
        if data[length:].strip():  # what lies behind the last value may be missing
            lines = original.suffix == ".jsonl" and _between_lines(data, length)
            yield Case("cut short", original, data[:length], "shorter" if lines else "whole", f"at {length}")


def _between_lines(data: bytes, length: int) -> bool:
    """Whether a cut leaves whole lines, as a shorter file has them: nobody can tell the two apart."""
    return data[length - 1 : length] == b"\n" or data[length : length + 1] == b"\n"


def flipped(original: Original, times: int, seed: int = 1) -> Iterator[Case]:
    """One bit, one byte, or a run of bytes changed, anywhere."""
    chance = random.Random(f"{seed} {original.name}")
    for _ in range(times):
        at = chance.randrange(len(original.data))
        length = chance.choice((0, 1, 1, 40))
        data = bytearray(original.data)
        if length:
            data[at : at + length] = chance.randbytes(len(data[at : at + length]))
        else:
            data[at] ^= 1 << chance.randrange(8)
        if data != original.data:
            rule: Rule = "whole" if original.checked else "counted"
            yield Case("flipped bytes", original, bytes(data), rule, f"{length or 'a bit'} at {at}")


def zeroed(original: Original, times: int, seed: int = 2) -> Iterator[Case]:
    """A block that the file system lost: zeros in its place."""
    chance = random.Random(f"{seed} {original.name}")
    for _ in range(times):
        size = min(512, len(original.data) // 4)
        at = chance.randrange(len(original.data) - size)
        data = original.data[:at] + bytes(size) + original.data[at + size :]
        yield Case("lost blocks", original, data, "whole" if original.checked else "counted", f"at {at}")


def repeated(original: Original, times: int, seed: int = 3) -> Iterator[Case]:
    """A piece that stands there twice, or is gone."""
    chance = random.Random(f"{seed} {original.name}")
    for number in range(times):
        at = chance.randrange(len(original.data) - 100)
        # lines that run together where both are in the middle of a text may be one sound line
        piece = original.data[at : at + chance.randrange(1, 100)].partition(b"\n")[0] or b"\n"
        rest = original.data[at:] if number % 2 else original.data[at + len(piece) :]
        middle = piece if number % 2 else b""
        rule: Rule = "whole" if original.checked else "counted"
        yield Case("pieces gone or twice", original, original.data[:at] + middle + rest, rule, f"at {at}")


def wrong_checksums(original: Original) -> Iterator[Case]:
    """The checksum of one member changed, in the directory and in its own header."""
    for signature, offset in ((b"PK\x01\x02", 16), (b"PK\x03\x04", 14)):
        at = original.data.find(signature)
        while at >= 0:
            data = bytearray(original.data)
            (crc,) = struct.unpack_from("<I", data, at + offset)
            struct.pack_into("<I", data, at + offset, crc ^ 0xFFFF)
            yield Case("wrong checksum", original, bytes(data), "whole", f"{signature!r} at {at}")
            at = original.data.find(signature, at + 1)


def encodings(original: Original) -> Iterator[Case]:
    """Text that is not UTF-8, and UTF-8 that begins with a byte order mark."""
    text = original.data.decode()
    yield Case("byte order mark", original, b"\xef\xbb\xbf" + original.data, "same")
    for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-32"):
        yield Case("wrong encoding", original, text.encode(encoding), "told", encoding)
    for encoding in ("latin-1", "cp1252", "shift-jis"):
        accented = text.replace("the", "thé").replace("Let me look", "Là")
        broken = accented.replace("é", "ﾃ").replace("à", "ﾃ") if encoding == "shift-jis" else accented
        data = broken.encode(encoding, "replace")
        if data != original.data:
            yield Case("wrong encoding", original, data, "counted", encoding)


def odd_values(original: Original) -> Iterator[Case]:
    """Numbers and characters that Python writes into JSON and that are none, here and there."""
    chance = random.Random(5)
    places = [
        i for i in range(len(original.data)) if original.data.startswith((b": null", b": 1", b": 0"), i)
    ]
    for at in chance.sample(places, min(12, len(places))):
        end = at + 2 + (4 if original.data.startswith(b": null", at) else 1)
        for value in (
            b"NaN",
            b"-Infinity",
            b"1e999",
            b"9" * 400,
            b"9" * 5000,
            b'"\\ud83d"',
            b'"\\ud83d\\ud83d"',
        ):
            data = original.data[: at + 2] + value + original.data[end:]
            yield Case(
                "NaN, huge numbers, half characters", original, data, "counted", f"{value[:9]!r} at {at}"
            )


def nested(original: Original) -> Iterator[Case]:
    """Values that are nested deeply, before, within and behind what is sound."""
    for depth in (100, 900, 1_100, 5_000, 100_000):
        for opening, closing in ((b"[", b"]"), (b'{"a":', b"}")):
            bomb = opening * depth + b"1" + closing * depth
            yield Case("deep nesting", original, bomb, "told", f"{depth} alone")
            yield Case("deep nesting", original, opening * depth, "told", f"{depth} unclosed")
            if original is CHATS:
                row = b'{"id": "deep", "messages": ' + bomb + b"}\n"
                yield Case("deep nesting", original, row + original.data, "counted", f"{depth} in front")
                yield Case("deep nesting", original, original.data + row, "counted", f"{depth} behind")
            elif original is JSON_LOG:
                data = original.data.replace(b'"metadata": {}', b'"metadata": {"x": ' + bomb + b"}", 1)
                yield Case("deep nesting", original, data, "counted", f"{depth} in metadata")


def blank(original: Original) -> Iterator[Case]:
    """Nothing, or next to nothing, under the name of something."""
    for data in (
        b"\0",
        b"PK",
        b"PK\x03\x04",
        b"PK\x05\x06",
        b"PAR1",
        b"PAR1PAR1",
        b"{",
        b"[",
        b"null",
        b"0",
        b'"',
    ):
        yield Case("next to nothing", original, data, "told", repr(data))
    random_bytes = random.Random(6)
    for size in (1, 30, 5000):
        data = b"\x80" + random_bytes.randbytes(size)
        yield Case("next to nothing", original, data, "told", f"{size} random bytes")


def json_shapes(original: Original) -> Iterator[Case]:
    """A value of another type in the place of each key's, one at a time."""
    lines = original.data.splitlines() if original.suffix == ".jsonl" else [original.data]
    first = json.loads(lines[0])
    for path in _paths(first):
        for other in OTHERS:
            value = json.loads(lines[0])
            holder = value
            for key in path[:-1]:
                holder = holder[key]
            holder[path[-1]] = other
            changed = b"\n".join([json.dumps(value).encode(), *lines[1:]])
            yield Case("values of other types", original, changed, "counted", f"{path} = {other!r}")


def _paths(value: object, above: tuple[int | str, ...] = ()) -> Iterator[tuple[int | str, ...]]:
    items: list[tuple[int | str, object]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value[:2]))
    for key, item in items:
        yield (*above, key)
        if len(above) < 5:
            yield from _paths(item, (*above, key))
