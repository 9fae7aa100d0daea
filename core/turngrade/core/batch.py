"""Grading in bulk: an Arrow table of transcripts in, one of verdicts out.

This is the form in which engines such as Ray Data or Spark's ``mapInArrow`` move rows. It needs ``pyarrow``
(extra ``parquet``), which is imported when a grader or a schema is asked for.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from turngrade.core.spec import Spec, SpecSource, load_spec
from turngrade.core.transcript import AssistantMessage, Transcript, Unreadable, last_text
from turngrade.core.verdict import Hit, Verdict
from turngrade.core.version import version

if TYPE_CHECKING:
    import pyarrow as pa

    Rows: TypeAlias = pa.Table | pa.RecordBatch

CHUNK = 256
"""Rows that are Python objects at one time."""

_MESSAGE_FIELDS = ("text", "id", "agent", "raw_text")
_SCOPES = ("messages", "conversation", "model_calls")
_HIT_FIELDS = ("message_index", "message_id", "agent", "field", "start", "end")


def transcript_schema() -> pa.Schema:
    """The Arrow schema of transcripts.

    Only ``messages`` is required; it may also be a list of plain strings. Without a column ``output`` the
    final output is the last message that has text. ``output_fields`` is JSON, for the spec's ``output_key``.
    A row with an ``error`` is graded to an error row.
    """
    import pyarrow as pa

    message = pa.struct([(name, pa.string()) for name in _MESSAGE_FIELDS])
    columns = [("source", pa.string()), ("id", pa.string()), ("epoch", pa.int64())]
    columns += [(scope, pa.list_(message)) for scope in _SCOPES]
    columns += [("output", pa.string()), ("output_without_text", pa.bool_())]
    columns += [(name, pa.string()) for name in ("output_fields", "incomplete", "stimulus", "error")]
    return pa.schema(columns)


def verdict_schema() -> pa.Schema:
    """The Arrow schema of verdicts: one row a verdict, or one for a transcript that could not be graded.

    ``passed`` and ``score`` are the transcript's; ``status`` and the columns behind it the grader's. Hits say
    where, not what: no text of a transcript is in the result.
    """
    import pyarrow as pa

    types = {"message_index": pa.int64(), "start": pa.int64(), "end": pa.int64()}
    hit = pa.struct([(name, types.get(name, pa.string())) for name in _HIT_FIELDS])
    return pa.schema(
        [
            ("source", pa.string()),
            ("id", pa.string()),
            ("epoch", pa.int64()),
            ("passed", pa.bool_()),
            ("score", pa.float64()),
            ("name", pa.string()),
            ("type", pa.string()),
            ("status", pa.string()),
            ("evidence", pa.string()),
            ("reason", pa.string()),
            ("matched", pa.int64()),
            ("hits", pa.list_(hit)),
            ("error", pa.string()),
            ("spec_digest", pa.string()),
            ("turngrade_version", pa.string()),
        ]
    )


def transcript_table(transcripts: Iterable[Transcript | Unreadable]) -> pa.Table:
    """Transcripts as an Arrow table of `transcript_schema`, for engines and for Parquet."""
    import pyarrow as pa

    return pa.Table.from_pylist([_to_row(transcript) for transcript in transcripts], transcript_schema())


def batch_grader(spec: SpecSource) -> BatchGrader:
    """A function from a table of transcripts to a table of verdicts.

    Args:
        spec: As `load_spec` takes it. It is loaded and compiled once.

    Raises:
        InvalidSpec: The spec cannot be used.
    """
    return BatchGrader(load_spec(spec))


class BatchGrader:
    """Grades Arrow tables or record batches. Picklable, so that engines may send it to their workers."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self._provenance = (spec.digest, version())

    def __call__(self, rows: Rows) -> pa.Table:
        """Grade transcripts.

        Args:
            rows: Of `transcript_schema`; further columns are ignored.

        Returns:
            Verdicts of `verdict_schema`, in the order of the rows. A row that cannot be read as a transcript
            becomes an error row.

        Raises:
            ValueError: There is no column ``messages``.
        """
        import pyarrow as pa

        if "messages" not in rows.schema.names:
            found = ", ".join(rows.schema.names) or "none"
            raise ValueError(f"a table of transcripts needs a column 'messages'; found: {found}")
        schema = verdict_schema()
        columns: list[list[Any]] = [[] for _ in schema]
        for row in _python_rows(rows):
            for verdict in self._verdict_rows(row):
                for column, value in zip(columns, verdict, strict=True):
                    column.append(value)
        arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
        return pa.Table.from_arrays(arrays, schema=schema)

    def _verdict_rows(self, row: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
        try:
            transcript = _from_row(row)
        except Exception as error:  # whatever is in the row, the others are graded
            place = (_text(row.get("source")) or "", f"not a transcript: {type(error).__name__}: {error}")
            transcript = Unreadable(*place, id=_text(row.get("id")))
        grade = self.spec.grade(transcript)
        head = (grade.source, grade.id, grade.epoch, grade.passed, grade.score)
        if grade.error is not None:
            yield (*head, None, None, "error", None, None, None, [], grade.error, *self._provenance)
        for verdict in grade.verdicts:
            yield (*head, *_verdict_values(verdict), *self._provenance)


def _verdict_values(verdict: Verdict) -> tuple[Any, ...]:
    says = (verdict.status, verdict.evidence, verdict.reason, verdict.matched)
    return (verdict.name, verdict.type, *says, [_hit_values(hit) for hit in verdict.hits], None)


def _hit_values(hit: Hit) -> dict[str, Any]:
    return {name: getattr(hit, name) for name in _HIT_FIELDS}


def _python_rows(rows: Rows) -> Iterator[dict[str, Any]]:
    known = [name for name in transcript_schema().names if name in rows.schema.names]
    chosen = rows.select(known)
    for start in range(0, chosen.num_rows, CHUNK):
        yield from chosen.slice(start, CHUNK).to_pylist()


def _from_row(row: Mapping[str, Any]) -> Transcript | Unreadable:
    source, id, epoch = _text(row.get("source")), _text(row.get("id")), row.get("epoch")
    if row.get("error") is not None:
        return Unreadable(source or "", str(row["error"]), id, epoch)
    messages = _messages(row["messages"] or ())
    stimulus = row.get("stimulus")
    return Transcript(
        messages,
        row["output"] if "output" in row else last_text(messages),
        id=id,
        source=source,
        epoch=epoch,
        conversation=None if row.get("conversation") is None else _messages(row["conversation"]),
        model_calls=None if row.get("model_calls") is None else _messages(row["model_calls"]),
        output_fields=None if row.get("output_fields") is None else json.loads(row["output_fields"]),
        output_without_text=bool(row.get("output_without_text")),
        incomplete=row.get("incomplete"),
        metadata={} if stimulus is None else {"stimulus": stimulus},
    )


def _messages(values: Sequence[Any]) -> tuple[AssistantMessage, ...]:
    return tuple(
        AssistantMessage(value, index)
        if isinstance(value, str)
        else AssistantMessage(
            value["text"] or "", index, value.get("id"), value.get("agent"), value.get("raw_text")
        )
        for index, value in enumerate(values)
    )


def _to_row(transcript: Transcript | Unreadable) -> dict[str, Any]:
    row: dict[str, Any] = {"source": transcript.source, "id": transcript.id, "epoch": transcript.epoch}
    if isinstance(transcript, Unreadable):
        return {**row, "error": transcript.message}
    for scope in _SCOPES:
        messages = getattr(transcript, scope)
        row[scope] = None if messages is None else [_message_row(message) for message in messages]
    for name in ("output", "output_without_text", "incomplete"):
        row[name] = getattr(transcript, name)
    if transcript.output_fields is not None:
        row["output_fields"] = json.dumps(transcript.output_fields, default=str)
    return {**row, "stimulus": _text(transcript.metadata.get("stimulus"))}


def _message_row(message: AssistantMessage) -> dict[str, Any]:
    return {name: getattr(message, name) for name in _MESSAGE_FIELDS}


def _text(value: Any) -> str | None:
    return None if value is None else str(value)
