"""A promptfoo configuration → a spec: its ``regex`` and ``contains`` families.

Source: promptfoo's documentation of deterministic assertions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from turngrade.adapters.cli.importing.imported import Imported, NotImportable, read_mapping

_CONTAINS = {
    "contains": ("output-contains", True),
    "icontains": ("output-contains", False),
    "contains-any": ("any", True),
    "icontains-any": ("any", False),
    "contains-all": ("all", True),
    "icontains-all": ("all", False),
}
"""What a type becomes (a grader type, or the mode of ``contains``), and whether case counts."""


def from_promptfoo(name: str) -> Imported:
    """Make a spec of a promptfoo configuration.

    The assertions of ``defaultTest`` apply to every transcript, those of a test to the transcripts whose id,
    or metadata ``stimulus``, is its description (or ``test-N``).

    Raises:
        NotImportable: The file cannot be read, or has no assertion that can be carried over.
    """
    data = read_mapping(name)
    importer = _Importer(data.get("assertionTemplates"))
    description = data.get("description")
    spec: dict[str, Any] = {"description": description} if isinstance(description, str) else {}
    default = data.get("defaultTest")
    spec["graders"] = importer.graders(default, "defaultTest") if default is not None else []
    stimuli = importer.stimuli(data.get("tests"))
    if data.get("scenarios"):
        importer.left_out.append("scenarios: write their tests out under tests")
    if not spec["graders"] and not stimuli:
        raise NotImportable(name, "has no assertion of the regex or contains family that can be carried over")
    return Imported(spec | ({"stimuli": stimuli} if stimuli else {}), tuple(importer.left_out))


class _Importer:
    """Turns assertions into graders and lists those that it cannot."""

    def __init__(self, templates: Any) -> None:
        self.left_out: list[str] = []
        self.templates: dict[Any, Any] = templates if isinstance(templates, dict) else {}

    def stimuli(self, tests: Any) -> list[dict[str, Any]]:
        if tests is not None and not isinstance(tests, list):
            self.left_out.append(f"tests: {tests!r} is loaded from elsewhere")
        stimuli = [
            {"name": _name_of(test, number), "graders": graders}
            for number, test in enumerate(tests if isinstance(tests, list) else [], start=1)
            if (graders := self.graders(test, f"tests[{number - 1}]"))
        ]
        return _with_names(stimuli)

    def graders(self, test: Any, path: str) -> list[dict[str, Any]]:
        if not isinstance(test, dict):
            self.left_out.append(f"{path}: {test!r} is loaded from elsewhere")
            return []
        if "threshold" in test:
            self.left_out.append(f"{path}.threshold: write scoring.threshold for the whole spec")
        return _with_names(list(self._graders(test.get("assert"), f"{path}.assert")))

    def _graders(self, assertions: Any, path: str) -> Iterator[dict[str, Any]]:
        if assertions is None:
            return
        if not isinstance(assertions, list):
            self.left_out.append(f"{path}: {assertions!r} is loaded from elsewhere")
            return
        for index, assertion in enumerate(assertions):
            place = f"{path}[{index}]"
            assertion = self.resolved(assertion)
            kind = assertion.get("type") if isinstance(assertion, dict) else None
            if kind == "assert-set" and "threshold" not in assertion:
                yield from self._graders(assertion.get("assert"), f"{place}.assert")
                continue
            grader = _grader(assertion) if isinstance(kind, str) else "is no assertion"
            if isinstance(grader, str):
                self.left_out.append(f"{place}: {kind or assertion!r} {grader}")
                continue
            if "weight" in assertion:
                self.left_out.append(f"{place}.weight: {assertion['weight']!r}; write scoring.weights")
            yield grader

    def resolved(self, assertion: Any) -> Any:
        """The assertion, or the template that it refers to."""
        name = assertion.get("$ref") if isinstance(assertion, dict) else None
        if not isinstance(name, str):
            return assertion
        return self.templates.get(name.removeprefix("#/assertionTemplates/"), assertion)


def _grader(assertion: dict[str, Any]) -> dict[str, Any] | str:
    """The grader of an assertion, or why there is none, in words that follow its type."""
    kind, value = assertion["type"], assertion.get("value")
    if "transform" in assertion:
        return "has a transform, which turngrade does not run"
    if "{{" in str(value) or str(value).startswith(("file://", "package:")):
        return "has a value that promptfoo fills in"
    negated, base = kind.startswith("not-"), kind.removeprefix("not-")
    if base == "regex":
        grader = {
            "type": "output-not-matches" if negated else "output-matches",
            "config": {"pattern": str(value)},
        }
    elif base in _CONTAINS:
        grader = _contains(base, value, negated)
    else:
        return "has no counterpart in turngrade"
    metric = assertion.get("metric")
    return {**grader, "name": metric} if isinstance(metric, str) else grader


def _contains(base: str, value: Any, negated: bool) -> dict[str, Any]:
    target, case = _CONTAINS[base]
    config: dict[str, Any] = {"case_sensitive": True} if case else {}
    if target == "output-contains":
        name = "output-not-contains" if negated else target
        return {"type": name, "config": {"substring": str(value), **config}}
    values = value if isinstance(value, list) else [part.strip() for part in str(value).split(",")]
    config |= {"mode": target} | ({"negate": True} if negated else {})
    return {"type": "contains", "config": {"value": [str(part) for part in values], **config}}


def _with_names(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Promptfoo lets assertions share a metric, and tests a description; later ones get a number here."""
    taken = {item["name"] for item in items if "name" in item}
    seen: set[str] = set()
    named = []
    for item in items:
        name = first = item.get("name")
        number = 1
        while name is not None and name in (seen if number == 1 else taken):
            number += 1
            name = f"{first}-{number}"
        if name is not None:
            seen.add(name)
            taken.add(name)
            item = {**item, "name": name}
        named.append(item)
    return named


def _name_of(test: Any, number: int) -> str:
    description = test.get("description") if isinstance(test, dict) else None
    return description if isinstance(description, str) and description else f"test-{number}"
