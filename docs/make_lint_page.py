"""Writes docs/lint.md from the linter's rules, so that the page and the program agree."""

from __future__ import annotations

from pathlib import Path

from turngrade.adapters.cli.linting import RULES
from turngrade.adapters.cli.linting.rule import Rule
from turngrade.adapters.cli.outputs.markdown import code

PAGE = Path(__file__).with_name("lint.md")

HEAD = """\
# What lint warns of

<!-- Written by docs/make_lint_page.py from the rules themselves. -->

`turngrade lint` tells faults, which keep a spec or a pattern from being used, and warns of patterns that are
valid but likely not meant as they are. `--strict` makes warnings faults, `--ignore RULE` leaves out those of
a rule. Weights that name no grader, or do not sum to 1, are warnings of the rule `spec`.

Each rule below is shown with patterns on which it fires and much alike ones on which it does not.
"""


def page() -> str:
    """The text of the page."""
    return "\n".join([HEAD, *map(section, RULES)])


def section(rule: Rule) -> str:
    """A rule's part of the page."""
    fires, silent = (", ".join(map(shown, patterns)) for patterns in (rule.fires, rule.silent))
    return f"## {rule.name}\n\n{rule.title}.\n\n{rule.why}\n\nFires on {fires}.\n\nIs silent on {silent}.\n"


def shown(pattern: str) -> str:
    """A pattern as code; the middle of a long one is left out."""
    return code(pattern if len(pattern) <= 60 else f"{pattern[:10]}…{pattern[-5:]}")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
