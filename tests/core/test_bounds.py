"""How large one value of a file may be."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from turngrade.core import bounds
from turngrade.core.bounds import TooLarge, check_parts, content_of, lines_of


@pytest.mark.parametrize("text", [b"[],", bytearray(b"{},"), "[],"])
def test_values_are_counted(text: bytes | bytearray | str) -> None:
    most = bounds.MAX_PARTS // 2  # each is two: it begins, and another follows
    check_parts(text * most)
    with pytest.raises(TooLarge, match="more than 20,000,000 values in one"):
        check_parts(text * most, text)


def test_much_text_is_no_many_values() -> None:
    check_parts(b"a" * (3 * bounds.MAX_PARTS))


def test_a_line_that_is_too_long_is_passed_over() -> None:
    lines = list(lines_of(io.BytesIO(b"one\n" + b"x" * 25 + b"\n12345678\n" + b"y" * 9), limit=9))
    assert [str(line) if isinstance(line, TooLarge) else line for line in lines] == [
        b"one\n",
        "larger than 9 bytes, the most that is read at once",
        b"12345678\n",
        b"y" * 9,
    ]


def test_a_file_that_is_too_large(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"123456789")
    assert content_of(path, limit=9) == b"123456789"
    with pytest.raises(TooLarge, match="larger than 8 bytes"):
        content_of(path, limit=8)
