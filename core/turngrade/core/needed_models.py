"""Validation with the models that a spec needs: to build all of them takes longer than to grade.

The result is what the model of the whole file gives. What that model would complain of is left to it, for
only it tells all problems.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, get_args

from pydantic import Field, ValidationError

from turngrade.core.models import GRADERS, Grader, SpecFile

_BY_TYPE: Final[dict[str, type[Grader]]] = {
    name: model for model in GRADERS for name in get_args(model.model_fields["type"].annotation)
}


class _Frame(SpecFile):
    """A spec file without a look at its graders."""

    graders: Annotated[list[Any], Field(min_length=1)]


def spec_of_needed_models(data: Any) -> SpecFile | None:
    """The spec that a document holds; None if anything is wrong with it."""
    try:
        frame = _Frame.model_validate(data)
        graders = [_BY_TYPE[grader["type"]].model_validate(grader) for grader in frame.graders]
    except (ValidationError, LookupError, TypeError):
        return None
    return SpecFile.model_construct(frame.model_fields_set, **{**dict(frame), "graders": graders})
