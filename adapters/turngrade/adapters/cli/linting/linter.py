"""Lints one spec file: its faults, its patterns, its weights."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from turngrade.adapters.cli.linting.finding import Finding
from turngrade.adapters.cli.linting.rule import Remark, Rule
from turngrade.adapters.cli.linting.rules import RULES
from turngrade.adapters.cli.linting.subject import PatternSubject, pattern_subject
from turngrade.core import InvalidPattern, InvalidSpec, Spec, SpecProblem, load_spec
from turngrade.core.build import canonical_type
from turngrade.core.problems import Path as SpecPath
from turngrade.core.problems import path_text
from turngrade.core.source import Document, read_document


def lint_file(name: str, ignored: frozenset[str] = frozenset()) -> list[Finding]:
    """Lint a spec.

    Args:
        name: The file.
        ignored: Names of rules whose warnings are not wanted.

    Returns:
        Faults of the spec alone where it does not load; else faults of patterns, and warnings, in the order
        of the file.
    """
    try:
        with _readable_twice(Path(name)) as path:
            spec, document = load_spec(path), read_document(path)
    except InvalidSpec as error:
        return _in_order([_fault(name, problem, "spec") for problem in error.problems])
    found = [_fault(name, problem, "pattern") for problem in spec.problems()]
    found += [_warning(name, note, document) for note in spec.warnings if "spec" not in ignored]
    found += [one for one in _patterns(name, spec, document) if one.rule not in ignored]
    return _in_order(found)


@contextmanager
def _readable_twice(path: Path) -> Iterator[Path]:
    """The path, or that of a copy for a pipe, such as the shell's ``<(command)``."""
    if path.is_file() or path.is_dir() or not path.exists():
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="turngrade-") as folder:
        copy = Path(folder, path.name)
        copy.write_bytes(path.read_bytes())
        yield copy


def _in_order(findings: list[Finding]) -> list[Finding]:
    """In the order of the file; what has no place stands first."""
    return sorted(findings, key=lambda one: (one.line or 0, one.column or 0))


def _fault(name: str, problem: SpecProblem, rule: str) -> Finding:
    first, *others = (problem.detail or problem.message).splitlines()
    return Finding(rule, "error", name, problem.path, first, problem.line, problem.column, tuple(others))


def _warning(name: str, note: str, document: Document) -> Finding:
    """A warning of the spec, which begins with its path unless it is about the whole file."""
    paths = [(f"{path_text(path)}: ", path) for path in document.positions]
    head, path = max(
        ((text, path) for text, path in paths if note.startswith(text)),
        key=lambda pair: len(pair[0]),
        default=("", ()),
    )
    line, column = document.locate(path)
    return Finding("spec", "warning", name, path_text(path), note.removeprefix(head), line, column)


def _patterns(name: str, spec: Spec, document: Document) -> Iterator[Finding]:
    for path, grader in _graders(spec.model):
        config = grader.config
        for key in ("pattern", "unless"):
            pattern = getattr(config, key, None)
            if pattern is None:
                continue
            subject = pattern_subject(
                pattern,
                getattr(config, "flags", None),
                key=key,
                type=canonical_type(grader.type),
                in_json=Path(name).suffix.lower() == ".json",
            )
            if subject is not None:
                yield from _remarks(name, document, (*path, "config", key), subject)


def _graders(model: Any) -> Iterator[tuple[SpecPath, Any]]:
    """The graders of a spec's model with their paths; those of a Vally file that are skipped are None."""
    groups: list[tuple[SpecPath, Any]] = [(("graders",), model.graders)]
    groups += [
        (("stimuli", at, "graders"), stimulus.graders)
        for at, stimulus in enumerate(getattr(model, "stimuli", ()))
    ]
    for path, graders in groups:
        for index, grader in enumerate(graders):
            if grader is not None:
                yield (*path, index), grader


def _remarks(name: str, document: Document, path: SpecPath, subject: PatternSubject) -> Iterator[Finding]:
    line, column = document.locate(path)
    for rule in RULES:
        for remark in rule.check(subject):
            detail = tuple(_detail(subject, rule, remark))
            yield Finding(rule.name, "warning", name, path_text(path), remark.message, line, column, detail)


def _detail(subject: PatternSubject, rule: Rule, remark: Remark) -> Iterator[str]:
    """The pattern with a caret, as for a pattern that is not valid, and what to write instead."""
    if remark.position is not None:
        pointed = InvalidPattern(subject.pattern, "", rule.title, position=remark.position + subject.offset)
        yield from pointed.explain().splitlines()[1:]
    yield f"hint: {remark.instead}"
