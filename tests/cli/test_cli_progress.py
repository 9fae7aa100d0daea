from __future__ import annotations

import io
import os
import pty
import re
import sys
import threading
from collections.abc import Callable, Iterator
from multiprocessing import resource_tracker
from pathlib import Path
from typing import TextIO

import pytest
from tests.cli.support import GOOD, SPEC, Command, said

from turngrade.adapters.cli import crew
from turngrade.adapters.cli import progress as module
from turngrade.adapters.cli.progress import progress
from turngrade.adapters.cli.sources import Notice


class Terminal:
    """A terminal that keeps what it is sent."""

    def __init__(self) -> None:
        self.own, other = pty.openpty()
        self.stream = io.TextIOWrapper(os.fdopen(other, "wb"), encoding="utf-8", write_through=True)
        self.sent = b""
        self.reader = threading.Thread(target=self.listen, daemon=True)
        self.reader.start()

    def listen(self) -> None:
        """Take in what is sent; a terminal that nobody reads makes those who write wait."""
        try:
            while part := os.read(self.own, 65536):
                self.sent += part
        except OSError:  # Linux: the other end is closed
            pass
        os.close(self.own)

    def read(self) -> str:
        self.stream.close()
        self.reader.join(timeout=10)
        return self.sent.decode()


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    terminal = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("NO_COLOR", raising=False)
    yield terminal
    terminal.read()


def work(stderr: TextIO) -> None:
    # inside the call: pytest's own capturing sets stderr anew behind every fixture
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stderr", stderr)
        sources = [Notice(name, "nothing") for name in ("logs/a.eval", "c.jsonl", "logs/[b]\x1b.eval")]
        with progress(sources) as meter:
            for source in sources:
                meter.source(source)
                for number in range(40):
                    meter.transcript()
                    meter.read(source, number / 40)


def states(sent: str) -> list[str]:
    """The states of the bar, in their order, without what styles them."""
    plain = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", sent)
    return [state for state in re.split(r"[\r\n]+", plain) if state.strip()]


def percents(sent: str) -> list[int]:
    return [int(found) for state in states(sent) for found in re.findall(r"(\d+)%", state)]


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "DELAY", 0.0)
    monkeypatch.setattr(module, "PAUSE", 0.0)


@pytest.mark.usefixtures("at_once")
def test_long_work_shows_a_bar_with_part_rate_time_left_and_source(terminal: Terminal) -> None:
    work(terminal.stream)
    sent = terminal.read()
    last = states(sent)[-1]
    assert " 100% " in last
    assert "3/3 sources, 120 transcripts, " in last
    assert "/s" in last
    assert "00:00 left" in last
    assert max(map(len, states(sent))) <= 80
    assert percents(sent) == sorted(percents(sent))
    assert sent.endswith("\x1b[1A\x1b[2K")  # nothing of it is left


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("options", [(), ("-j", "2")])
def test_the_bar_moves_within_one_large_file(
    terminal: Terminal, turngrade: Command, write: Callable[..., Path], options: tuple[str, ...]
) -> None:
    write("spec.yaml", SPEC)
    write("large.jsonl", [said(str(number), "Thanks! " * 50) for number in range(60)])
    write("small.jsonl", [GOOD])
    arguments = ("grade", "spec.yaml", "large.jsonl", *(["small.jsonl"] if options else []))
    resource_tracker.ensure_running()  # else it keeps the terminal open, which it takes for stderr
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stderr", terminal.stream)
        patch.setattr(crew, "PAUSE", 0.0)
        turngrade(*arguments, "--show", "none", *options)
    told = percents(terminal.read())
    assert told == sorted(told)
    assert len(set(told)) > (1 if options else 3)
    assert told[-1] == 100


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
