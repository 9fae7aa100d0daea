"""A Ray Data dataset of transcripts in, one of verdicts out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turngrade.core import BatchGrader, SpecSource, batch_grader

if TYPE_CHECKING:
    import pyarrow as pa
    from ray.data import ActorPoolStrategy, Dataset  # pyright: ignore[reportMissingImports]

BATCH_SIZE = 1024


class GraderActor:
    """Keeps the compiled spec on a worker while batches come and go."""

    def __init__(self, grader: BatchGrader) -> None:
        self.grader = grader

    def __call__(self, batch: pa.Table) -> pa.Table:
        """Grade one batch."""
        return self.grader(batch)


def grade_dataset(
    transcripts: Dataset, spec: SpecSource, *, workers: int | tuple[int, int] | None = None
) -> Dataset:
    """Grade a dataset of transcripts.

    Args:
        transcripts: Rows as `turngrade.core.transcript_schema` describes them.
        spec: As `turngrade.core.load_spec` takes it; loaded here, so that a fault stops before any work.
        workers: Number of grading actors, or the fewest and the most; by default 1 up to the cluster's CPUs.

    Returns:
        A lazy dataset of `turngrade.core.verdict_schema`.

    Raises:
        InvalidSpec: The spec cannot be used.
    """
    return transcripts.map_batches(
        GraderActor,
        fn_constructor_args=(batch_grader(spec),),
        batch_size=BATCH_SIZE,
        batch_format="pyarrow",
        compute=actor_pool(workers),
    )


def actor_pool(workers: int | tuple[int, int] | None) -> ActorPoolStrategy:
    """The pool of actors for a number of workers, or a range of it."""
    import ray.data  # pyright: ignore[reportMissingImports]

    if workers is None:
        workers = (1, max(1, int(ray.cluster_resources().get("CPU", 1))))
    fewest, most = (workers, workers) if isinstance(workers, int) else workers
    return ray.data.ActorPoolStrategy(min_size=fewest, max_size=most)
