"""Grades written back into logs, in place and as copies, and through Inspect's `precomputed_scores`."""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import score as rescore
from inspect_ai.log import (
    EvalLog,
    read_eval_log,
    read_eval_log_sample_summaries,
    write_eval_log,
)
from inspect_ai.log._log import EvalMetricDefinition
from inspect_ai.scorer import (
    Metric,
    Score,
    Scorer,
    Target,
    accuracy,
    metric,
    precomputed_scores,
    scorer,
    stderr,
)
from inspect_ai.solver import TaskState
from tests.inspect.scoring import metrics, run, samples, scores

from turngrade.adapters.inspect import (
    LogNotWritten,
    graders,
    precomputed_row,
    read_transcripts,
    write_scores,
)
from turngrade.core import Grade, Spec, Unreadable, load_spec

ANSWERS = ("Hello.", "Hello!", "Good day.", "Hm!")

POLITE: dict[str, Any] = {
    "name": "polite",
    "graders": [
        {"type": "transcript-matches", "name": "greets", "config": {"pattern": "(?i)hello"}},
        {"type": "output-not-contains", "name": "calm", "config": {"substring": "!"}},
    ],
}

EXPECTED = {"greets": 0.5, "calm": 0.5, "aggregate": 0.5}


@metric
def of_someone_else() -> Metric:
    return lambda scores: 0.25


