"""Big Inspect logs, written by Inspect: a few samples are really run, and stand in the log many times."""

from __future__ import annotations

import os
import random
import shutil
import tempfile
import zipfile
from itertools import count
from pathlib import Path

import inspect_ai._util.zipfile  # noqa: F401  # teaches zipfile zstd, as Inspect itself writes
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.log import read_eval_log, write_eval_log
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    execute_tools,
    get_model,
)
from inspect_ai.scorer import includes
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import Tool, ToolCall, ToolChoice, ToolInfo, tool

RUN = 5
"""How many different samples are run."""

FOLDER = Path(tempfile.gettempdir()) / "turngrade-benchmarks"
"""Where logs are kept from one call to the next."""

_ZSTD = 93


def big_log(samples: int, turns: int, chars: int, *, folder: Path = FOLDER, seed: int = 7) -> Path:
    """Make a log, or take the one that was made before.

    Args:
        samples: Number of samples.
        turns: Turns of each: an assistant message with a tool call, and the tool's answer.
        chars: Characters of each message.
        folder: Where it is kept.
        seed: For the words.
    """
    path = folder / f"{samples}x{turns}x{chars}.eval"
    if path.exists():
        return path
    folder.mkdir(parents=True, exist_ok=True)
    words = Words(seed, chars)
    (log,) = eval(
        Task(
            dataset=[
                Sample(input=words.text(), target="-", id=f"s{i:06d}") for i in range(min(samples, RUN))
            ],
            solver=loop(turns, words),
            scorer=includes(),
        ),
        model=talker(words),
        log_dir=str(folder / "run"),
        display="none",
        log_realtime=False,
    )
    assert log.status == "success", log.error
    _repeat(Path(log.location), path, samples)
    return path


def json_twin(log: Path) -> Path:
    """The same log as `.json`, written by Inspect; or the one that was made before."""
    path = log.with_suffix(".json")
    if not path.exists():
        write_eval_log(read_eval_log(str(log)), str(path), format="json")
    return path


def many_logs(log: Path, count: int) -> Path:
    """A folder with copies of a log; or the one that was made before."""
    folder = log.parent / f"{count} of {log.stem}"
    if not folder.exists():
        folder.mkdir()
        for number in range(count):
            shutil.copyfile(log, folder / f"{number:06d}.eval")
    return folder


class Words:
    """Running text, with the rare long word and the common short one of natural language.

    Args:
        seed: For the words.
        chars: Characters of a text.
    """

    def __init__(self, seed: int, chars: int) -> None:
        chance = random.Random(seed)
        letters = "abcdefghijklmnopqrstuvwxyz"
        words = ["".join(chance.choices(letters, k=chance.randint(2, 11))) for _ in range(6000)]
        words += ['"quoted"', "end.\n", "naïve"]
        weights = [1 / (rank + 3) ** 0.9 for rank in range(len(words))]
        self._text = " ".join(chance.choices(words, weights, k=200_000))
        self._chance = chance
        self._chars = chars

    def text(self, chars: int | None = None) -> str:
        """A text, by default as long as a message."""
        chars = chars or self._chars
        at = self._chance.randrange(len(self._text) - chars)
        return self._text[at : at + chars]


@tool
def bash(words: Words) -> Tool:
    async def execute(cmd: str) -> str:
        """Run a command.

        Args:
            cmd: The command.
        """
        return words.text()

    return execute


@solver
def loop(turns: int, words: Words) -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        tools = [bash(words)]
        for _ in range(turns):
            state.output = await get_model().generate(state.messages, tools)
            state.messages.append(state.output.message)
            state.messages.extend((await execute_tools(state.messages, tools)).messages)
        return state

    return solve


def talker(words: Words) -> Model:
    """A model that says something and calls a tool, for ever."""
    numbers = count()

    def say(
        input: list[ChatMessage], tools: list[ToolInfo], choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        call = ToolCall(id=f"call_{next(numbers)}", function="bash", arguments={"cmd": words.text(150)})
        message = ChatMessageAssistant(content=words.text(), source="generate", tool_calls=[call])
        return ModelOutput(
            model="mockllm/model",
            choices=[ChatCompletionChoice(message=message, stop_reason="tool_calls")],
            usage=ModelUsage(input_tokens=10, output_tokens=10, total_tokens=20),
        )

    return get_model("mockllm/model", custom_outputs=say, memoize=False)


def _repeat(source: Path, target: Path, samples: int) -> None:
    """Write a log in which the samples of another stand as often as is asked for, under ids of their own."""
    part = target.with_suffix(f".{os.getpid()}")  # others may be making the same
    with zipfile.ZipFile(source) as run, zipfile.ZipFile(part, "w", _ZSTD) as made:
        for name in run.namelist():
            if not name.startswith("samples/"):
                made.writestr(name, run.read(name))
        stored = [name for name in run.namelist() if name.startswith("samples/")]
        for number in range(samples):
            name = stored[number % len(stored)]
            old, new = name.removeprefix("samples/").partition("_epoch_")[0], f"s{number:06d}"
            data = run.read(name).replace(f'"id":"{old}"'.encode(), f'"id":"{new}"'.encode(), 1)
            with made.open(f"samples/{new}_epoch_1.json", "w") as member:
                member.write(data)
    part.replace(target)
