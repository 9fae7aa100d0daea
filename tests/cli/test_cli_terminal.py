from __future__ import annotations

import io
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turngrade.adapters.cli.terminal import make_console, marks_for, visible


@given(st.text(st.characters(exclude_categories=[]), max_size=50))
def test_nothing_is_left_that_a_terminal_obeys(text: str) -> None:
    import unicodedata

    shown = visible(text)
    assert {unicodedata.category(c) for c in shown} & {"Cc", "Cs", "Zl", "Zp"} == set()
    assert not set(shown) & set(
        "\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
    )


@given(st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]), max_size=50))
def test_text_stays_as_it_is(text: str) -> None:
    assert visible(text) == text


def test_how_characters_are_shown() -> None:
    assert visible("a\tb\nc\r\n\x00\x9b\u2028\ud83d\U000e0001\uffff") == (
        r"a\tb↵c\r↵\x00\x9b\u2028\ud83d\U000e0001\uffff"
    )
    assert visible("a\nb\x1b", newline="\n") == "a\nb\\x1b"
    assert visible("👩\u200d💻 نمی\u200cخواهم") == "👩\u200d💻 نمی\u200cخواهم"


@pytest.mark.parametrize(("encoding", "passed"), [("utf-8", "✔"), ("ascii", "+"), ("cp1252", "+")])
def test_marks_that_the_encoding_has(encoding: str, passed: str) -> None:
    console = make_console(io.TextIOWrapper(io.BytesIO(), encoding=encoding))
    assert marks_for(console).of("pass") == passed


def test_a_console_reads_no_markup(capsys: pytest.CaptureFixture[str]) -> None:
    make_console(sys.stdout).print("[bold]x[/bold] :smile: 42")
    assert capsys.readouterr().out == "[bold]x[/bold] :smile: 42\n"
