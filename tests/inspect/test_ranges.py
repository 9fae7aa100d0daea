from __future__ import annotations

import io
import os
import random

import pytest

from turngrade.adapters.inspect.ranges import BLOCK, RangedFile

DATA = random.Random(7).randbytes(40 * BLOCK + 1234)


class Source:
    """Bytes that are given by ranges, and notes which."""

    def __init__(self, data: bytes = DATA) -> None:
        self.data = data
        self.asked: list[tuple[int, int]] = []

    def __call__(self, start: int, end: int) -> bytes:
        self.asked.append((start, end))
        return self.data[start:end]


def test_any_part_in_any_order_is_what_a_file_gives() -> None:
    source, random_ = Source(), random.Random(3)
    with RangedFile(source, len(DATA)) as file, io.BytesIO(DATA) as truth:
        for _ in range(200):
            at, count = random_.randrange(len(DATA) + 10), random_.choice([0, 1, 30, BLOCK, 5 * BLOCK])
            assert file.seek(at) == truth.seek(at)
            assert file.read(count) == truth.read(count)
            assert file.tell() == truth.tell()
    assert sum(end - start for start, end in source.asked) <= len(DATA)  # none twice


def test_neighbours_come_together_and_long_parts_in_pieces() -> None:
    source = Source()
    with RangedFile(source, len(DATA)) as file:
        file.seek(2 * BLOCK)
        file.read(1)
        file.seek(0)
        assert file.read(4 * BLOCK) == DATA[: 4 * BLOCK]
        assert source.asked == [
            (2 * BLOCK, 3 * BLOCK),
            (0, 2 * BLOCK),
            (3 * BLOCK, 4 * BLOCK),
        ]
        del source.asked[:]
        assert file.read() == DATA[4 * BLOCK :]
        assert max(end - start for start, end in source.asked) <= 16 * BLOCK


def test_it_moves_as_files_do() -> None:
    with RangedFile(Source(), len(DATA)) as file:
        assert file.seek(-4, os.SEEK_END) == len(DATA) - 4
        assert file.seek(2, os.SEEK_CUR) == len(DATA) - 2
        assert file.read(10) == DATA[-2:]
        assert file.read(10) == b""
        with pytest.raises(OSError, match="before the beginning"):
            file.seek(-1)


def test_a_source_that_gives_all_is_asked_once() -> None:
    asked = []

    def everything(start: int, end: int) -> bytes:
        asked.append((start, end))
        return DATA

    with RangedFile(everything, len(DATA)) as file:
        file.seek(7 * BLOCK)
        assert file.read(5) == DATA[7 * BLOCK : 7 * BLOCK + 5]
        file.seek(0)
        assert file.read() == DATA
    assert len(asked) == 1


def test_too_few_bytes_are_told() -> None:
    with (
        RangedFile(Source(DATA[:100]), len(DATA)) as file,
        pytest.raises(OSError, match="has the file changed"),
    ):
        file.read(200)
