"""Every stored log, of every release, gives what it is known to hold."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import read_eval_log
from tests.inspect.archives import DATA, members, transcripts

from turngrade.adapters.inspect import is_log, transcript_from_sample
from turngrade.adapters.inspect.convert import transcript_from_record
from turngrade.adapters.inspect.decode import sample_from_raw
from turngrade.core.transcript import Transcript

EXPECTED: dict[str, list[dict[str, Any]]] = json.loads((DATA / "expected.json").read_text("utf-8"))

OVERRULED: dict[str, str] = {}
"""Files whose expectation is wrong by the contract's definitions, each with the reason. There is none."""

LONG = "long enough to be stored as an attachment of the sample and not within its events " + "x" * 60

STEPS = [
    # how the releases before spans nest what subtasks and tools do
    ("written by hand", None),
    ("from the subtask " + LONG, "helper"),
    ("from the fork " + LONG, "generate"),
    ("asks the oracle " + LONG, None),
    ("from the oracle " + LONG, "oracle"),
    ("the answer " + LONG, None),
]


@pytest.mark.parametrize("name", EXPECTED)
def test_scopes_and_output(name: str) -> None:
    assert name not in OVERRULED
    by_sample = {(str(entry["id"]), entry["epoch"]): entry for entry in EXPECTED[name]}
    found = transcripts(DATA / name)
    assert [(transcript.id, transcript.epoch) for transcript in found] == sorted(
        by_sample, key=lambda key: (key[1], key[0])
    )
    for transcript in found:
        expected = by_sample[transcript.id or "", transcript.epoch]
        assert [
            [message.text] if message.raw_text is None else [message.text, message.raw_text]
            for message in transcript.messages
        ] == expected["run"]
        conversation = [message.text for message in transcript.in_scope("conversation")]
        assert conversation == expected["conversation"]
        assert (transcript.output or "") == expected["output"]
        assert transcript.source == str(DATA / name)
        assert transcript.incomplete is None


def test_every_stored_log_is_a_case() -> None:
    stored = {path.name for path in DATA.iterdir() if path.suffix in (".eval", ".json")}
    assert stored - set(EXPECTED) - {"expected.json"} == {"old-0.3.46.eval", "old-0.3.75.eval", "bridge.eval"}


@pytest.mark.parametrize("release", ["0.3.46", "0.3.75"])
def test_nested_events_and_scorer_steps_of_the_first_releases(release: str) -> None:
    (transcript,) = transcripts(DATA / f"old-{release}.eval")
    assert transcript.id == "s/1"
    assert [(message.text, message.agent) for message in transcript.messages] == STEPS
    assert [message.text for message in transcript.in_scope("conversation")] == [
        text for text, agent in STEPS if agent is None
    ]
    assert transcript.in_scope("model-calls") == transcript.messages
    assert transcript.output == "the answer " + LONG


def test_an_agent_bridge_replays_history_under_new_ids() -> None:
    (transcript,) = transcripts(DATA / "bridge.eval")
    said = ["one " + LONG, "few-shot", "three"]
    for scope in ("run", "conversation", "model-calls"):
        assert [message.text for message in transcript.in_scope(scope)] == said
    assert transcript.output == "three"


@pytest.mark.parametrize("path", sorted(DATA.glob("*.eval")), ids=lambda path: path.name)
def test_inspects_own_reader_gives_the_same(path: Path) -> None:
    log = read_eval_log(str(path))
    assert log.samples is not None
    expected = [replace(transcript, source=None) for transcript in transcripts(path)]
    assert [transcript_from_sample(sample) for sample in log.samples] == expected


@pytest.mark.parametrize("path", sorted(DATA.glob("*.eval")), ids=lambda path: path.name)
def test_the_tolerant_decoder_gives_the_same(path: Path) -> None:
    found = {(transcript.id, transcript.epoch): transcript for transcript in transcripts(path)}
    for transcript in _tolerantly(path):
        assert transcript == found.pop((transcript.id, transcript.epoch))
    assert not found


def _tolerantly(path: Path) -> Iterator[Transcript]:
    for name, data in members(path).items():
        if name.startswith("samples/"):
            yield transcript_from_record(sample_from_raw(json.loads(data)), source=str(path))


def test_logs_are_told_from_other_files() -> None:
    assert all(is_log(DATA / name) for name in EXPECTED)
    assert not is_log(DATA / "expected.json")


def test_reading_imports_no_inspect() -> None:
    code = (
        "import sys; from turngrade.adapters.inspect import read_transcripts\n"
        "for path in sys.argv[1:]: list(read_transcripts(path))\n"
        "print([name for name in sys.modules if name.startswith(('inspect_ai', 'fsspec'))])"
    )
    logs = [str(DATA / "plain.eval"), str(DATA / "inspect-0.3.75.json")]
    done = subprocess.run([sys.executable, "-c", code, *logs], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
