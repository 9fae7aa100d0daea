"""The package as it is installed: in this checkout (editable) or, in CI, from the built wheel."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import entry_points, version
from pathlib import Path

import pytest

import turngrade.core

ROOT = Path(__file__).parents[2]
SCORERS = [
    "transcript_matches",
    "transcript_not_matches",
    "output_matches",
    "output_not_matches",
    "transcript_contains",
    "transcript_not_contains",
    "output_contains",
    "output_not_contains",
    "regex_match",
    "contains",
    "graders",
]


def test_the_installation_is_the_one_that_is_meant() -> None:
    """CI sets the variable where it tests the wheel; then nothing may come from the checkout."""
    from_checkout = Path(turngrade.core.__file__).is_relative_to(ROOT / "core")
    assert from_checkout == (os.environ.get("TURNGRADE_INSTALLED_FROM") != "wheel")


@pytest.mark.parametrize("name", SCORERS)
def test_scorers_have_the_same_registry_name_in_every_installation(name: str) -> None:
    from inspect_ai._util.registry import registry_info

    [entry_point] = entry_points(group="inspect_ai", name="turngrade")
    scorer = getattr(entry_point.load(), name)
    assert registry_info(scorer).name == f"turngrade/{name}"


def test_inspect_finds_a_scorer_by_its_name() -> None:
    from inspect_ai._util.registry import registry_lookup

    assert registry_lookup("scorer", "turngrade/transcript_matches") is not None


def test_console_script_tells_the_version() -> None:
    script = Path(sys.executable).with_name("turngrade")
    done = subprocess.run([script, "--version"], check=True, capture_output=True, text=True)
    assert version("turngrade") in done.stdout


def test_plain_install_has_the_same_layout(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--target", str(tmp_path), str(ROOT)], check=True, capture_output=True)
    assert sorted(path.name for path in (tmp_path / "turngrade").iterdir()) == ["adapters", "core"]
    code = "import turngrade.core, turngrade.adapters.cli; print(turngrade.core.__file__)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )
    assert done.stdout.startswith(str(tmp_path))
