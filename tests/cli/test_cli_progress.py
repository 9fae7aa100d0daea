from __future__ import annotations

import io
import os
import pty
import sys
from collections.abc import Iterator
from typing import TextIO

import pytest

from turngrade.adapters.cli import progress as module
from turngrade.adapters.cli.progress import progress


class Terminal:
    """A terminal that keeps what it is sent."""

    def __init__(self) -> None:
        self.own, other = pty.openpty()
        self.stream = io.TextIOWrapper(os.fdopen(other, "wb"), encoding="utf-8", write_through=True)

    def read(self) -> str:
        self.stream.close()
        sent = b""
        while True:
            try:
                sent += os.read(self.own, 65536)
            except OSError:  # Linux: the other end is closed
                os.close(self.own)
                return sent.decode()


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    terminal = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("NO_COLOR", raising=False)
    yield terminal
    terminal.stream.close()


def work(stderr: TextIO) -> None:
    # inside the call: pytest's own capturing sets stderr anew behind every fixture
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stderr", stderr)
        with progress(3) as meter:
            for name in ("logs/a.eval", "c.jsonl", "logs/[b]\x1b.eval"):
                meter.source(name)
                for _ in range(500):
                    meter.transcript()


def test_long_work_shows_a_bar_with_rate_and_source(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "DELAY", 0.0)
    monkeypatch.setattr(module, "PAUSE", 0.0)
    work(terminal.stream)
    sent = terminal.read()
    assert "1,500 transcripts, " in sent
    assert "/s" in sent
    assert "2/3" in sent
    assert "logs/[b]\\x1b.eval" in sent
    assert sent.endswith("\x1b[1A\x1b[2K")  # nothing of it is left


def test_short_work_shows_nothing(terminal: Terminal) -> None:
    work(terminal.stream)
    assert terminal.read() == ""


def test_a_terminal_that_cannot_go_back_gets_no_bar(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "DELAY", 0.0)
    monkeypatch.setenv("TERM", "dumb")
    work(terminal.stream)
    assert terminal.read() == ""


def test_what_is_no_terminal_gets_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "DELAY", 0.0)
    monkeypatch.setenv("FORCE_COLOR", "1")
    stream = io.StringIO()
    work(stream)
    assert stream.getvalue() == ""
