"""Where logs are: files that are none, and stores that fsspec knows."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import fsspec  # type: ignore[import-untyped]
import pytest
from tests.inspect.archives import DATA, read, the_fault, transcripts

from turngrade.core.transcript import Transcript

LOGS = ["epochs.eval", "inspect-0.3.260.json"]


def test_paths_of_either_type() -> None:
    path = DATA / "plain.eval"
    assert read(str(path)) == read(path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert the_fault(tmp_path / "x.eval").message == "No such file or directory"


def test_a_folder_named_like_a_log(tmp_path: Path) -> None:
    (tmp_path / "x.eval").mkdir()
    assert the_fault(tmp_path / "x.eval").message == "a directory, not a log file"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs here")
def test_a_fifo_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.eval")
    assert the_fault(tmp_path / "x.eval").message == "not a regular file"


@pytest.mark.parametrize("name", LOGS)
def test_a_store_is_read_as_a_file_is(name: str) -> None:
    url = f"memory://logs/{name}"
    with fsspec.open(url, "wb") as file:
        file.write((DATA / name).read_bytes())
    stored, local = transcripts(url), transcripts(DATA / name)
    assert [row.source for row in stored] == [url] * len(local)
    assert [row.messages for row in stored] == [row.messages for row in local]


@pytest.mark.parametrize("url", ["memory://logs/nowhere.eval", "nostore://x/y.eval"])
def test_faults_of_a_store_are_told(url: str) -> None:
    assert the_fault(url).message


def test_exceptions_of_a_stores_own_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    class AccessDenied(Exception):
        """What botocore raises is no OSError."""

    def refuse(*args: object, **kwargs: object) -> None:
        raise AccessDenied("no credentials")

    monkeypatch.setattr(fsspec, "open", refuse)
    assert the_fault("memory://logs/plain.eval").message == "AccessDenied: no credentials"


def test_without_fsspec_a_url_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    assert "pip install fsspec" in the_fault("s3://bucket/log.eval").message


def test_a_log_that_is_read_only_in_part_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    from turngrade.adapters.inspect import read_transcripts

    rows = read_transcripts(DATA / "epochs.eval")
    assert isinstance(next(rows), Transcript)
    del rows  # a file that stays open would be a ResourceWarning, which is an error here
