"""Scores into logs in a store, against a real S3 server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from inspect_ai.log import read_eval_log
from tests.inspect.archives import DATA, transcripts
from tests.s3_server import KEY, SECRET, S3Server

from turngrade.adapters.inspect import LogNotWritten, write_scores
from turngrade.core import Grade, load_spec

SPEC = load_spec({"name": "words", "graders": [{"type": "output-matches", "config": {"pattern": r"\w"}}]})
LOG = (DATA / "epochs.eval").read_bytes()


def grades() -> list[Grade]:
    return [SPEC.grade(transcript) for transcript in transcripts(DATA / "epochs.eval")]


@pytest.mark.parametrize("target", ["s3://logs/runs/scored.eval", "s3://logs/other/scored.json"])
def test_a_copy_elsewhere(s3: S3Server, target: str) -> None:
    url = s3.put("runs/epochs.eval", LOG)
    assert write_scores(url, grades(), spec=SPEC, output=target) == target
    samples = read_eval_log(target).samples or []
    assert [(sample.scores or {})["words"].value for sample in samples] == [
        {"output-matches": 1, "aggregate": 1}
    ] * 4
    assert s3.get("runs/epochs.eval") == LOG


def test_an_object_that_changes_meanwhile_is_not_overwritten(s3: S3Server) -> None:
    url = s3.put("epochs.eval", LOG)
    other = (DATA / "plain.eval").read_bytes()

    def slowly() -> Iterator[Grade]:
        yield from grades()
        s3.put("epochs.eval", other)

    with pytest.raises(LogNotWritten, match="it has changed meanwhile; grade it again"):
        write_scores(url, slowly(), spec=SPEC, in_place=True)
    assert s3.get("epochs.eval") == other


@pytest.mark.parametrize(
    ("log", "target", "problem"),
    [
        ("s3://logs/nowhere.eval", None, "no such file or folder"),
        ("s3://nobucket/x.eval", None, "The specified bucket does not exist"),
        ("s3://shut/x.eval", None, "access denied"),
        ("s3://logs/epochs.eval", "http://127.0.0.1:9/x.eval?sig=s3cr3t", "the name of a log ends in"),
        ("s3://logs/epochs.eval", "http://127.0.0.1:9/x.eval", "Inspect cannot write it"),
    ],
)
def test_what_cannot_be_written_is_told_without_secrets(
    s3: S3Server, log: str, target: str | None, problem: str
) -> None:
    s3.put("epochs.eval", LOG)
    with pytest.raises(LogNotWritten, match=problem) as caught:
        write_scores(log, grades(), spec=SPEC, output=target)
    for secret in (KEY, SECRET, "s3cr3t"):
        assert secret not in str(caught.value)
    assert s3.names() == ["epochs.eval"]
