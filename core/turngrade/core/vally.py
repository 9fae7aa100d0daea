"""Vally's eval files: what turngrade can grade of them, and what it leaves out, by name.

Source: Vally's documentation of its eval spec (``stimuli``, ``turn``, grader types).
"""

from __future__ import annotations

from typing import Any

from turngrade.core.configs import GRADER_TYPES, TYPE_ALIASES
from turngrade.core.models import Scoring
from turngrade.core.problems import Path, SpecProblem
from turngrade.core.section import keys_of
from turngrade.core.source import Document
from turngrade.core.validation import problem_at

_KNOWN = {*GRADER_TYPES, *TYPE_ALIASES}


def is_vally(data: Any) -> bool:
    """Whether the data is a Vally eval file rather than a plain spec."""
    return isinstance(data, dict) and "stimuli" in data


def without_foreign_graders(document: Document) -> tuple[dict[str, Any], tuple[SpecProblem, ...]]:
    """Replace graders that turngrade lacks by None, so that the paths of the others stay true.

    Args:
        document: A Vally eval file.

    Returns:
        The data and one warning for each grader that is skipped.
    """
    data = document.data
    warnings: list[tuple[Path, str]] = []
    kept = dict(data)
    if isinstance(data.get("scoring"), dict):
        kept["scoring"] = {key: data["scoring"][key] for key in keys_of(Scoring) if key in data["scoring"]}
    kept["graders"] = _kept(data.get("graders"), ("graders",), warnings)
    if isinstance(data["stimuli"], list):
        kept["stimuli"] = [
            _stimulus(stimulus, ("stimuli", index), warnings)
            for index, stimulus in enumerate(data["stimuli"])
        ]
    if not any(_groups(kept)):
        warnings.append(((), "the file has no grader that turngrade can apply"))
    return kept, tuple(problem_at(path, message, document) for path, message in warnings)


def _groups(data: dict[str, Any]) -> list[Any]:
    """The graders that are left, of the top level and of each stimulus."""
    stimuli = data["stimuli"] if isinstance(data["stimuli"], list) else []
    groups = [
        data["graders"],
        *(stimulus.get("graders") for stimulus in stimuli if isinstance(stimulus, dict)),
    ]
    return [grader for group in groups if isinstance(group, list) for grader in group if grader is not None]


def _stimulus(stimulus: Any, path: Path, warnings: list[tuple[Path, str]]) -> Any:
    if not isinstance(stimulus, dict):
        return stimulus
    return {**stimulus, "graders": _kept(stimulus.get("graders"), (*path, "graders"), warnings)}


def _kept(graders: Any, path: Path, warnings: list[tuple[Path, str]]) -> Any:
    if graders is None:
        return []
    if not isinstance(graders, list):
        return graders
    kept = []
    for index, grader in enumerate(graders):
        why = _why_skipped(grader)
        if why:
            warnings.append(((*path, index), f"skipped, {why}"))
        kept.append(None if why else grader)
    return kept


def _why_skipped(grader: Any) -> str | None:
    if not isinstance(grader, dict) or not isinstance(grader.get("type"), str):
        return None  # a fault of the spec, told by the validation
    name = f" (grader {grader['name']!r})" if "name" in grader else ""
    if grader["type"] not in _KNOWN:
        return f"turngrade has no grader of type {grader['type']!r}{name}"
    if "turn" in grader:
        return f"turngrade grades whole transcripts, not turn {grader['turn']!r} of a {grader['type']}{name}"
    return None
