"""The pictures of the docs are used, load nothing, and show what the terminal shows now."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
IMAGES = DOCS / "images"


def test_every_picture_is_on_a_page() -> None:
    pages = "".join(page.read_text(encoding="utf-8") for page in DOCS.glob("*.md"))
    assert not [image.name for image in IMAGES.iterdir() if f"(images/{image.name})" not in pages]


@pytest.mark.parametrize("image", sorted(IMAGES.glob("*.svg")), ids=lambda image: image.name)
def test_pictures_load_nothing(image: Path) -> None:
    assert not re.search(r"url\([\"']?http|@import|href=[\"']http|<script", image.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["grade", "explain"])
def test_the_terminal_shows_what_the_picture_shows(name: str) -> None:
    maker = runpy.run_path(str(DOCS / "make_terminal_images.py"))
    image = IMAGES / f"terminal-{name}.svg"
    assert image.read_text(encoding="utf-8") == maker["picture"](name), "run docs/make_terminal_images.py"
