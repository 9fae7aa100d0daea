from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from turngrade.adapters.cli.linting import RULES
from turngrade.adapters.cli.linting.rule import Rule
from turngrade.adapters.cli.linting.subject import pattern_subject
from turngrade.core.dialect import compile_pattern

FIRES = [(rule, pattern) for rule in RULES for pattern in rule.fires]
SILENT = [(rule, pattern) for rule in RULES for pattern in rule.silent]


def _id(value: Rule | str) -> str:
    return value.name if isinstance(value, Rule) else value[:20]


def remarks(rule: Rule, pattern: str) -> list[str]:
    subject = pattern_subject(pattern)
    assert subject is not None, f"{pattern} is not valid"
    found = list(rule.check(subject))
    for remark in found:
        assert remark.position is None or 0 <= remark.position <= len(subject.body)
        assert remark.message
        assert remark.instead
    return [remark.message for remark in found]


@pytest.mark.parametrize(("rule", "pattern"), FIRES, ids=_id)
def test_fires(rule: Rule, pattern: str) -> None:
    assert remarks(rule, pattern)


@pytest.mark.parametrize(("rule", "pattern"), SILENT, ids=_id)
def test_is_silent(rule: Rule, pattern: str) -> None:
    assert remarks(rule, pattern) == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_is_told_fully(rule: Rule) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)+", rule.name)
    assert rule.fires
    assert rule.silent
    assert rule.why.endswith((".", "."))


def test_names_are_unique() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)


@pytest.mark.parametrize(
    ("written", "meant", "text"),
    [
        (r"\Ayes", "^yes", "yes"),
        (r"a\\s+b", r"a\s+b", "a b"),
        (r"\b--force\b", r"(?<!\w)--force\b", "use --force"),
        ("can't", "can['’]t", "can’t"),
        (r"^\d+\.\s", r"(?m)^\d+\.\s", "Steps:\n1. Look"),
        ("refund.*approved", "(?s)refund.*approved", "refund\napproved"),
    ],
)
def test_what_is_advised_matches_where_the_written_pattern_does_not(
    written: str, meant: str, text: str
) -> None:
    flags = "".join(re.findall(r"^\(\?([ims]+)\)", meant))
    assert not compile_pattern(written).test(text)
    assert compile_pattern(re.sub(r"^\(\?[ims]+\)", "", meant), flags).test(text)


def test_the_page_says_what_the_rules_say() -> None:
    docs = Path(__file__).parents[2] / "docs"
    made = runpy.run_path(str(docs / "make_lint_page.py"))["page"]()
    assert (docs / "lint.md").read_text(encoding="utf-8") == made, "run docs/make_lint_page.py"
    for rule in RULES:
        assert f"## {rule.name}\n" in made
