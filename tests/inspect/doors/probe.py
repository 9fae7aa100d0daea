"""Tries every door of one installed Inspect release and prints what came of it, as JSON.

Run by `table.py` in the environment of that release, in an empty folder. Uses what the oldest release has.
"""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import asynccontextmanager
from pathlib import Path

os.environ["INSPECT_DISPLAY"] = "none"

from inspect_ai import Epochs, Task, eval, score, score_async, task
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog, read_eval_log, read_eval_log_async
from inspect_ai.model import ChatMessageAssistant, ModelOutput
from inspect_ai.scorer import Scorer, accuracy, at_least, grouped, max_score, mean_score, multi_scorer, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from turngrade.adapters.inspect import (
    contains,
    graders,
    output_matches,
    precomputed_row,
    read_transcripts,
    transcript_matches,
    write_scores,
)
from turngrade.core import load_spec

SPEC = {
    "graders": [
        {"type": "transcript-not-matches", "name": "no-refund", "config": {"pattern": r"\brefund\b"}},
        {"type": "output-matches", "name": "ends", "config": {"pattern": r"\.$"}},
    ]
}
EXPECTED = {"no-refund": 0.5, "ends": 1.0, "aggregate": 0.75}
ANSWERS = ("You will get a refund.", "No, sorry.")
SCORE = ("score", "base.eval", "--model", "mockllm/model")


@solver
def echo() -> Solver:
    """Answer with the input, as an agent that calls no model would."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.messages.append(ChatMessageAssistant(content=state.input_text))
        state.output = ModelOutput.from_content("mockllm/model", state.input_text)
        return state

    return solve


@task
def support(scored: bool = True) -> Task:
    """The task that is run; also by `inspect eval`, from a copy of this file."""
    return task_with(graders("spec.json") if scored else None)


def task_with(scorers: Scorer | list[Scorer] | None, epochs: Epochs | None = None) -> Task:
    dataset = [Sample(input=text, target="-", metadata={"kind": text[:2]}) for text in ANSWERS]
    return Task(dataset=dataset, solver=echo(), scorer=scorers, epochs=epochs, name="support")


def run(scorers: Scorer | list[Scorer] | None, epochs: Epochs | None = None) -> EvalLog:
    (log,) = eval(task_with(scorers, epochs), model="mockllm/model", log_dir="logs", display="none")
    assert log.status == "success", log.error
    return log


def rows(log: EvalLog) -> dict[str, float]:
    assert log.results is not None
    return {row.name: row.metrics["accuracy"].value for row in log.results.scores}


def command(*arguments: str) -> None:
    line = [sys.executable, "-m", "inspect_ai", *arguments, "--display", "plain"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=180, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr)[-300:]


def door_eval() -> None:
    assert rows(run([graders(SPEC), output_matches(r"\.$")])) == {**EXPECTED, "output_matches": 1.0}


def door_eval_file() -> None:
    Path("support.py").write_bytes(Path(__file__).read_bytes())
    command("eval", "support.py@support", "--model", "mockllm/model", "--log-dir", "cli")
    (path,) = Path("cli").glob("*.eval")
    assert rows(read_eval_log(str(path))) == EXPECTED


def door_score() -> None:
    log = read_eval_log("base.eval")
    assert rows(score(log, graders(SPEC), model="mockllm/model", action="append")) == EXPECTED
    assert rows(score(log, graders(SPEC), model="mockllm/model", action="overwrite")) == EXPECTED


def door_score_async() -> None:
    async def streamed() -> EvalLog:
        log = await read_eval_log_async("base.eval")
        header = await read_eval_log_async("base.eval", header_only=True)

        @asynccontextmanager
        async def one(index: int):  # type: ignore[no-untyped-def]
            assert log.samples is not None
            yield log.samples[index]

        return await score_async(header, [graders(SPEC)], model="mockllm/model", samples=one)

    assert rows(asyncio.run(streamed())) == EXPECTED


def door_score_append() -> None:
    scorer = ("--scorer", "turngrade/transcript_matches", "-S", r"pattern=\brefund\b")
    command(*SCORE, *scorer, "--action", "append", "--output-file", "appended.eval")
    assert rows(read_eval_log("appended.eval")) == {"transcript_matches": 0.5}


def door_score_overwrite() -> None:
    scorer = ("--scorer", "turngrade/graders", "-S", "graders=spec.json")
    command(*SCORE, *scorer, "--action", "overwrite", "--output-file", "overwritten.eval")
    assert rows(read_eval_log("overwritten.eval")) == EXPECTED


def door_score_stream() -> None:
    scorer = ("--scorer", "turngrade/graders", "-S", "graders=spec.json")
    command(*SCORE, *scorer, "--action", "overwrite", "--output-file", "streamed.eval", "--stream")
    assert rows(read_eval_log("streamed.eval")) == EXPECTED


def door_epochs() -> None:
    for reducer in (mean_score(), max_score(), at_least(1)):
        assert rows(run(graders(SPEC), Epochs(2, reducer)))["ends"] == 1.0


def door_grouped() -> None:
    @scorer(metrics={"*": [grouped(accuracy(), "kind")]})
    def by_kind() -> Scorer:
        return graders(SPEC)

    log = run(by_kind())
    assert log.results is not None
    values = {metric.name: metric.value for metric in log.results.scores[0].metrics.values()}
    assert sorted(values.values()) == [0.0, 0.5, 1.0], values


def door_multi_scorer() -> None:
    log = run(
        multi_scorer([transcript_matches("refund"), contains("refund"), output_matches(r"\.$")], "mode")
    )
    assert rows(log) == {"multi_scorer": 0.5}


def door_write_back() -> None:
    spec = load_spec(SPEC)
    grades = [spec.grade(transcript) for transcript in read_transcripts("base.eval")]
    assert (
        rows(read_eval_log(write_scores("base.eval", grades, spec=spec, output="written.eval"))) == EXPECTED
    )


def door_precomputed() -> None:
    from inspect_ai.scorer import precomputed_scores

    spec = load_spec(SPEC)
    grades = [spec.grade(transcript) for transcript in read_transcripts("base.eval")]
    Path("x.scores.jsonl").write_text("".join(json.dumps(precomputed_row(grade)) + "\n" for grade in grades))
    scorer = precomputed_scores("x.scores.jsonl", metrics={"*": [accuracy()]})
    assert rows(score(read_eval_log("base.eval"), scorer, model="mockllm/model")) == EXPECTED


def door_reason() -> None:
    log = run(output_matches("("))
    assert log.samples is not None
    assert (log.samples[0].scores or {})["output_matches"].reason == "scoring_failed"


DOORS: dict[str, Callable[[], None]] = {
    "`eval()`": door_eval,
    "`inspect eval`": door_eval_file,
    "`score()`": door_score,
    "`score_async()`, streamed": door_score_async,
    "`inspect score`, append": door_score_append,
    "`inspect score`, overwrite": door_score_overwrite,
    "`inspect score --stream`": door_score_stream,
    "epochs and reducers": door_epochs,
    "`grouped`": door_grouped,
    "`multi_scorer`": door_multi_scorer,
    "write-back": door_write_back,
    "`precomputed_scores`": door_precomputed,
    "`Score.reason`": door_reason,
}


def tried(door: Callable[[], None]) -> str | None:
    """What is wrong with a door; None when it works."""
    try:
        door()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


if __name__ == "__main__":
    Path("spec.json").write_text(json.dumps(SPEC))
    Path("base.eval").write_bytes(Path(run(None).location).read_bytes())
    print(json.dumps({name: tried(door) for name, door in DOORS.items()}))
