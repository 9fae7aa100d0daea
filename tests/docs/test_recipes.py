"""Every recipe finds what it says and nothing else, is clean, and stands in the page as in its file."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from turngrade.adapters.cli.app import run
from turngrade.core import Spec, Transcript, load_spec

ROOT = Path(__file__).parents[2]
RECIPES = sorted((ROOT / "examples" / "recipes").glob("*.yaml"))
MAKER = ROOT / "docs" / "make_recipes_page.py"

recipes = pytest.mark.parametrize("file", RECIPES, ids=lambda file: file.stem)


def found(spec: Spec, name: str, text: str) -> bool:
    """Whether a grader finds something in a text, whatever `negate` says: a verdict counts its hits."""
    verdict = spec.grade(Transcript.from_texts([text], output=text))[name]
    assert verdict.status != "error", verdict
    return verdict.matched == 1


@recipes
def test_examples_hold(file: Path) -> None:
    spec = load_spec(file)
    wrong = [
        (grader.name, text, matches)
        for grader in spec.graders
        for key, matches in (("match", True), ("no_match", False))
        for text in getattr(grader.examples, key)
        if found(spec, grader.name, text) is not matches
    ]
    assert wrong == []


@recipes
def test_each_recipe_has_examples_of_both_kinds(file: Path) -> None:
    spec = load_spec(file)
    assert not [g.name for g in spec.graders if not (g.examples.match and g.examples.no_match)]


@recipes
def test_lint_is_content(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lint", "--strict", str(file)]) == 0, capsys.readouterr().out


def test_there_are_enough_and_no_name_stands_twice() -> None:
    names = [grader.name for file in RECIPES for grader in load_spec(file).graders]
    assert len(names) == len(set(names)) >= 20


def test_page_is_what_the_files_say() -> None:
    maker = runpy.run_path(str(MAKER))
    page = (ROOT / "docs" / "recipes.md").read_text("utf-8")
    assert page == maker["page"](), f"run {MAKER.name}"
    for file in RECIPES:
        for grader in load_spec(file).graders:
            assert f"### {grader.name}\n" in page
