"""The three scopes of runs of every kind: the same live, scored again, from samples and from raw logs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from inspect_ai import eval, score
from inspect_ai.log import EvalLog, read_eval_log, write_eval_log
from inspect_ai.model import ModelAPI
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import TaskState
from tests.inspect.scenarios import SCENARIOS, Said, Scenario

from turngrade.adapters.inspect import read_transcripts, transcript_from_sample, transcript_from_state
from turngrade.adapters.inspect.convert import transcript_from_record
from turngrade.adapters.inspect.decode import sample_from_raw
from turngrade.core.transcript import AssistantMessage, Transcript

LIVE: list[Transcript] = []
"""What the probe has seen."""


@scorer(metrics=[mean()])
def probe() -> Scorer:
    """Records what a scorer sees."""

    async def record(state: TaskState, target: Target) -> Score:
        LIVE.append(transcript_from_state(state))
        return Score(value=1)

    return record


@dataclass(frozen=True)
class Ran:
    """A scenario that was run, and its log."""

    scenario: Scenario
    log: EvalLog
    live: list[Transcript]
    path: Path


@pytest.fixture(scope="module")
def offline(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A cache of this test's own, and a count of tokens (for compaction) that downloads no vocabulary."""

    async def count(self: ModelAPI, text: str) -> int:
        return len(text) // 4

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("INSPECT_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        patch.setattr(ModelAPI, "count_text_tokens", count)
        yield


@pytest.fixture(scope="module", params=SCENARIOS)
def ran(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, offline: None) -> Ran:
    made = SCENARIOS[request.param]()
    made.task.scorer = [*made.scorers, probe()]
    folder = tmp_path_factory.mktemp("logs")
    LIVE.clear()
    (log,) = eval(
        made.task,
        model=made.model,
        log_dir=str(folder),
        display="none",
        score_on_error=True,
        max_connections=1,
        **made.options,
    )
    assert log.samples is not None
    assert [sample.error is not None for sample in log.samples] == [made.fails], log.samples[0].error
    return Ran(made, log, list(LIVE), Path(log.location))


def test_each_scope_holds_what_was_said(ran: Ran) -> None:
    expected = ran.scenario
    (transcript,) = transcripts(ran.path)
    assert [_said(message) for message in transcript.messages] == [_full(said) for said in expected.run]
    conversation = transcript.in_scope("conversation")
    assert [message.text for message in conversation] == (
        [_full(said)[0] for said in expected.run] if expected.conversation is None else expected.conversation
    )
    assert all(message.raw_text is None and message.in_conversation for message in conversation)
    model_calls = expected.run if expected.model_calls is None else expected.model_calls
    assert [_said(message) for message in transcript.in_scope("model-calls")] == [
        _full(said) for said in model_calls
    ]
    assert transcript.output == (
        conversation[-1].text if expected.output is None and conversation else expected.output
    )
    assert transcript.incomplete is None


def test_indexes_count_up_and_the_conversation_is_marked(ran: Ran) -> None:
    (transcript,) = transcripts(ran.path)
    for scope in ("run", "conversation", "model-calls"):
        assert [message.index for message in transcript.in_scope(scope)] == list(
            range(len(transcript.in_scope(scope)))
        )
    in_conversation = [message.text for message in transcript.messages if message.in_conversation]
    assert list(dict.fromkeys(in_conversation)) == list(
        dict.fromkeys(message.text for message in transcript.in_scope("conversation"))
    )
    assert all(message.id for message in transcript.in_scope("model-calls"))


def test_live_and_stored_are_the_same(ran: Ran) -> None:
    (stored,) = transcripts(ran.path)
    assert [_bare(live) for live in ran.live][-1:] == [_bare(stored)]


@pytest.mark.parametrize("resolve", [False, "full"])
def test_a_sample_and_its_raw_log_are_the_same(ran: Ran, resolve: bool) -> None:
    (stored,) = transcripts(ran.path)
    log = read_eval_log(str(ran.path), resolve_attachments=resolve)
    assert log.samples is not None
    assert [_bare(transcript_from_sample(sample)) for sample in log.samples] == [_bare(stored)]


def test_a_json_log_is_the_same(ran: Ran, tmp_path: Path) -> None:
    (stored,) = transcripts(ran.path)
    path = tmp_path / "log.json"
    write_eval_log(ran.log, str(path))
    assert [_bare(transcript) for transcript in transcripts(path)] == [_bare(stored)]
    (raw,) = json.loads(path.read_text())["samples"]
    assert _bare(transcript_from_record(sample_from_raw(raw))) == _bare(stored)


def test_scoring_again_sees_the_same(ran: Ran) -> None:
    (stored,) = transcripts(ran.path)
    LIVE.clear()
    score(read_eval_log(str(ran.path)), probe(), model="mockllm/model", action="append", display="none")
    assert [_bare(live) for live in LIVE] == [_bare(stored)]


def test_scoring_again_without_the_events_is_known_to_be_incomplete(tmp_path: Path) -> None:
    made = SCENARIOS["several_choices"]()
    (log,) = eval(made.task, model=made.model, log_dir=str(tmp_path), display="none", **made.options)
    cut = read_eval_log(log.location, exclude_fields={"events"})
    LIVE.clear()
    scored = score(cut, probe(), model="mockllm/model", action="append", display="none")
    path = tmp_path / "scored.eval"
    write_eval_log(scored, str(path))
    for transcript in (*LIVE, *transcripts(path)):
        assert transcript.messages
        assert transcript.incomplete is not None
        assert transcript.incomplete.startswith("the sample holds no events")


def transcripts(path: Path) -> list[Transcript]:
    read = list(read_transcripts(path))
    assert all(isinstance(transcript, Transcript) for transcript in read), read
    return [transcript for transcript in read if isinstance(transcript, Transcript)]


def _said(message: AssistantMessage) -> tuple[str, str | None, str | None]:
    return message.text, message.raw_text, message.agent


def _full(said: Said) -> tuple[str, str | None, str | None]:
    if isinstance(said, str):
        return said, None, None
    if len(said) == 2:
        return said[0], None, said[1]
    return said


def _bare(transcript: Transcript) -> Transcript:
    """A transcript as it is wherever it comes from."""
    return replace(transcript, source=None)
