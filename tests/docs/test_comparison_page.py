"""The table of the comparison page says what the tools that are installed say now."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from inspect_scout._grep_scanner._match import PatternError
from tests.benchmarks import compare_references
from tests.benchmarks.compare_tools import BEGIN, CASES, END, ERROR, NONE, PAGE, TOOLS, Case, by_turngrade

from turngrade.adapters.cli.outputs.markdown import code


def rows() -> dict[str, dict[str, str]]:
    """The answers of the page, by case and tool."""
    _, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    lines = rest.partition(END)[0].splitlines()
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    assert cells[0][2:] == list(TOOLS)
    return {case: dict(zip(TOOLS, answers, strict=True)) for case, _, *answers in cells[2:]}


def answer(tool: str, case: Case) -> str:
    try:
        return TOOLS[tool](case)
    except (re.error, PatternError):
        return ERROR


def test_the_page_has_every_case_with_its_pattern() -> None:
    page = Path(PAGE).read_text("utf-8")
    assert list(rows()) == [case.what for case in CASES]
    assert not [case for case in CASES if f"| {case.what} | {code(case.pattern)} |" not in page]


@pytest.mark.parametrize("tool", [tool for tool in TOOLS if "promptfoo" not in tool])
def test_the_answers_are_those_of_the_page(tool: str) -> None:
    told = {case: answers[tool] for case, answers in rows().items() if answers[tool] != NONE}
    assert told == {case.what: answer(tool, case) for case in CASES if case.what in told}
    assert len(told) >= len(CASES) - 1


def test_turngrade_answers_always() -> None:
    assert NONE not in [by_turngrade(case) for case in CASES]


def alike(one: str, other: str) -> float:
    """1 less the edits that make one text of the other, by the length of the longer."""
    before = list(range(len(other) + 1))
    for number, char in enumerate(one, start=1):
        row = [number]
        for at, another in enumerate(other):
            row.append(min(before[at] + (char != another), before[at + 1] + 1, row[at] + 1))
        before = row
    return 1 - before[-1] / max(len(one), len(other))


def test_the_pairs_of_the_page_are_those_of_the_script() -> None:
    _, _, rest = PAGE.read_text("utf-8").partition(compare_references.BEGIN)
    lines = rest.partition(compare_references.END)[0].splitlines()[2:]
    strict = "True"  # there are no tool calls in which the two could differ
    assert lines == [
        compare_references.row(
            pair,
            [str(pair.said == pair.reference), f"{alike(pair.said, pair.reference):.2f}", strict],
        )
        for pair in compare_references.PAIRS
    ]
