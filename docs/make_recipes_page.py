"""Writes the lower part of docs/recipes.md from examples/recipes, so that page and files agree."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import yaml

PAGE = Path(__file__).with_name("recipes.md")
RECIPES = sorted(Path(__file__).parents[1].joinpath("examples", "recipes").glob("*.yaml"))
MARK = "<!-- Below: written by docs/make_recipes_page.py from examples/recipes. -->\n"

_GRADER = re.compile(r"^((?:  # .*\n)+)((?:  - type: .*\n)(?:    .*\n)+)", re.MULTILINE)


def page() -> str:
    """The text of the page: what stands above the mark as it is, and below it the recipes."""
    head, _, _ = PAGE.read_text("utf-8").partition(MARK)
    return "\n".join([head + MARK, *map(section, RECIPES)])


def section(file: Path) -> str:
    """The part of one file: its description, and its graders."""
    text = file.read_text("utf-8")
    spec = yaml.safe_load(text)
    title = spec["name"].replace("-", " ").capitalize()
    recipes = map(recipe, spec["graders"], _GRADER.findall(text))
    return "\n".join([f"## {title}\n\n{spec['description']} File: `recipes/{file.name}`\n", *recipes])


def recipe(grader: dict[str, object], found: tuple[str, str]) -> str:
    """One grader: its comment as text, and the rest as it stands in the file."""
    comment, block = found
    advice = re.sub(r"^  # ", "", comment, flags=re.MULTILINE)
    return f"### {grader['name']}\n\n{advice}\n```yaml\n{textwrap.dedent(block)}```\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
