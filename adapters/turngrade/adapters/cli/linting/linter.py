"""Lints one spec file: its faults, its patterns, its weights."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from turngrade.adapters.cli.linting.finding import Finding, Level
from turngrade.adapters.cli.linting.rule import Remark, Rule
from turngrade.adapters.cli.linting.rules import RULES
from turngrade.adapters.cli.linting.subject import PatternSubject, pattern_subject
from turngrade.adapters.cli.specs import hint_for
from turngrade.core import InvalidPattern, InvalidSpec, SpecPattern, SpecProblem, load_spec


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
        spec = load_spec(Path(name))
    except InvalidSpec as error:
        hint = hint_for(name)
        found = [_finding(name, problem, "spec", "error") for problem in error.problems]
        return _in_order(
            [replace(one, detail=(*one.detail, f"hint: {hint}")) if hint else one for one in found]
        )
    faults = [_finding(name, problem, "pattern", "error") for problem in spec.problems()]
    warnings = [_finding(name, problem, "spec", "warning") for problem in spec.warnings]
    for pattern in spec.patterns():
        warnings += _remarks(name, pattern)
    return _in_order(faults + [one for one in warnings if one.rule not in ignored])


def _in_order(findings: list[Finding]) -> list[Finding]:
    """In the order of the file; what has no place stands first."""
    return sorted(findings, key=lambda one: (one.line or 0, one.column or 0))


def _finding(name: str, problem: SpecProblem, rule: str, level: Level) -> Finding:
    first, *others = (problem.detail or problem.message).splitlines()
    return Finding(rule, level, name, problem.path, first, problem.line, problem.column, tuple(others))


def _remarks(name: str, pattern: SpecPattern) -> Iterator[Finding]:
    subject = pattern_subject(
        pattern.pattern,
        pattern.flags,
        key=pattern.key,
        type=pattern.type,
        in_json=Path(name).suffix.lower() == ".json",
    )
    if subject is None:
        return
    place = (pattern.line, pattern.column)
    for rule in RULES:
        for remark in rule.check(subject):
            detail = tuple(_detail(subject, rule, remark))
            yield Finding(rule.name, "warning", name, pattern.path, remark.message, *place, detail)


def _detail(subject: PatternSubject, rule: Rule, remark: Remark) -> Iterator[str]:
    """The pattern with a caret, as for a pattern that is not valid, and what to write instead."""
    if remark.position is not None:
        pointed = InvalidPattern(subject.pattern, "", rule.title, position=remark.position + subject.offset)
        yield from pointed.explain().splitlines()[1:]
    yield f"hint: {remark.instead}"
