"""Every snippet of the README and the docs does what the page says."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from tests.docs.snippets import snippets_of, try_out

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
LINK = re.compile(r"\]\(([^)#\s]+)(#[^)\s]+)?\)")
CODE = re.compile(r"^```.*?^```|`[^`\n]+`", re.MULTILINE | re.DOTALL)

pages = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


@pages
def test_snippets_work(page: Path, tmp_path: Path) -> None:
    """The folder holds what a reader of the repository has at hand: the examples and their logs."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    for snippet in snippets_of(page):
        try:
            try_out(snippet, tmp_path)
        except AssertionError as error:
            error.add_note(f"{page.name}:{snippet.line}")
            raise


@pages
def test_links_lead_somewhere(page: Path) -> None:
    broken = []
    for target, anchor in LINK.findall(CODE.sub("", page.read_text("utf-8"))):
        if target.startswith(("http://", "https://")):
            continue
        file = page.parent / target
        if not file.exists() or (anchor and anchor[1:] not in anchors_of(file)):
            broken.append(target + anchor)
    assert broken == []


def test_every_page_is_in_the_index_and_in_the_site() -> None:
    pages = {page.name for page in (ROOT / "docs").glob("*.md")}
    nav = re.findall(r"- (\w+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)
    index = [target for target, _ in LINK.findall((ROOT / "docs" / "index.md").read_text("utf-8"))]
    assert set(nav) == pages
    assert {"index.md", *index} == pages


def anchors_of(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
