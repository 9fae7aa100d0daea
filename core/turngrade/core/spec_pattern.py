"""A pattern as a spec has it, for those who look at specs without grading."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from turngrade.core.build import canonical_type
from turngrade.core.models import Grader, SpecFile, VallyFile
from turngrade.core.problems import Path, path_text
from turngrade.core.source import Places

_KEYS: Final[tuple[Literal["pattern", "unless"], ...]] = ("pattern", "unless")


@dataclass(frozen=True, slots=True)
class SpecPattern:
    """A pattern of a spec and where it stands, whether it compiles or not.

    Args:
        path: Where in the spec, such as ``graders[2].config.pattern``.
        key: The key that holds it.
        pattern: As written, with a leading ``(?ims)``.
        flags: The flags beside it; None where they are a prefix of the pattern.
        type: The grader's type, without aliases.
        line: Line in the file, from 1; None where it is not known.
        column: Column in the file, from 1; None where it is not known.
    """

    path: str
    key: Literal["pattern", "unless"]
    pattern: str
    flags: str | None
    type: str
    line: int | None = None
    column: int | None = None


def patterns_of(model: SpecFile, places: Places) -> Iterator[SpecPattern]:
    """All patterns of a validated spec, in the order of the file.

    Args:
        model: The spec.
        places: Where its keys are.
    """
    yield from _of_graders(model.graders, ("graders",), places)
    for index, stimulus in enumerate(model.stimuli if isinstance(model, VallyFile) else ()):
        yield from _of_graders(stimulus.graders, ("stimuli", index, "graders"), places)


def _of_graders(models: Sequence[Grader | None], path: Path, places: Places) -> Iterator[SpecPattern]:
    for index, model in enumerate(models):
        config = model.config if model is not None else None
        for key in _KEYS:
            pattern = getattr(config, key, None)
            if model is not None and pattern is not None:
                at = (*path, index, "config", key)
                type, flags = canonical_type(model.type), getattr(config, "flags", None)
                yield SpecPattern(path_text(at), key, pattern, flags, type, *places.of(at))
