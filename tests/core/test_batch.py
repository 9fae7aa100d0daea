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
    arrow,
    batch_grader,
    load_spec,
    transcript_schema,
    transcript_table,
    transcripts_of,
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


def test_a_record_batch_gives_a_record_batch() -> None:
    table = transcript_table(TRANSCRIPTS)
    (batch,) = table.to_batches()
    graded = batch_grader(SPEC)(batch)
    assert isinstance(graded, pa.RecordBatch)
    assert graded.to_pylist() == batch_grader(SPEC)(table).to_pylist()


def test_no_text_of_a_transcript_is_in_the_result() -> None:
    secret = Transcript.from_texts(["my secret refund 4111"])
    table = batch_grader([{"type": "transcript-matches", "config": {"pattern": r"refund (\d+)"}}])(
        transcript_table([secret])
    )
    assert "4111" not in str(table.to_pylist())
    assert table.to_pylist()[0]["hits"][0]["start"] == 10


@pytest.mark.parametrize(
    ("name", "values", "fault"),
    [
        ("output_fields", [None, "{broken", "{}"], "JSONDecodeError: "),
        ("output_fields", [None, "[1]", "{}"], "output_fields: expected an object, as JSON or as a struct"),
        ("output", [None, 7, None], "output: expected text, not int"),
        ("output", [None, b"refund", None], "output: expected text, not bytes"),
        ("source", [None, [1], None], "source: expected text, not list"),
        ("epoch", [1.0, 1.5, float("nan")], "epoch: expected a whole number, not 1.5"),
        ("epoch", [1.0, 1e30, None], "epoch: expected a whole number, not 1e+30"),
        ("epoch", [None, "two", None], "epoch: expected a whole number, not 'two'"),
        ("incomplete", [None, True, None], "incomplete: expected text, not bool"),
    ],
)
def test_a_bad_row_is_an_error_row_and_the_rest_is_graded(name: str, values: list[Any], fault: str) -> None:
    table = pa.table({"messages": [["a refund"], ["x"], ["refund"]], "id": [1, 2, 3], name: values})
    rows = batch_grader([SPEC["graders"][0]])(table).to_pylist()
    assert [(row["id"], row["status"]) for row in rows] == [("1", "pass"), ("2", "error"), ("3", "pass")]
    assert rows[1]["error"].startswith(f"not a transcript: {fault}")
    assert [row["error"] for row in (rows[0], rows[2])] == [None, None]


def test_bytes_that_are_no_text_cost_their_row_alone() -> None:
    broken = pa.array([b"a refund", b"\xff refund", b"refund"], pa.binary())
    texts = pa.StringArray.from_buffers(3, broken.buffers()[1], broken.buffers()[2])
    offsets = pa.array([0, 1, 2, 3], pa.int32())
    messages = pa.ListArray.from_arrays(offsets, texts)
    table = pa.table({"messages": messages, "id": ["a", "b", "c"], "source": texts})
    rows = batch_grader([SPEC["graders"][0]])(table).to_pylist()
    assert [(row["id"], row["status"]) for row in rows] == [("a", "pass"), ("b", "error"), ("c", "pass")]
    assert rows[1]["error"].startswith("not a transcript: 'utf-8' codec can't decode byte 0xff")


def test_a_row_that_grading_fails_on_is_an_error_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """Should ever a text be found that a grader raises for."""
    grader = batch_grader([SPEC["graders"][0]])
    judge = type(grader.spec.graders[0]).judge

    def raises(self: Any, transcript: Transcript, subjects: Any) -> Any:
        if transcript.id == "b":
            raise RecursionError("too deep")
        return judge(self, transcript, subjects)

    monkeypatch.setattr(type(grader.spec.graders[0]), "judge", raises)
    rows = grader(pa.table({"messages": [["refund"]] * 3, "id": ["a", "b", "c"]})).to_pylist()
    assert [row["status"] for row in rows] == ["pass", "error", "pass"]
    assert rows[1]["error"] == "cannot be graded: RecursionError: too deep"


