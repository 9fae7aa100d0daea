from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from turngrade.adapters.cli.verbs import VERBS

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def page() -> str:
    return (DOCS / "cli.md").read_text(encoding="utf-8")


def test_the_page_says_what_help_says(page: str) -> None:
    made = runpy.run_path(str(DOCS / "make_cli_page.py"))["with_help"](page)
    assert made == page, "run docs/make_cli_page.py"


@pytest.mark.parametrize("verb", VERBS)
def test_the_page_has_every_verb(page: str, verb: str) -> None:
    assert f"$ turngrade {verb} --help\nUsage: turngrade {verb} " in page
