"""The scorer of a whole spec."""

from inspect_ai.scorer import Scorer, accuracy, scorer, stderr

from turngrade.adapters.inspect.config import GraderSource, graders_spec
from turngrade.adapters.inspect.scorers.build import spec_scorer
from turngrade.adapters.inspect.values import OnError


@scorer(metrics={"*": [accuracy(), stderr()]})
def graders(
    graders: GraderSource | None = None, *, on_error: OnError = "incorrect", strict: bool = False
) -> Scorer:
    """Scorer which applies all graders of a spec file, with one result for each.

    The score of a sample is a dictionary: 1 or 0 for each grader, by its name, and their weighted
    `aggregate`. Inspect computes the metrics of each key on its own.

    Args:
       graders: Path of a spec file (YAML or JSON), or a spec's content as a dictionary, or a list of graders.
       on_error: What an error counts as: 0, or nothing ("unscored"), in which case the sample has no
          aggregate either.
       strict: Refuse invalid patterns at once, whatever the spec says.
    """
    return spec_scorer(graders_spec(graders, on_error=on_error, strict=strict), on_error)
