"""Reading a part of a log: what is not wanted costs nothing, and the rest is as in the whole."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from turngrade.adapters.cli import entries
from turngrade.adapters.cli.entries import Job, Share
from turngrade.adapters.cli.sources import SourceFile
from turngrade.adapters.inspect import eval_log, read_transcripts
from turngrade.core import Transcript, Unreadable, load_spec

DATA = Path(__file__).parents[1] / "data" / "inspect"
LOG = DATA / "epochs.eval"


def test_only_what_is_wanted_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = list(read_transcripts(LOG))
    assert len(whole) == 4
    read: list[int] = []
    one = eval_log._read

    def counted(*args: Any) -> Any:
        read.append(1)
        return one(*args)

    monkeypatch.setattr(eval_log, "_read", counted)
    told: list[float] = []
    some = list(read_transcripts(LOG, wanted=lambda number: number % 2 == 1, on_read=told.append))
    assert len(read) == 2
    assert [some[1], some[3]] == [whole[1], whole[3]]
    for item, other in ((some[0], whole[0]), (some[2], whole[2])):
        assert isinstance(item, Unreadable)
        assert isinstance(other, Transcript)
        assert (item.id, item.epoch) == (other.id, other.epoch)
    assert told[-1] == 1


@pytest.mark.parametrize("name", ["epochs.eval", "inspect-0.3.260.json"])
def test_the_shares_of_a_log_are_the_whole(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries, "CHUNK", 1)
    job = Job(load_spec([{"type": "transcript-matches", "config": {"pattern": "."}}]))
    source = SourceFile(str(DATA / name), DATA / name)
    whole = list(job.entries(source))
    shares = [list(job.entries(source, share=Share(index, 2))) for index in range(2)]
    assert [shares[number % 2][number // 2] for number in range(len(whole))] == whole
    assert sum(map(len, shares)) == len(whole) > 2
