"""Every way to run a scorer from Python, for real."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from inspect_ai import Epochs, Task, eval
from inspect_ai import score as rescore
from inspect_ai import score_async as rescore_async
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog, EvalSample, read_eval_log, read_eval_log_async
from inspect_ai.scorer import (
    accuracy,
    at_least,
    grouped,
    max_score,
    mean_score,
    median_score,
    mode_score,
    multi_scorer,
    pass_at,
)
from inspect_ai.scorer import scorer as scorer_decorator
from inspect_ai.scorer._reducer.types import ScoreReducer
from inspect_ai.solver import generate
from tests.inspect.scoring import metrics, model_that_says, run, samples, scores

from turngrade.adapters.inspect import contains, graders, output_matches, transcript_matches

SPEC = [
    {"type": "transcript-matches", "name": "greets", "config": {"pattern": "(?i)hello"}},
    {"type": "output-not-contains", "name": "calm", "config": {"substring": "!"}},
]

ANSWERS = ("Hello.", "Hello!", "Good day.", "Hm!")


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    """A log of four samples, scored by `graders` and by a single scorer."""
    path = tmp_path_factory.mktemp("logs")
    return run(ANSWERS, [graders(SPEC), output_matches("^Hello")], path)


def test_eval(log: EvalLog) -> None:
    assert metrics(log) == {"greets": 0.5, "calm": 0.5, "aggregate": 0.5, "output_matches": 0.5}
    assert [result.value for result in scores(log, "output_matches")] == ["C", "C", "I", "I"]
    assert [result.as_dict()["calm"] for result in scores(log, "graders")] == [1, 0, 1, 0]


def test_a_stored_log_is_what_was_returned(log: EvalLog) -> None:
    stored = read_eval_log(log.location)
    assert scores(stored, "graders") == scores(log, "graders")
    assert metrics(stored) == metrics(log)


def test_the_arguments_are_recorded(log: EvalLog) -> None:
    assert log.eval.scorers is not None
    assert [entry.options for entry in log.eval.scorers] == [{"graders": SPEC}, {"pattern": "^Hello"}]


@pytest.mark.parametrize("action", ["append", "overwrite"])
def test_score(log: EvalLog, action: str) -> None:
    again = rescore(log, graders(SPEC), action=action)  # type: ignore[arg-type]
    name = "graders1" if action == "append" else "graders"
    assert scores(again, name) == scores(log, "graders")
    assert again.results is not None
    assert len(again.results.scores) == (7 if action == "append" else 3)


async def test_score_async_with_streamed_samples(log: EvalLog) -> None:
    """Only the header is in memory; each sample is read when it is scored."""
    header = await read_eval_log_async(log.location, header_only=True)
    seen: list[EvalSample] = []

    @asynccontextmanager
    async def one_by_one(index: int) -> AsyncIterator[EvalSample]:
        sample = samples(log)[index].model_copy(deep=True)
        yield sample
        seen.append(sample)

    again = await rescore_async(header, graders(SPEC), action="overwrite", samples=one_by_one)
    assert metrics(again) == {"greets": 0.5, "calm": 0.5, "aggregate": 0.5}
    assert all(list(sample.scores or {}) == ["graders"] for sample in seen)


REDUCERS: list[tuple[ScoreReducer, dict[str, float]]] = [
    (mean_score(), {"greets": 0.75, "calm": 0.5, "aggregate": 0.625}),
    (median_score(), {"greets": 0.75, "calm": 0.5, "aggregate": 0.625}),
    (mode_score(), {"greets": 1.0}),
    (max_score(), {"greets": 1.0, "calm": 1.0, "aggregate": 0.75}),
    (at_least(2), {"greets": 0.5, "calm": 0.0, "aggregate": 0.0}),
    (pass_at(1), {"greets": 0.75, "calm": 0.5, "aggregate": 0.25}),
]


@pytest.mark.parametrize(("reducer", "expected"), REDUCERS, ids=lambda value: getattr(value, "__name__", ""))
def test_epochs_and_reducers(reducer: ScoreReducer, expected: dict[str, float], tmp_path: Path) -> None:
    # in the order of the runs: both samples' first epoch, then their second
    answers = ["Hello.", "Hello!", "Hello!", "Hm."]
    log = run(answers, [graders(SPEC), output_matches("Hello")], tmp_path, epochs=Epochs(2, reducer))
    found = metrics(log)
    for name, value in expected.items():
        assert found[name] == value, name
    assert found["output_matches"] == expected["greets"]
    assert {sample.epoch for sample in samples(log)} == {1, 2}


def test_grouped_metrics(tmp_path: Path) -> None:
    @scorer_decorator(metrics={"*": [grouped(accuracy(), "kind")]})
    def by_kind():  # type: ignore[no-untyped-def]
        return graders(SPEC)

    task = Task(
        dataset=[Sample(input="q", metadata={"kind": kind}) for kind in ("x", "x", "y", "y")],
        solver=generate(),
        scorer=by_kind(),
        name="by_kind",
    )
    model = model_that_says(ANSWERS)
    (log,) = eval(task, model=model, log_dir=str(tmp_path), display="none", max_samples=1, max_connections=1)
    assert log.results is not None
    rows = {
        row.name: {name: metric.value for name, metric in row.metrics.items()} for row in log.results.scores
    }
    assert rows["greets"] == {"grouped_x": 1.0, "grouped_y": 0.0, "grouped_all": 0.5}
    assert rows["calm"] == {"grouped_x": 0.5, "grouped_y": 0.5, "grouped_all": 0.5}


def test_multi_scorer(tmp_path: Path) -> None:
    scorers = [output_matches("^Hello"), contains("!"), transcript_matches("(?i)h")]
    log = run(ANSWERS, multi_scorer(scorers, "mode"), tmp_path)
    assert [result.value for result in scores(log, "multi_scorer")] == ["C", "C", "I", "C"]


def test_two_scorers_of_one_type_are_told_apart(tmp_path: Path) -> None:
    log = run(ANSWERS, [output_matches("Hello"), output_matches("!")], tmp_path)
    assert set(metrics(log)) == {"output_matches", "output_matches1"}


def test_unscored_samples_are_out_of_the_metrics(tmp_path: Path) -> None:
    spec = [*SPEC, {"type": "output-matches", "name": "bad", "config": {"pattern": "("}}]
    log = run(ANSWERS, graders(spec, on_error="unscored"), tmp_path)
    assert log.results is not None
    rows = {row.name: row for row in log.results.scores}
    assert rows["bad"].scored_samples == 0
    assert rows["bad"].unscored_samples == 4
    assert rows["greets"].metrics["accuracy"].value == 0.5
