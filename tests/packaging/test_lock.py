"""The pinned versions that CI installs: all of them, once, and within what pyproject.toml allows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

LOCK = Path(__file__).parents[2] / ".ci" / "constraints.txt"
LINES = LOCK.read_text("utf-8").splitlines()
PINS = {canonicalize_name(name): version for name, _, version in (line.partition("==") for line in LINES)}


def needed(name: str, extras: frozenset[str], seen: set[tuple[str, str]]) -> Iterator[Requirement]:
    """What an installed distribution needs on this machine, with what that needs in turn."""
    for line in distribution(name).requires or ():
        requirement = Requirement(line)
        wanted = [
            e
            for e in ("", *sorted(extras))
            if not requirement.marker or requirement.marker.evaluate({"extra": e})
        ]
        if not wanted:
            continue
        yield requirement
        for extra in ("", *sorted(requirement.extras)):
            step = (canonicalize_name(requirement.name), extra)
            if step not in seen:
                seen.add(step)
                yield from needed(requirement.name, frozenset({extra} - {""}), seen)


@pytest.fixture(scope="module")
def requirements() -> list[Requirement]:
    """All that developing needs."""
    try:
        distribution("pyright")
    except PackageNotFoundError:
        pytest.skip("needs an environment for development")
    found = needed("turngrade", frozenset({"dev"}), set())
    return [requirement for requirement in found if requirement.name != "turngrade"]


def test_every_line_pins_one_version() -> None:
    assert [line for line in LINES if not re.fullmatch(r"[A-Za-z0-9_.-]+==[A-Za-z0-9_.!+]+", line)] == []
    assert len(PINS) == len(LINES)


def test_everything_that_is_needed_is_pinned(requirements: list[Requirement]) -> None:
    assert len(requirements) > 100
    assert sorted({req.name for req in requirements if canonicalize_name(req.name) not in PINS}) == []


def test_the_pins_are_such_that_everything_fits(requirements: list[Requirement]) -> None:
    pinned = [
        (req, PINS[canonicalize_name(req.name)])
        for req in requirements
        if canonicalize_name(req.name) in PINS
    ]
    assert [f"{req}: {version}" for req, version in pinned if not req.specifier.contains(version, True)] == []
