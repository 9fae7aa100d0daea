"""A Vally eval file → a spec: the graders that turngrade has, and nothing else.

Source: Vally's documentation of its eval spec.
"""

from __future__ import annotations

from typing import Any

from turngrade.adapters.cli.importing.imported import Imported, NotImportable, read_mapping
from turngrade.core.source import Document
from turngrade.core.vally import without_foreign_graders

KEPT = ("name", "description", "version")
SCORING = ("weights", "threshold")


def from_vally(name: str) -> Imported:
    """Make a spec of a Vally eval file; stimuli keep their names and their graders.

    Raises:
        NotImportable: The file cannot be read, or has no grader that turngrade has.
    """
    data = read_mapping(name)
    stimuli = data.get("stimuli", [])
    data = {**data, "stimuli": stimuli if isinstance(stimuli, list) else []}
    known, warnings = without_foreign_graders(Document(data))
    spec: dict[str, Any] = {key: data[key] for key in KEPT if key in data}
    spec["graders"] = _graders(known["graders"])
    spec["stimuli"] = [
        {"name": stimulus.get("name"), "graders": graders}
        for stimulus in known["stimuli"]
        if isinstance(stimulus, dict) and (graders := _graders(stimulus["graders"]))
    ]
    if not spec["graders"] and not spec["stimuli"]:
        raise NotImportable(name, "has no grader of a type that turngrade has")
    if not spec["stimuli"]:
        del spec["stimuli"]
    return Imported(_with_scoring(spec, data.get("scoring")), tuple(map(str, warnings)))


def _graders(graders: Any) -> list[Any]:
    return [grader for grader in graders if grader is not None] if isinstance(graders, list) else []


def _with_scoring(spec: dict[str, Any], scoring: Any) -> dict[str, Any]:
    kept = {key: scoring[key] for key in SCORING if key in scoring} if isinstance(scoring, dict) else {}
    return {**spec, "scoring": kept} if kept else spec
