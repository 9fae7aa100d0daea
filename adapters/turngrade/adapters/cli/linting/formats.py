"""Findings as text, JSON, GitHub annotations, and SARIF."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from turngrade.adapters.cli.github import command
from turngrade.adapters.cli.linting.finding import PAGE, Finding
from turngrade.adapters.cli.linting.rules import RULES
from turngrade.adapters.cli.terminal import visible

_LINK = re.compile(r"\[(?=[^\]]*\]\()")
"""What SARIF takes for the beginning of a link in a message, unless a backslash stands in front."""

SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def as_text(findings: Sequence[Finding]) -> Iterator[str]:
    """``FILE:LINE:COLUMN: LEVEL: PATH: WHAT [RULE]``, with the details below."""
    for one in findings:
        place = ":".join(str(part) for part in (one.file, one.line, one.column) if part is not None)
        where = f"{one.path}: " if one.path else ""
        rule = f" [{one.rule}]" if one.level == "warning" else ""
        yield visible(f"{place}: {one.level}: {where}{one.message}{rule}")
        yield from (f"    {visible(line)}" for line in one.detail)


def as_json(findings: Sequence[Finding]) -> Iterator[str]:
    """A JSON list."""
    yield json.dumps([one.to_dict() for one in findings], indent=2)


def as_github(findings: Sequence[Finding]) -> Iterator[str]:
    """Annotations of GitHub Actions."""
    for one in findings:
        properties = {"file": one.file, "line": one.line, "col": one.column, "title": f"turngrade {one.rule}"}
        message = "\n".join([f"{one.path}: {one.message}" if one.path else one.message, *one.detail])
        yield command(one.level, message, properties)


def as_sarif(findings: Sequence[Finding]) -> Iterator[str]:
    """SARIF 2.1.0, for code scanning."""
    driver = {"name": "turngrade", "rules": [_sarif_rule(rule.name, rule.title, rule.why) for rule in RULES]}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints"}
    results = [_sarif_result(one) for one in findings]
    yield json.dumps(
        {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [{**run, "results": results}]}, indent=2
    )


FORMATS: dict[str, Callable[[Sequence[Finding]], Iterator[str]]] = {
    "text": as_text,
    "json": as_json,
    "github": as_github,
    "sarif": as_sarif,
}


def _sarif_rule(name: str, title: str, why: str) -> dict[str, Any]:
    return {
        "id": name,
        "shortDescription": {"text": title},
        "fullDescription": {"text": why},
        "help": {"text": f"{why} See {PAGE}#{name}."},
    }


def _sarif_result(one: Finding) -> dict[str, Any]:
    region = {"startLine": one.line or 1} | ({"startColumn": one.column} if one.column else {})
    location = {"artifactLocation": {"uri": one.file}, "region": region}
    return {
        "ruleId": one.rule,
        "level": one.level,
        "message": {"text": _LINK.sub(r"\\[", "\n".join([one.message, *one.detail]))},
        "locations": [{"physicalLocation": location}],
    }
