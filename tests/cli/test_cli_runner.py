"""What GitHub's runner would obey in what is printed."""

from __future__ import annotations

import io
import json
import sys

import pytest

from turngrade.adapters.cli.runner import guarded_streams, say_to_runner


@pytest.fixture
def on_github(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")


@pytest.mark.usefixtures("on_github")
@pytest.mark.parametrize(
    ("parts", "printed"),
    [
        (["::error::x\n"], r"\x3a:error::x" + "\n"),
        (["a\n", "  ::add-mask::b\n::c"], "a\n" + r"  \x3a:add-mask::b" + "\n" + r"\x3a:c"),
        (["a::b ", "::c\n", "::d"], "a::b ::c\n" + r"\x3a:d"),
        (["  ", "::a"], r"  \x3a:a"),
        (["text ##[error]x"], r"text ##\u005berror]x"),
        (["std::vector a::b\n"], "std::vector a::b\n"),
    ],
)
def test_only_commands_are_changed(
    capsys: pytest.CaptureFixture[str], parts: list[str], printed: str
) -> None:
    with guarded_streams():
        for part in parts:
            sys.stdout.write(part)
            sys.stderr.write(part)
    assert capsys.readouterr() == (printed, printed)


@pytest.mark.usefixtures("on_github")
def test_our_own_pass(capsys: pytest.CaptureFixture[str]) -> None:
    with guarded_streams():
        say_to_runner("::error::ours")
        say_to_runner("::notice::ours", err=True)
    assert capsys.readouterr() == ("::error::ours\n", "::notice::ours\n")


@pytest.mark.usefixtures("on_github")
def test_rows_stay_what_they_say(monkeypatch: pytest.MonkeyPatch) -> None:
    bare = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(bare))
    row = {"id": "x ##[error]y"}
    with guarded_streams():
        sys.stdout.buffer.write(json.dumps(row).encode())
        sys.stdout.flush()
    assert b"##[" not in bare.getvalue()
    assert json.loads(bare.getvalue()) == row


def test_nothing_changes_elsewhere(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    with guarded_streams():
        sys.stdout.write("::error::x ##[y]\n")
    assert capsys.readouterr().out == "::error::x ##[y]\n"
