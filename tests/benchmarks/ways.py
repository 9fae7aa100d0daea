"""Ways to read an Inspect log, of turngrade and of others. Each counts samples, messages and characters.

Messages are those of assistants, characters those of their texts; where a way does not get to them it says 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

Counts = tuple[int, int, int]


def decompress(log: str) -> Counts:
    """What no reader can do without: the bytes of all samples, by the fastest decompressor, unchecked."""
    import zstandard

    from turngrade.adapters.inspect.archive import Unpacker, members

    count = 0
    decompressor = zstandard.ZstdDecompressor()
    with open(log, "rb") as file:
        unpacker = Unpacker(file)
        for member in members(file):
            if member.name.startswith("samples/"):
                decompressor.decompress(unpacker.packed(member), max_output_size=member.size)
                count += 1
    return count, 0, 0


def turngrade(*logs: str) -> Counts:
    """turngrade's reader, all scopes."""
    from turngrade.adapters.inspect import read_transcripts
    from turngrade.core.transcript import Transcript

    samples = messages = characters = 0
    for log in _all(logs):
        for transcript in read_transcripts(log):
            assert isinstance(transcript, Transcript), transcript
            samples += 1
            messages += len(transcript.messages)
            for message in transcript.messages:
                characters += len(message.text)
    return samples, messages, characters


def inspect(*logs: str) -> Counts:
    """Inspect's reader of whole logs."""
    from inspect_ai.log import read_eval_log

    return _sum(sample for log in _all(logs) for sample in read_eval_log(log).samples or [])


def _sum(samples: Iterable[Any]) -> Counts:
    count = messages = characters = 0
    for sample in samples:
        count += 1
        for message in sample.messages:
            if message.role == "assistant":
                messages += 1
                characters += len(message.text)
    return count, messages, characters


def ijson_samples(log: str) -> Counts:
    """The fastest streaming parser, as it gives what the run's messages are made of: whole samples."""
    count = messages = characters = 0
    for sample in _ijson(log, "samples.item"):
        count += 1
        for message in sample["messages"]:
            if message["role"] == "assistant":
                messages += 1
                characters += len(message["content"])
    return count, messages, characters


def ijson_messages(log: str) -> Counts:
    """The same parser, for the messages of the final conversation alone: a part of what turngrade reads."""
    messages = characters = 0
    for message in _ijson(log, "samples.item.messages.item"):
        if message["role"] == "assistant":
            messages += 1
            characters += len(message["content"])
    return 0, messages, characters


def _ijson(log: str, prefix: str) -> Iterator[Any]:
    import ijson.backends.yajl2_c as parser  # type: ignore[import-untyped]

    with open(log, "rb") as file:
        yield from parser.items(file, prefix, buf_size=1 << 20, use_float=True)


def _all(logs: Iterable[str]) -> Iterator[str]:
    """Each log, and those in each folder."""
    for log in logs:
        path = Path(log)
        if path.is_dir():
            yield from map(str, sorted(path.iterdir()))
        else:
            yield log


def grade(spec: str, log: str) -> tuple[int]:
    """A whole call of `turngrade grade` in this process, results written. Counts the bytes of the results."""
    from turngrade.adapters.cli.app import run

    with TemporaryDirectory() as folder:
        verdicts = Path(folder, "verdicts.jsonl")
        assert run(["grade", spec, log, "-o", str(verdicts), "--quiet"]) in (0, 1)
        return (verdicts.stat().st_size,)
