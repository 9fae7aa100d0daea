"""The graders as a scanner of Inspect Scout."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_scout")

from inspect_ai._util.registry import registry_info, registry_lookup
from inspect_ai.log import EvalSample, read_eval_log
from inspect_scout import Result, Scanner, Transcript, scan, scan_results_df, transcripts_from
from inspect_scout._scanner.scanner import scanner_create
from tests.inspect.archives import transcripts
from tests.inspect.scoring import samples

from turngrade.adapters.inspect import read_transcripts
from turngrade.adapters.inspect.citations import Citations
from turngrade.adapters.inspect.explanation import explain_verdict
from turngrade.adapters.inspect.scanner import graders, transcript_from_scan
from turngrade.core import load_spec

DATA = Path(__file__).parents[1] / "data" / "inspect"

SPEC: list[Any] = [
    {"type": "transcript-matches", "name": "sub", "config": {"pattern": "(?i)sub"}},
    {"type": "transcript-matches", "name": "main", "config": {"pattern": "main", "scope": "conversation"}},
    {"type": "output-matches", "name": "out", "config": {"pattern": "^main"}},
    {"type": "output-matches", "name": "invalid", "config": {"pattern": "("}},
]


def scanned(sample: EvalSample) -> Transcript:
    """A sample as Scout gives it to a scanner."""
    return Transcript(
        transcript_id=sample.uuid or "x",
        task_id=str(sample.id),
        task_repeat=sample.epoch,
        metadata={"sample_metadata": sample.metadata},
        messages=sample.messages,
        events=sample.events,
    )


async def results_of(scanner: Scanner[Transcript], sample: EvalSample) -> dict[str | None, Result]:
    results = await scanner(scanned(sample))
    assert isinstance(results, list)
    return {result.label: result for result in results}


@pytest.mark.parametrize("name", ["as-tool-agent", "handoff-agent", "fewshot", "plain", "react-tools"])
def test_a_scan_sees_what_the_log_holds(name: str) -> None:
    path = str(DATA / f"{name}.eval")
    log = read_eval_log(path, resolve_attachments="full")
    for sample, expected in zip(samples(log), read_transcripts(path), strict=True):
        found = transcript_from_scan(scanned(sample))
        for scope in ("run", "conversation", "model-calls"):
            assert found.in_scope(scope) == expected.in_scope(scope)  # type: ignore[union-attr]
        assert found.output == expected.output  # type: ignore[union-attr]
        assert (found.id, found.epoch) == (expected.id, expected.epoch)


async def test_one_labelled_result_for_each_grader() -> None:
    (sample,) = samples(read_eval_log(str(DATA / "as-tool-agent.eval"), resolve_attachments="full"))
    results = await results_of(graders(SPEC), sample)
    assert {label: result.value for label, result in results.items()} == {
        "sub": True,
        "main": True,
        "out": True,
        "invalid": None,
        "aggregate": None,
    }
    sub = results["sub"]
    assert sub.answer == "sub"
    explanation = sub.explanation or ""
    assert explanation.startswith("✔ transcript matches pattern /(?i)sub/\n[M")
    ids = {message.id for event in sample.events if event.event == "model" for message in choices(event)}
    assert sub.references
    assert {reference.id for reference in sub.references} <= ids
    assert all(str(reference.cite) in explanation for reference in sub.references)


def choices(event: Any) -> list[Any]:
    return [choice.message for choice in event.output.choices]


def test_it_is_registered_under_the_name_of_the_scorer() -> None:
    scanner = scanner_create("turngrade/graders", {"graders": SPEC})
    assert registry_info(scanner).name == "turngrade/graders"
    factory = registry_lookup("scanner", "turngrade/graders")
    assert factory is graders  # the one that imports it has made room


@pytest.mark.filterwarnings("ignore:The inplace keyword")  # how Inspect calls pandas
def test_a_real_scan_says_what_grading_the_logs_says(tmp_path: Path) -> None:
    names = ["as-tool-agent.eval", "epochs.eval", "handoff-agent.eval"]
    for name in names:
        shutil.copy(DATA / name, tmp_path)
    status = scan(
        [graders(SPEC)],
        transcripts=transcripts_from(str(tmp_path)),
        scans=str(tmp_path / "scans"),
        max_processes=1,
        display="none",
    )
    assert status.complete
    rows = scan_results_df(str(status.location), rows="results").scanners["graders"]
    assert len(rows) == 6 * (len(SPEC) + 1)
    found = sorted(
        (Path(row.transcript_source_uri).name, row.transcript_task_id, row.label, row.explanation)
        for row in rows.itertuples()
        if row.label != "aggregate"
    )
    spec = load_spec(SPEC)
    expected = []
    for name in names:
        for transcript in transcripts(tmp_path / name):
            cited = Citations(spec, transcript)
            for verdict in spec.grade(transcript).verdicts:
                expected.append((name, transcript.id, verdict.name, explain_verdict(verdict, cited)))
    assert found == sorted(expected)


@pytest.mark.slow
def test_scout_scan(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "log.eval").write_bytes((DATA / "as-tool-agent.eval").read_bytes())
    (tmp_path / "spec.json").write_text(json.dumps({"graders": SPEC}))
    arguments = ["scan", "turngrade/graders", "-T", "logs", "-S", "graders=spec.json", "--display", "plain"]
    scout = Path(sys.executable).with_name("scout")
    done = subprocess.run(
        [str(scout), *arguments, "--max-processes", "1"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (folder,) = (tmp_path / "scans").glob("scan_id=*")
    rows = scan_results_df(str(folder), rows="results").scanners["graders"]
    found = dict(zip(rows["label"], rows["value"], strict=True))
    expected = load_spec(SPEC).grade(next(iter(read_transcripts(str(logs / "log.eval")))))
    assert list(found) == [*(verdict.name for verdict in expected.verdicts), "aggregate"]
    for name in ("sub", "main", "out"):
        assert str(found[name]).lower() == str(expected[name].passed).lower()
