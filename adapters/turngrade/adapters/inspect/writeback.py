"""Write grades into an Inspect log, so that Inspect View and its dataframes show them as any scorer's.

The samples' scores and the header's results are changed; what other scorers wrote is left as it was, even
where its metrics cannot be imported here. Writing is atomic: a reader sees the old log or the new one.
"""

from __future__ import annotations

import gc
import os
import shutil
import sys
import traceback
from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager, suppress
from math import nan
from pathlib import Path
from tempfile import mkstemp

from inspect_ai.log import EvalLog, EvalSample, read_eval_log, recompute_metrics, write_eval_log
from inspect_ai.log._log import EvalMetricDefinition, EvalScorer
from inspect_ai.scorer import Score

from turngrade.core import Grade, Spec

from .convert import transcript_from_sample
from .copies import copy_beside
from .explanation import explain_grade
from .score import SPEC_DIGEST, SpecScores
from .store import Store, is_url, shown_url
from .values import data_of

DEFAULT_NAME = "turngrade"
"""The scores' name in a log, for a spec that has neither a name nor a file."""

_SUFFIXES = (".eval", ".json")

_METRICS = [EvalMetricDefinition(name=f"inspect_ai/{name}") for name in ("accuracy", "stderr")]


class LogNotWritten(Exception):
    """A log that scores cannot be written into.

    Args:
        path: The log.
        problem: Why not, and what to do about it.
    """

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(path, problem)
        self.path = path
        self.problem = problem

    def __str__(self) -> str:
        return shown_url(f"{self.path}: {self.problem}")


def write_scores(
    log_path: str | os.PathLike[str],
    grades: Iterable[Grade],
    *,
    spec: Spec,
    in_place: bool = False,
    output: str | os.PathLike[str] | None = None,
) -> str:
    """Write the grades of a log's samples into the log, as one score with a value for each grader.

    Earlier scores of the same spec are replaced, by whatever door they came; so are those of a spec of the
    same name, if all samples that have them are graded. Otherwise they stay, and the new ones get a name of
    their own.

    Args:
        log_path: The log, as Inspect names it: a path, or a URL of a file system that it knows.
        grades: Grades of samples of this log; a sample without one keeps the scores that it has. The metrics
            are those of all samples that have scores of the spec.
        spec: The spec that gave the grades. The score takes its name, or that of its file.
        in_place: Replace the log itself.
        output: Where to write the copy; by default beside the log, as ``NAME-graded.eval``.

    Returns:
        The path of the log that was written.

    Raises:
        LogNotWritten: Inspect cannot read the log, it is still being written, or it has changed since it was
            read; or the output has not the name of a log, or no folder.
        ValueError: Both `in_place` and `output` are given.
    """
    path = os.fspath(log_path)
    if in_place and output is not None:
        raise ValueError("in_place and output exclude each other")
    target = path if in_place else os.fspath(output) if output is not None else copy_beside(path)
    for each in (path, target):
        _check_name(each)
    _check_folder(target)
    before = _stamp(path)
    log = _read(path)
    if in_place and log.status == "started":
        raise LogNotWritten(path, "the eval has not ended, or crashed; write into a copy instead")
    put_scores(log, grades, spec)
    with _replacing(target) as temporary:
        if in_place and is_url(path):
            _check_unchanged(path, before)
        _write(log, temporary, target)
        if in_place and not is_url(path):
            _check_unchanged(path, before)
    return target


def put_scores(log: EvalLog, grades: Iterable[Grade], spec: Spec) -> str:
    """Put grades into a log in memory.

    Args:
        log: A whole log; it is changed.
        grades: Grades of its samples.
        spec: The spec that gave the grades.

    Returns:
        The name of the score.
    """
    by_sample = {(grade.id, grade.epoch): grade for grade in grades}
    scored = {
        id(sample): grade
        for sample in log.samples or []
        if (grade := by_sample.get((str(sample.id), sample.epoch))) is not None
    }
    replaced = _replaced_names(log, spec, scored.keys())
    name = replaced[0] if replaced else _free_name(log, _name_of(spec))
    if not scored:
        return name
    _drop_results(log, replaced)
    scores, digest = SpecScores(spec), spec.digest
    for sample in log.samples or []:
        grade = scored.get(id(sample))
        kept, earlier = _split(sample.scores or {}, replaced)
        new = earlier if grade is None else _score(grade, scores, sample, digest)
        if sample.scores is not None or new is not None:
            sample.scores = kept if new is None else {**kept, name: new}
    _add_results(log, name, spec)
    return name


def _split(scores: dict[str, Score], replaced: list[str]) -> tuple[dict[str, Score], Score | None]:
    """A sample's scores without those that are replaced, and the first one of these."""
    kept = {name: score for name, score in scores.items() if name not in replaced}
    return kept, next((scores[name] for name in replaced if name in scores), None)


def _score(grade: Grade, scores: SpecScores, sample: EvalSample, digest: str) -> Score:
    if grade.error is None:
        return scores.of(grade, transcript_from_sample(sample))
    return Score(
        value=nan,
        explanation=explain_grade(grade),
        reason="scoring_failed",
        metadata={"grade": data_of(grade), SPEC_DIGEST: digest},
    )


def _name_of(spec: Spec) -> str:
    if spec.model.name:
        return spec.model.name
    return Path(spec.source).stem if spec.source else DEFAULT_NAME


