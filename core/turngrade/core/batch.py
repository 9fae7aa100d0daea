"""Grading in bulk: an Arrow table of transcripts in, one of verdicts out.

This is the form in which engines such as Ray Data or Spark's ``mapInArrow`` move rows. It needs ``pyarrow``
(extra ``parquet``), which is imported when a grader or a schema is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from turngrade.core.arrow import transcripts_of
from turngrade.core.spec import Spec, SpecSource, load_spec
from turngrade.core.transcript import Transcript, Unreadable
from turngrade.core.verdict import Grade, Hit, Verdict
from turngrade.core.version import version

if TYPE_CHECKING:
    import pyarrow as pa

    from turngrade.core.arrow import Rows

_HIT_FIELDS = ("message_index", "message_id", "agent", "field", "start", "end")


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

    def __call__(self, rows: Rows) -> Rows:
        """Grade transcripts.

        Args:
            rows: Of `transcript_schema`, in any of Arrow's encodings; further columns are ignored.

        Returns:
            Verdicts of `verdict_schema`, in the order of the rows: a table for a table, a record batch for a
            record batch. A row that cannot be read as a transcript, or not be graded, becomes an error row.
            A transcript to which no grader of the spec applies has no row.

        Raises:
            TypeError: It is neither a table nor a record batch.
            ValueError: There is no column ``messages``, or no list of texts in it.
        """
        import pyarrow as pa

        schema = verdict_schema()
        columns: list[list[Any]] = [[] for _ in schema]
        for transcript in transcripts_of(rows):
            for verdict in self._verdict_rows(transcript):
                for column, value in zip(columns, verdict, strict=True):
                    column.append(value)
        arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
        kind = pa.RecordBatch if isinstance(rows, pa.RecordBatch) else pa.Table
        return kind.from_arrays(arrays, schema=schema)

    def _verdict_rows(self, transcript: Transcript | Unreadable) -> Iterator[tuple[Any, ...]]:
        grade = self._grade(transcript)
        head = (grade.source, grade.id, grade.epoch, grade.passed, grade.score)
        if grade.error is not None:
            yield (*head, None, None, "error", None, None, None, [], grade.error, *self._provenance)
        for verdict in grade.verdicts:
            yield (*head, *_verdict_values(verdict), *self._provenance)

    def _grade(self, transcript: Transcript | Unreadable) -> Grade:
        try:
            return self.spec.grade(transcript)
        except Exception as error:  # one row must not cost a cluster the work on all others
            fault = f"cannot be graded: {type(error).__name__}: {error}"
            place = (transcript.source or "", fault, transcript.id, transcript.epoch)
            return self.spec.grade(Unreadable(*place))


def _verdict_values(verdict: Verdict) -> tuple[Any, ...]:
    says = (verdict.status, verdict.evidence, verdict.reason, verdict.matched)
    return (verdict.name, verdict.type, *says, [_hit_values(hit) for hit in verdict.hits], None)


def _hit_values(hit: Hit) -> dict[str, Any]:
    return {name: getattr(hit, name) for name in _HIT_FIELDS}
