"""Where logs are: paths of all kinds, and files that are no logs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.inspect.archives import DATA, read, the_fault, transcripts

from turngrade.core.transcript import Transcript


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


def test_a_file_url_is_a_path(tmp_path: Path) -> None:
    assert (
        transcripts(f"file://{DATA / 'plain.eval'}")[0].messages
        == transcripts(DATA / "plain.eval")[0].messages
    )
    (tmp_path / "x.eval").mkdir()
    assert the_fault(f"file://{tmp_path / 'x.eval'}").message == "a directory, not a log file"


def test_a_log_that_is_read_only_in_part_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    from turngrade.adapters.inspect import read_transcripts

    rows = read_transcripts(DATA / "epochs.eval")
    assert isinstance(next(rows), Transcript)
    del rows  # a file that stays open would be a ResourceWarning, which is an error here
