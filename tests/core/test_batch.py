"""Arrow in, Arrow out: the verdicts are those of `Spec.grade`, and bad rows become error rows."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any

import pyarrow as pa
import pytest

from turngrade.core import (
    AssistantMessage,
    Transcript,
    Unreadable,
    batch_grader,
    load_spec,
    transcript_schema,
    transcript_table,
    verdict_schema,
)

SPEC: dict[str, Any] = {
    "graders": [
        {"type": "transcript-matches", "config": {"pattern": "(?i)refund"}},
        {"type": "transcript-contains", "config": {"value": "draft", "scope": "conversation"}},
        {"type": "output-not-matches", "config": {"pattern": "("}},
    ]
}

TRANSCRIPTS: list[Transcript | Unreadable] = [
    Transcript.from_texts(["a Refund", "b"], id="1", source="s"),
    Transcript(
        (AssistantMessage("draft", 0, id="m", agent="sub", raw_text="refund"),),
        None,
        id="2",
        epoch=3,
        conversation=(),
        metadata={"stimulus": "x"},
    ),
    Unreadable("log.eval", "truncated", id="3"),
    Transcript((), None, output_fields={"answer": 1}, output_without_text=True),
    Transcript((), None, incomplete="children are missing"),
]


def test_the_verdicts_are_those_of_grade() -> None:
    spec = load_spec(SPEC)
    table = batch_grader(SPEC)(transcript_table(TRANSCRIPTS))
    assert table.schema == verdict_schema()
    rows = iter(table.to_pylist())
    for grade in map(spec.grade, TRANSCRIPTS):
        head = {"source": grade.source or None, "id": grade.id, "epoch": grade.epoch, "score": grade.score}
        if grade.error is not None:
            row = next(rows)
            assert (row["status"], row["error"], row["name"]) == ("error", "truncated", None)
            assert head.items() <= row.items()
        for verdict in grade.verdicts:
            row = next(rows)
            assert head.items() <= row.items()
            for key in ("name", "type", "status", "evidence", "reason", "matched"):
                assert row[key] == getattr(verdict, key)
            assert [(h["message_index"], h["start"], h["end"], h["agent"]) for h in row["hits"]] == [
                (h.message_index, h.start, h.end, h.agent) for h in verdict.hits
            ]
            assert row["spec_digest"] == spec.digest
    assert next(rows, None) is None


def test_plain_strings_do_as_messages() -> None:
    table = pa.table({"messages": [["one", "a refund"], [], None], "id": ["a", "b", "c"], "other": [1, 2, 3]})
    rows = batch_grader([SPEC["graders"][0]])(table).to_pylist()
    assert [row["status"] for row in rows] == ["pass", "fail", "fail"]
    batch = table.to_batches()[0]
    assert batch_grader([SPEC["graders"][0]])(batch).to_pylist() == rows


def test_no_text_of_a_transcript_is_in_the_result() -> None:
    secret = Transcript.from_texts(["my secret refund 4111"])
    table = batch_grader([{"type": "transcript-matches", "config": {"pattern": r"refund (\d+)"}}])(
        transcript_table([secret])
    )
    assert "4111" not in str(table.to_pylist())
    assert table.to_pylist()[0]["hits"][0]["start"] == 10


def test_a_bad_row_is_an_error_row_and_the_rest_is_graded() -> None:
    table = pa.table(
        {
            "messages": [["a refund"], ["x"], ["refund"]],
            "output_fields": [None, "{broken", "{}"],
            "id": [1, 2, 3],
        }
    )
    rows = batch_grader([SPEC["graders"][0]])(table).to_pylist()
    assert [(row["id"], row["status"]) for row in rows] == [("1", "pass"), ("2", "error"), ("3", "pass")]
    assert rows[1]["error"].startswith("not a transcript: JSONDecodeError")


def test_a_table_without_messages_is_refused() -> None:
    with pytest.raises(ValueError, match="needs a column 'messages'; found: text"):
        batch_grader(SPEC)(pa.table({"text": ["a"]}))


def test_an_empty_table_gives_an_empty_table() -> None:
    table = batch_grader(SPEC)(pa.Table.from_pylist([], transcript_schema()))
    assert (table.num_rows, table.schema) == (0, verdict_schema())


def test_a_grader_pickles() -> None:
    grader = pickle.loads(pickle.dumps(batch_grader(SPEC)))
    assert grader(transcript_table(TRANSCRIPTS)) == batch_grader(SPEC)(transcript_table(TRANSCRIPTS))


def test_arrow_is_imported_only_when_asked_for() -> None:
    code = "import sys, turngrade.core; sys.exit('pyarrow' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
