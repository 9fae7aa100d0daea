"""One conversation, one verdict: from whichever file it is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from tests.parity.comparing import Row, comparable_grade, expected_grades
from tests.parity.conftest import Recordings
from tests.parity.conversations import CONVERSATIONS
from tests.parity.specs import SPECS

from turngrade.adapters import inspect, langsmith, plain
from turngrade.core import Scope, Transcript, Unreadable, load_spec

Reader = Callable[[Path], Iterator[Transcript | Unreadable]]

READERS: dict[str, Reader] = {
    "inspect_eval": inspect.read_transcripts,
    "inspect_json": inspect.read_transcripts,
    "langsmith_agent": langsmith.read_transcripts,
    "langsmith_graph": langsmith.read_transcripts,
    "plain": plain.read_transcripts,
}

sources = pytest.mark.parametrize("source", READERS)


def read(recordings: Recordings, source: str) -> dict[str, Transcript]:
    """The transcripts of a file by the name of their conversation."""
    return _read(source, getattr(recordings, source))


@cache
def _read(source: str, path: Path) -> dict[str, Transcript]:
    transcripts = {}
    for transcript in READERS[source](path):
        assert isinstance(transcript, Transcript), transcript
        transcripts[str(transcript.metadata.get("conversation", transcript.id))] = transcript
    return transcripts


@sources
def test_every_conversation_is_read(recordings: Recordings, source: str) -> None:
    told_apart = {c.name for c in CONVERSATIONS.values() if source != "plain" or not c.history}
    assert read(recordings, source).keys() == told_apart


@sources
@pytest.mark.parametrize("scope", ["run", "conversation", "model-calls"])
def test_the_same_messages_are_read(recordings: Recordings, source: str, scope: Scope) -> None:
    transcripts = read(recordings, source)
    found = {name: [m.text for m in t.in_scope(scope)] for name, t in transcripts.items()}
    assert found == {name: [t.text for t in CONVERSATIONS[name].turns] for name in transcripts}


@sources
def test_the_same_final_output_is_read(recordings: Recordings, source: str) -> None:
    found = {name: transcript.output or None for name, transcript in read(recordings, source).items()}
    assert found == {name: CONVERSATIONS[name].expected.output for name in found}


@sources
@pytest.mark.parametrize("spec_name", SPECS)
def test_the_same_grades_are_given(recordings: Recordings, source: str, spec_name: str) -> None:
    spec = load_spec(SPECS[spec_name])
    grades: dict[str, Row] = {
        name: comparable_grade(spec.grade(transcript).to_dict())
        for name, transcript in read(recordings, source).items()
    }
    expected = expected_grades(spec_name)
    assert grades == {name: expected[name] for name in grades}
