"""Real Inspect runs for the tests of the scorers: a mock model, no download, no network."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.event import SpanBeginEvent
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.log._transcript import Transcript, init_transcript
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    Model,
    ModelName,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.scorer import Score, Scorer, Target
from inspect_ai.solver import TaskState, generate


def output(text: str) -> ModelOutput:
    """A model's answer. With `usage`, so that the mock model does not download a tokenizer to count."""
    message = ChatMessageAssistant(content=text, source="generate", model="mockllm/model")
    usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return ModelOutput(model="mockllm/model", choices=[ChatCompletionChoice(message=message)], usage=usage)


def model_that_says(texts: Iterable[str]) -> Model:
    """A mock model that gives these answers, in order."""
    return get_model("mockllm/model", custom_outputs=[output(text) for text in texts], memoize=False)


def run(
    answers: Sequence[str], scorer: Scorer | list[Scorer] | None, log_dir: Path, **options: object
) -> EvalLog:
    """Run a real eval with one sample for each answer, or one answer for each sample and epoch."""
    epochs = options.get("epochs")
    count = len(answers) // (epochs if isinstance(epochs, int) else getattr(epochs, "epochs", 1))
    dataset = [Sample(input=f"question {number}", id=f"s{number}", target="-") for number in range(count)]
    task = Task(dataset=dataset, solver=generate(), scorer=scorer, name="answers")
    (log,) = eval(
        task,
        model=model_that_says(answers),
        log_dir=str(log_dir),
        display="none",
        max_samples=1,
        max_connections=1,
        **options,  # type: ignore[arg-type]
    )
    assert log.status == "success", log.error
    return log


def samples(log: EvalLog) -> list[EvalSample]:
    assert log.samples is not None
    return log.samples


def scores(log: EvalLog, name: str) -> list[Score]:
    """The scores of that name, one for each sample."""
    return [(sample.scores or {})[name] for sample in samples(log)]


def metrics(log: EvalLog) -> dict[str, float]:
    """The accuracy of each result row that has one, by the row's name."""
    assert log.results is not None
    rows = [row for row in log.results.scores if "accuracy" in row.metrics]
    return {row.name: row.metrics["accuracy"].value for row in rows}


def state_of(*texts: str, output_text: str | None = None) -> TaskState:
    """The state of a run whose solver wrote these assistant messages into the conversation."""
    messages: list[ChatMessage] = [ChatMessageUser(content="question", source="input")]
    messages += [ChatMessageAssistant(content=text, id=f"m{number}") for number, text in enumerate(texts)]
    last = output_text if output_text is not None else (texts[-1] if texts else None)
    return TaskState(
        model=ModelName("mockllm/model"),
        sample_id="s0",
        epoch=1,
        input="question",
        messages=messages,
        output=output(last) if last is not None else ModelOutput(),
        completed=True,
    )


async def score(scorer: Scorer, *texts: str, output_text: str | None = None) -> Score:
    """Call a scorer as Inspect does, on a state with these assistant messages."""
    return await score_state(scorer, state_of(*texts, output_text=output_text))


async def score_state(scorer: Scorer, state: TaskState) -> Score:
    """Call a scorer as Inspect does: within a run's transcript, here one in which no model was called."""
    init_transcript(Transcript([SpanBeginEvent(id="solvers", name="solvers", type="solvers")]))
    result = await scorer(state, Target("-"))
    assert result is not None
    return result
