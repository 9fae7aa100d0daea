"""``grade --write-back`` on Inspect logs: what Inspect then reads."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog, read_eval_log
from tests.cli.support import GOOD, Command

LOGS = Path(__file__).parents[1] / "data" / "inspect"

Write = Callable[..., Path]


@pytest.fixture(autouse=True)
def log(write: Write, tmp_path: Path) -> Path:
    """A log of two samples and two epochs, and a spec of which one grader always passes."""
    graders = [
        {"type": "transcript-matches", "name": "words", "config": {"pattern": r"\w"}},
        {"type": "output-contains", "name": "nowhere", "config": {"substring": "no such words"}},
    ]
    write("polite.json", {"graders": graders})
    return Path(shutil.copy(LOGS / "epochs.eval", tmp_path))


def scores_of(path: Path | str, name: str = "polite") -> list[Any]:
    return [(sample.scores or {})[name].value for sample in read_eval_log(str(path)).samples or []]


def metrics_of(log: EvalLog) -> dict[str, float]:
    assert log.results is not None
    return {row.name: row.metrics["accuracy"].value for row in log.results.scores if row.scorer == "polite"}


EXPECTED = [{"words": 1, "nowhere": 0, "aggregate": 0.5}] * 4


def test_a_copy_has_the_scores(turngrade: Command, log: Path) -> None:
    before = log.read_bytes()
    result = turngrade("grade", "polite.json", "epochs.eval", "--write-back", "-o", "-")
    assert result.code == 1
    assert "epochs.eval: wrote the scores of 4 samples into epochs-graded.eval" in result.err
    assert [row["id"] for row in result.rows] == ["a", "b", "a", "b"]
    assert log.read_bytes() == before
    assert scores_of("epochs-graded.eval") == EXPECTED
    header = read_eval_log("epochs-graded.eval", header_only=True)
    assert metrics_of(header) == {"words": 1.0, "nowhere": 0.0, "aggregate": 0.5}


@pytest.mark.parametrize("suffix", [".eval", ".json"])
def test_in_place_twice_leaves_one_score(turngrade: Command, tmp_path: Path, suffix: str) -> None:
    name = f"inspect-0.3.260{suffix}"
    shutil.copy(LOGS / name, tmp_path)
    before = read_eval_log(name)
    for _ in range(2):
        result = turngrade("grade", "polite.json", name, "--write-back", "--in-place")
        assert f"{name}: wrote the scores of 3 samples into {name}" in result.err
    after = read_eval_log(name)
    assert before.results is not None
    assert after.results is not None
    assert len(after.results.scores) == len(before.results.scores) + 3
    assert len(scores_of(name)) == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([name, "epochs.eval", "polite.json"])


def test_a_folder_twice_does_not_grade_the_copies(turngrade: Command, log: Path) -> None:
    (log.parent / "logs").mkdir()
    log.rename(log.parent / "logs" / log.name)
    turngrade("grade", "polite.json", "logs", "--write-back")
    result = turngrade("grade", "polite.json", "logs", "--write-back", "-o", "-")
    assert {row["source"] for row in result.rows} == {"logs/epochs.eval"}
    assert "logs/epochs-graded.eval: skipped: the copy of epochs.eval with scores" in result.err
    assert scores_of("logs/epochs-graded.eval") == EXPECTED


def test_a_dry_run_writes_nothing(turngrade: Command, log: Path) -> None:
    result = turngrade("grade", "polite.json", "epochs.eval", "--write-back", "--dry-run")
    assert "epochs.eval: would write the scores of 4 samples into epochs-graded.eval" in result.err
    assert result.out == ""
    assert not Path("epochs-graded.eval").exists()


def test_limit_writes_the_samples_that_were_graded(turngrade: Command) -> None:
    turngrade("grade", "polite.json", "epochs.eval", "--write-back", "--limit", "1")
    samples = read_eval_log("epochs-graded.eval").samples or []
    assert sum("polite" in (sample.scores or {}) for sample in samples) == 1


def test_a_log_that_is_cut_off_is_told_and_the_others_are_written(
    turngrade: Command, write: Write, log: Path
) -> None:
    write("cut.eval", log.read_bytes()[:-200])
    result = turngrade("grade", "polite.json", "cut.eval", "epochs.eval", "--write-back", "-o", "-")
    assert result.code == 3
    assert "cut.eval: not written back: " in result.err
    assert "Traceback" not in result.err
    assert not Path("cut-graded.eval").exists()
    assert len([row for row in result.rows if row["source"] == "epochs.eval"]) == 4
    assert scores_of("epochs-graded.eval") == EXPECTED


def test_a_log_that_inspect_refuses_is_an_error_although_all_passed(
    turngrade: Command, write: Write, log: Path
) -> None:
    write("one.json", {"graders": [{"type": "transcript-matches", "config": {"pattern": r"\w"}}]})
    log.rename("download")  # Inspect goes by the suffix
    assert turngrade("grade", "one.json", "download").code == 0
    result = turngrade("grade", "one.json", "download", "--write-back", "--in-place")
    assert result.code == 3
    assert "download: not written back: " in result.err


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["chats.jsonl", "--write-back"], "chats.jsonl holds plain message lists"),
        (["-", "--write-back"], "- is no file"),
        (["epochs.eval", "--in-place"], "--in-place goes with --write-back"),
        (["epochs.eval", "--dry-run"], "--dry-run goes with --write-back"),
        (["epochs.eval", "--write-back", "--extend-trace-retention"], "no SOURCE is one"),
        (["epochs.eval", "--write-back", "--redact"], "--redact has no use"),
        (["epochs.eval", "--write-back", "--by", "thread"], "exclude each other"),
        (["epochs.eval", "--write-back", "--dry-run", "-o", "-"], "both write to stdout"),
        (["epochs.eval", "--since", "7d"], "are for langsmith:PROJECT"),
        (["epochs.eval", "--by", "thread"], "no SOURCE holds any"),
        (["langsmith:shop", "--write-back", "--in-place"], "--in-place is for Inspect logs"),
        (["langsmith:shop", "--since", "yesterday"], "write 2026-01-31, 2026-01-31T12:00Z, or 7d"),
    ],
)
def test_what_cannot_be_is_refused_before_any_work(
    turngrade: Command, write: Write, args: list[str], told: str
) -> None:
    write("chats.jsonl", [GOOD])
    result = turngrade("grade", "polite.json", *args)
    assert result.code == 4
    assert told in " ".join(result.err.split())
    assert not Path("epochs-graded.eval").exists()


def test_what_it_works_for_is_told(turngrade: Command, write: Write) -> None:
    write("chats.jsonl", [GOOD])
    result = turngrade("grade", "polite.json", "chats.jsonl", "--write-back")
    assert "--write-back works for Inspect logs and for langsmith:PROJECT" in result.err