def _replaced_names(log: EvalLog, spec: Spec, scored: Container[int]) -> list[str]:
    """Names of turngrade's scores in the log that are this spec's: by content, else by name.

    Those of another content, under the name, have other keys: they can be replaced only as a whole.
    """
    wanted = _name_of(spec)
    same: dict[str, bool] = {}
    for sample in log.samples or []:
        for name, score in (sample.scores or {}).items():
            metadata = score.metadata or {}
            if SPEC_DIGEST in metadata and "grade" in metadata:
                is_ours = metadata[SPEC_DIGEST] == spec.digest or (name == wanted and id(sample) in scored)
                same[name] = same.get(name, True) and is_ours
    return [name for name, all_ours in same.items() if all_ours]


def _free_name(log: EvalLog, name: str) -> str:
    taken = {key for sample in log.samples or [] for key in sample.scores or {}}
    taken.update(scorer.name for scorer in log.eval.scorers or [])
    number = 0
    free = name
    while free in taken:
        number += 1
        free = f"{name}{number}"
    return free


def _drop_results(log: EvalLog, names: list[str]) -> None:
    log.eval.scorers = [entry for entry in log.eval.scorers or [] if entry.name not in names] or None
    if log.results is not None:
        log.results.scores = [row for row in log.results.scores if row.scorer not in names]
    if log.reductions is not None:
        log.reductions = [reduction for reduction in log.reductions if reduction.scorer not in names]


def _add_results(log: EvalLog, name: str, spec: Spec) -> None:
    """Compute the metrics of our score alone, by Inspect, and add them to the header's."""
    entry = EvalScorer(
        name=name,
        options={"graders": spec.source} if spec.source else None,
        metrics={"*": list(_METRICS)},
        metadata={SPEC_DIGEST: spec.digest},
    )
    eval_alone = log.eval.model_copy(update={"scorers": [entry], "metrics": None})
    samples_alone = [
        sample.model_copy(update={"scores": {name: sample.scores[name]}})
        for sample in log.samples or []
        if sample.scores and name in sample.scores
    ]
    alone = log.model_copy(update={"eval": eval_alone, "samples": samples_alone})
    recompute_metrics(alone)
    log.eval.scorers = [*(log.eval.scorers or []), entry]
    assert alone.results is not None
    if log.results is None:
        log.results = alone.results
        log.results.total_samples = len(log.samples or [])
    else:
        log.results.scores = [*log.results.scores, *alone.results.scores]
    log.reductions = [*(log.reductions or []), *(alone.reductions or [])] or None


def _check_name(path: str) -> None:
    if not is_url(path) and os.path.isdir(_local(path)):
        raise LogNotWritten(path, "a folder, not a log")
    if not path.endswith(_SUFFIXES):
        raise LogNotWritten(path, "the name of a log ends in .eval or .json")


def _check_folder(target: str) -> None:
    folder = os.path.dirname(os.path.realpath(_local(target)))
    if not is_url(target) and not os.path.isdir(folder):
        raise LogNotWritten(target, f"there is no folder {folder}")


def _read(path: str) -> EvalLog:
    try:
        return read_eval_log(path)
    except Exception as error:  # whatever the parsers of Inspect and of its file systems raise
        raise LogNotWritten(path, f"Inspect cannot read it as a log: {error}") from error


def _write(log: EvalLog, place: str, target: str) -> None:
    try:
        write_eval_log(log, place, format="json" if target.endswith(".json") else "eval")
    except Exception as error:  # whatever Inspect's file systems raise
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        _let_go(error)
        raise LogNotWritten(target, f"Inspect cannot write it: {reason}") from None


def _let_go(error: Exception) -> None:
    """Free what an error holds. Inspect's archive would then write again, and complain on stderr."""
    hook, sys.unraisablehook = sys.unraisablehook, lambda unraisable: None
    try:
        traceback.clear_frames(error.__traceback__)
        error.__traceback__ = error.__context__ = error.__cause__ = None
        gc.collect()
    finally:
        sys.unraisablehook = hook


def _check_unchanged(path: str, before: object) -> None:
    if _stamp(path) != before:
        raise LogNotWritten(path, "it has changed meanwhile; grade it again")


def _stamp(path: str) -> object:
    """What changes when a log does."""
    try:
        if is_url(path):
            return Store(path).version()
        stat = os.stat(_local(path))
    except OSError as error:
        raise LogNotWritten(path, error.strerror or str(error)) from error
    return stat.st_mtime_ns, stat.st_size


def _local(path: str) -> str:
    return path.removeprefix("file://")


@contextmanager
def _replacing(target: str) -> Iterator[str]:
    """Yield a path to write to; it takes the target's place when the block ends without an exception.

    A remote object appears only when its upload is complete, so that it is written directly.
    """
    if is_url(target):
        yield target
        return
    final = os.path.realpath(_local(target))
    # a name that no reader takes for a log, should the process be killed
    handle, temporary = mkstemp(
        prefix=f".{os.path.basename(final)}.", suffix=".tmp", dir=os.path.dirname(final)
    )
    os.close(handle)
    try:
        os.unlink(temporary)  # Inspect would read what is there
        yield temporary
        if os.path.exists(final):
            shutil.copymode(final, temporary)
        with open(temporary, "rb+") as file:
            os.fsync(file.fileno())
        os.replace(temporary, final)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary)
