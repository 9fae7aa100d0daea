"""A member of more than 200 MiB, which Inspect writes as several zstd frames: read right, within bounds."""

from __future__ import annotations

import json
import random
import string
import subprocess
import sys
from copy import deepcopy
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED

import pytest
from tests.inspect.archives import DATA, ZSTD, members, write

MIB = 1 << 20
TURNS, LENGTH = 1000, 108_000

GRADE = """
import json, sys
from turngrade.adapters.inspect import read_transcripts
from turngrade.core import load_spec

def peak():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM:"))

graders = [("transcript-matches", r"the needle\\.$"), ("transcript-not-matches", "no such thing")]
spec = load_spec([{"type": type, "config": {"pattern": pattern}} for type, pattern in graders])
before = peak()
[transcript] = read_transcripts(sys.argv[1])
verdicts = spec.grade(transcript).verdicts
found = [[verdict.status, verdict.matched] for verdict in verdicts]
print(json.dumps([len(transcript.messages), verdicts[0].hits[0].message_index, found, peak() - before]))
"""


def _sample() -> tuple[str, bytes]:
    """A sample of a thousand turns, each in the conversation and, as an attachment, in an event."""
    name, data = next(item for item in members(DATA / "plain.eval").items() if "samples/" in item[0])
    sample = json.loads(data)
    [model_event] = [event for event in sample["events"] if event["event"] == "model"]
    letters = "".join(random.Random(1).choices(string.ascii_lowercase + " ", k=2 * LENGTH))
    user = sample["messages"][0]
    sample["messages"], sample["events"], sample["attachments"] = [], [], {}
    for turn in range(TURNS):
        text = f"{turn} {letters[turn * 50 :][:LENGTH]}"
        if turn == TURNS - 2:
            text += " the needle."
        message = {"id": f"m{turn}", "role": "assistant", "source": "generate", "content": text}
        sample["messages"] += [{**user, "id": f"u{turn}"}, message]
        sample["attachments"][f"{turn:032x}"] = text
        sample["events"].append(_event(model_event, message, f"attachment://{turn:032x}"))
    return name, json.dumps(sample).encode()


def _event(model_event: dict[str, Any], message: dict[str, Any], text: str) -> dict[str, Any]:
    event = deepcopy(model_event)
    event["uuid"] = message["id"]
    event["output"]["choices"][0]["message"] = {**message, "content": text}
    return event


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the peak of memory is read as Linux tells it")
def test_it_is_graded_and_takes_three_times_its_size(tmp_path: Path) -> None:
    name, data = _sample()
    assert len(data) > 200 * MIB
    for method in (ZSTD, ZIP_DEFLATED):
        path = write(tmp_path / "huge.eval", [(name, data)], method)
        call = [sys.executable, "-c", GRADE, str(path)]
        told = json.loads(subprocess.run(call, check=True, capture_output=True).stdout)
        count, index, verdicts, megabytes = told
        assert (count, index, verdicts) == (TURNS, TURNS - 2, [["pass", 1], ["pass", 0]])
        print(f"method {method}: {megabytes / (len(data) / MIB):.1f} times the size of the sample")
        assert megabytes < 3 * len(data) / MIB