@pytest.mark.parametrize(
    ("table", "fault"),
    [
        (pa.table({"text": ["a"]}), "needs a column 'messages'; found: text"),
        (pa.table([]), "needs a column 'messages'; found: none"),
        (pa.table({"messages": ["a"]}), "'messages' must be a list of strings.* not string"),
        (pa.table({"messages": [[1]]}), "'messages' must be a list of strings.* not list<.*int64>"),
        (pa.table({"messages": [[{"role": "user"}]]}), "with a field 'text', not list<.*role: string>>"),
        (pa.table({"messages": [["a"]], "model_calls": [b"a"]}), "'model_calls' must be .* not binary"),
        (pa.table([[["a"]], ["1"], ["2"]], ["messages", "id", "id"]), "2 columns 'id'"),
    ],
)
def test_a_table_without_messages_is_refused(table: pa.Table, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        batch_grader(SPEC)(table)


def test_what_is_no_table_is_refused() -> None:
    with pytest.raises(TypeError, match="a pyarrow Table or RecordBatch of transcripts is graded, not dict"):
        batch_grader(SPEC)({"messages": [["a"]]})


TEXTS = [["a \U0001f600 refund", None], [], None, ["Refund " + "x" * 100_000], ["a \U0001f600 refund", None]]

ENCODINGS = [
    pa.list_(pa.string()),
    pa.large_list(pa.large_string()),
    pa.list_view(pa.string_view()),
    pa.list_(pa.dictionary(pa.int8(), pa.string())),
    pa.large_list(pa.struct({"text": pa.large_string(), "role": pa.string()})),
]


@pytest.mark.parametrize("type", ENCODINGS, ids=str)
def test_every_encoding_of_texts_gives_the_same(type: pa.DataType) -> None:
    def of(message: str | None) -> Any:
        return {"text": message} if "struct" in str(type) else message

    values = [None if texts is None else [of(text) for text in texts] for texts in TEXTS]
    ids = pa.array(["twice", None, "b", "c", "twice"]).dictionary_encode()
    expected = batch_grader(SPEC)(pa.table({"messages": TEXTS, "id": ids.cast(pa.string())}))
    column = pa.chunked_array([pa.array(values[:2], type), pa.array([], type), pa.array(values[2:], type)])
    table = pa.table({"messages": column, "id": ids})
    assert batch_grader(SPEC)(table) == expected
    assert expected.to_pylist()[0]["hits"][0]["start"] == 4


def test_columns_of_nulls_are_transcripts_without_messages() -> None:
    nulls = pa.nulls(2)
    table = pa.table(dict.fromkeys(transcript_schema().names, nulls))
    assert list(transcripts_of(table)) == [Transcript((), None)] * 2
    assert [row["reason"] for row in batch_grader(SPEC)(table).to_pylist()[:2]] == ["no_messages"] * 2


def test_transcripts_come_back_as_they_went() -> None:
    back = list(transcripts_of(transcript_table(TRANSCRIPTS)))
    assert back == TRANSCRIPTS


def test_half_of_a_character_becomes_a_replacement_character() -> None:
    """Arrow's texts are UTF-8, which has no halves; offsets stay what they were."""
    table = transcript_table(
        [Transcript.from_texts(["\ud83d refund"], id="\ud83d"), Unreadable("\ud83d", "\ude00")]
    )
    rows = batch_grader([SPEC["graders"][0]])(table).to_pylist()
    assert (rows[0]["id"], rows[0]["hits"][0]["start"]) == ("\ufffd", 2)
    assert (rows[1]["source"], rows[1]["error"]) == ("\ufffd", "\ufffd")


def test_few_long_rows_are_objects_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    decoded = arrow._decoded

    def counted(rows: Any) -> Any:
        sizes.append(rows.num_rows)
        return decoded(rows)

    monkeypatch.setattr(arrow, "CHUNK_BYTES", 1000)
    monkeypatch.setattr(arrow, "_decoded", counted)
    for length in (10, 250, 5000):
        list(transcripts_of(pa.table({"messages": [["x" * length]] * 4})))
    assert sizes == [4, 3, 1, 1, 1, 1, 1]


def test_an_empty_table_gives_an_empty_table() -> None:
    table = batch_grader(SPEC)(pa.Table.from_pylist([], transcript_schema()))
    assert (table.num_rows, table.schema) == (0, verdict_schema())


def test_a_grader_pickles() -> None:
    grader = pickle.loads(pickle.dumps(batch_grader(SPEC)))
    assert grader(transcript_table(TRANSCRIPTS)) == batch_grader(SPEC)(transcript_table(TRANSCRIPTS))


def test_arrow_is_imported_only_when_asked_for() -> None:
    code = "import sys, turngrade.core; sys.exit('pyarrow' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