@scorer(metrics=[of_someone_else()])
def someone_else() -> Scorer:
    async def score(state: TaskState, target: Target) -> Score:
        return Score(value=1)

    return score


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log with the scores of someone else, whose metric is not to be had here."""
    log = run(ANSWERS, someone_else(), tmp_path_factory.mktemp("logs"))
    assert log.eval.scorers is not None
    log.eval.scorers[0].metrics = [EvalMetricDefinition(name="elsewhere/metric")]
    write_eval_log(log, log.location)
    return Path(log.location)


@pytest.fixture
def log(original: Path, tmp_path: Path) -> Path:
    """A copy of it, to be changed."""
    copy = tmp_path / original.name
    copy.write_bytes(original.read_bytes())
    return copy


def grades_of(log: Path, spec: Spec) -> list[Grade]:
    return [spec.grade(transcript) for transcript in read_transcripts(str(log))]


def written(log: Path, spec: Spec, **options: Any) -> EvalLog:
    return read_eval_log(write_scores(log, grades_of(log, spec), spec=spec, **options))


def test_a_copy_is_written_beside_the_log(log: Path) -> None:
    before = log.read_bytes()
    spec = load_spec(POLITE)
    path = write_scores(log, grades_of(log, spec), spec=spec)
    assert path == str(log.with_name(f"{log.stem}-graded.eval"))
    assert log.read_bytes() == before
    assert sorted(file.name for file in log.parent.iterdir()) == sorted([log.name, Path(path).name])


def test_inspect_view_has_what_it_shows(log: Path, tmp_path: Path) -> None:
    """The header's results, the samples' summaries and the samples themselves."""
    target = tmp_path / "out" / "scored.eval"
    target.parent.mkdir()
    result = written(log, load_spec(POLITE), output=target)
    header = read_eval_log(str(target), header_only=True)
    assert header.results == result.results
    assert header.results is not None
    rows = {row.name: row for row in header.results.scores}
    assert {name: rows[name].metrics["accuracy"].value for name in EXPECTED} == EXPECTED
    assert {rows[name].scorer for name in EXPECTED} == {"polite"}
    assert rows["greets"].scored_samples == 4
    summaries = read_eval_log_sample_summaries(str(target))
    assert [(summary.scores or {})["polite"].value for summary in summaries] == [
        score.value for score in scores(result, "polite")
    ]
    first = scores(result, "polite")[0]
    assert first.value == {"greets": 1, "calm": 1, "aggregate": 1.0}
    assert "[M1]: **Hello**." in (first.explanation or "")
    assert (first.metadata or {})["scanner_references"][0]["cite"] == "[M1]"


def test_a_live_scorer_gives_the_same_scores(log: Path) -> None:
    again = rescore(read_eval_log(str(log)), graders(POLITE), action="append")
    assert scores(written(log, load_spec(POLITE)), "polite") == scores(again, "graders")


def test_what_others_wrote_is_left_alone(log: Path) -> None:
    before = read_eval_log(str(log))
    after = written(log, load_spec(POLITE), in_place=True)
    assert scores(after, "someone_else") == scores(before, "someone_else")
    assert before.results is not None
    assert after.results is not None
    assert after.results.scores[0] == before.results.scores[0]
    for old, new in zip(samples(before), samples(after), strict=True):
        assert new.messages == old.messages
        assert new.events == old.events


@pytest.mark.parametrize("suffix", [".eval", ".json"])
def test_writing_again_replaces(log: Path, suffix: str) -> None:
    path = log.with_suffix(suffix)
    write_eval_log(read_eval_log(str(log)), str(path))
    spec = load_spec(POLITE)
    first = written(path, spec, in_place=True)
    second = written(path, spec, in_place=True)
    assert second.results == first.results
    assert second.reductions == first.reductions
    assert second.eval.scorers == first.eval.scorers
    assert [sample.scores for sample in samples(second)] == [sample.scores for sample in samples(first)]


def test_an_edited_spec_of_the_same_name_replaces_too(log: Path) -> None:
    write_scores(log, grades_of(log, load_spec(POLITE)), spec=load_spec(POLITE), in_place=True)
    edited = load_spec({**POLITE, "graders": POLITE["graders"][:1]})
    after = written(log, edited, in_place=True)
    assert [list(sample.scores or {}) for sample in samples(after)] == [["someone_else", "polite"]] * 4
    assert after.results is not None
    assert [row.name for row in after.results.scores] == ["someone_else", "greets", "aggregate"]


def test_samples_without_a_grade_keep_their_scores(log: Path) -> None:
    spec = load_spec(POLITE)
    grades = grades_of(log, spec)
    whole = written(log, spec, in_place=True)
    for some in (grades[:1], grades[2:], []):
        write_scores(log, some, spec=spec, in_place=True)
        after = read_eval_log(str(log))
        assert [sample.scores for sample in samples(after)] == [sample.scores for sample in samples(whole)]
        assert after.results == whole.results
        assert after.reductions == whole.reductions
        assert after.eval.scorers == whole.eval.scorers


def test_grades_that_come_in_parts_add_up(log: Path) -> None:
    spec = load_spec(POLITE)
    grades = grades_of(log, spec)
    whole = written(log, spec)
    for part in (grades[:2], grades[2:3], grades[3:]):
        write_scores(log, part, spec=spec, in_place=True)
    after = read_eval_log(str(log))
    assert [sample.scores for sample in samples(after)] == [sample.scores for sample in samples(whole)]
    assert after.results == whole.results


def test_no_grades_leave_a_log_without_scores_as_it_is(log: Path) -> None:
    before = read_eval_log(str(log))
    after = read_eval_log(write_scores(log, [], spec=load_spec(POLITE)))
    assert after.results == before.results
    assert after.eval.scorers == before.eval.scorers


def test_an_edited_spec_replaces_only_what_it_has_graded(log: Path) -> None:
    """Its scores have other keys, so that Inspect could not compute metrics of both."""
    write_scores(log, grades_of(log, load_spec(POLITE)), spec=load_spec(POLITE), in_place=True)
    edited = load_spec({**POLITE, "graders": POLITE["graders"][:1]})
    write_scores(log, grades_of(log, edited)[:1], spec=edited, in_place=True)
    names = [list(sample.scores or {}) for sample in samples(read_eval_log(str(log)))]
    assert names == [["someone_else", "polite", "polite1"], *[["someone_else", "polite"]] * 3]
    after = written(log, edited, in_place=True)
    assert [list(sample.scores or {}) for sample in samples(after)] == [["someone_else", "polite"]] * 4


def test_another_spec_is_added(log: Path) -> None:
    write_scores(log, grades_of(log, load_spec(POLITE)), spec=load_spec(POLITE), in_place=True)
    other = load_spec({**POLITE, "name": "other", "graders": POLITE["graders"][:1]})
    after = written(log, other, in_place=True)
    assert [list(sample.scores or {}) for sample in samples(after)] == [
        ["someone_else", "polite", "other"]
    ] * 4


def test_the_name_is_that_of_the_file_and_never_that_of_someone_else(log: Path, tmp_path: Path) -> None:
    path = tmp_path / "someone_else.json"
    path.write_text(json.dumps({"graders": POLITE["graders"]}))
    after = written(log, load_spec(path))
    assert list(samples(after)[0].scores or {}) == ["someone_else", "someone_else1"]


def test_scores_of_the_live_scorer_are_replaced_under_their_name(tmp_path: Path) -> None:
    log = Path(run(ANSWERS, graders(POLITE), tmp_path).location)
    after = written(log, load_spec(POLITE), in_place=True)
    assert [list(sample.scores or {}) for sample in samples(after)] == [["graders"]] * 4
    assert metrics(after) == EXPECTED


def test_a_sample_that_could_not_be_read_stays_unscored(log: Path) -> None:
    spec = load_spec(POLITE)
    grades = grades_of(log, spec)
    grades[3] = spec.grade(Unreadable(str(log), "broken", grades[3].id, grades[3].epoch))
    after = read_eval_log(write_scores(log, grades, spec=spec))
    last = scores(after, "polite")[3]
    assert isinstance(last.value, float)
    assert math.isnan(last.value)
    assert (last.explanation, last.reason) == ("✘ broken", "scoring_failed")
    assert after.results is not None
    row = next(row for row in after.results.scores if row.name == "greets")
    assert (row.scored_samples, row.unscored_samples) == (3, 1)


def test_a_log_that_changes_meanwhile_is_not_overwritten(log: Path) -> None:
    spec = load_spec(POLITE)

    def grades() -> Iterator[Grade]:
        yield from grades_of(log, spec)
        log.write_bytes(log.read_bytes() + b"\0")

    with pytest.raises(LogNotWritten, match="it has changed meanwhile"):
        write_scores(log, grades(), spec=spec, in_place=True)
    assert log.read_bytes().endswith(b"\0")
    assert [file.name for file in log.parent.iterdir()] == [log.name]


def test_an_eval_that_still_runs_is_not_written_in_place(log: Path, tmp_path: Path) -> None:
    started = read_eval_log(str(log))
    started.status = "started"
    write_eval_log(started, str(log))
    spec = load_spec(POLITE)
    with pytest.raises(LogNotWritten, match="write into a copy"):
        write_scores(log, grades_of(log, spec), spec=spec, in_place=True)
    assert metrics(written(log, spec))["greets"] == 0.5


@pytest.mark.parametrize(
    ("source", "output", "told"),
    [
        ("spec.yaml", None, "spec.yaml: the name of a log ends in .eval or .json"),
        ("spec.yaml", "out.eval", "spec.yaml: the name of a log ends in .eval or .json"),
        ("broken.eval", None, "broken.eval: Inspect cannot read it as a log: "),
        ("folder", "out.eval", "folder: a folder, not a log"),
        ("none.eval", None, "none.eval: No such file or directory"),
        ("LOG", "out.txt", "out.txt: the name of a log ends in .eval or .json"),
        ("LOG", "none/out.eval", "out.eval: there is no folder "),
        ("LOG", "folder.eval", "folder.eval: a folder, not a log"),
    ],
)
def test_what_is_no_log_is_told(log: Path, source: str, output: str | None, told: str) -> None:
    (log.parent / "spec.yaml").write_text("graders: []")
    (log.parent / "broken.eval").write_text("graders: []")
    for folder in ("folder", "folder.eval"):
        (log.parent / folder).mkdir()
    before = sorted(log.parent.iterdir())
    path = log if source == "LOG" else log.parent / source
    with pytest.raises(LogNotWritten) as caught:
        write_scores(path, [], spec=load_spec(POLITE), output=output and log.parent / output)
    assert told in str(caught.value)
    assert sorted(log.parent.iterdir()) == before


def test_one_target_only(log: Path) -> None:
    with pytest.raises(ValueError, match="exclude each other"):
        write_scores(log, [], spec=load_spec(POLITE), in_place=True, output="x.eval")


def test_precomputed_rows_are_what_inspect_reads(log: Path, tmp_path: Path) -> None:
    spec = load_spec(POLITE)
    rows = [precomputed_row(grade, spec.grader_names) for grade in grades_of(log, spec)]
    assert list(rows[0]) == ["id", "epoch", "value", "explanation", "metadata"]
    path = tmp_path / "polite.scores.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    every: Any = {"*": [accuracy(), stderr()]}
    again = rescore(read_eval_log(str(log)), precomputed_scores(str(path), metrics=every), action="append")
    assert [score.value for score in scores(again, "precomputed_scores")] == [row["value"] for row in rows]
    assert {name: metrics(again)[name] for name in EXPECTED} == EXPECTED
    assert [score.explanation for score in scores(again, "precomputed_scores")] == [
        row["explanation"] for row in rows
    ]


def test_an_unreadable_sample_is_an_unscored_row(log: Path, tmp_path: Path) -> None:
    spec = load_spec(POLITE)
    grades = grades_of(log, spec)
    grades[0] = spec.grade(Unreadable(str(log), "broken", grades[0].id, grades[0].epoch))
    path = tmp_path / "polite.scores.jsonl"
    path.write_text("".join(json.dumps(precomputed_row(grade, spec.grader_names)) + "\n" for grade in grades))
    every: Any = {"*": [accuracy(), stderr()]}
    again = rescore(read_eval_log(str(log)), precomputed_scores(str(path), metrics=every), action="append")
    assert again.results is not None
    row = next(row for row in again.results.scores if row.name == "greets")
    assert (row.scored_samples, row.unscored_samples) == (3, 1)
