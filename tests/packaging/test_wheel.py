"""What the wheel and the sdist hold."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from email import message_from_bytes
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a wheel and an sdist of this checkout."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-t", "sdist", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def wheel(dist: Path) -> ZipFile:
    [path] = dist.glob("*.whl")
    return ZipFile(path)


def metadata_file(wheel: ZipFile, name: str) -> bytes:
    [path] = [n for n in wheel.namelist() if n.endswith(f".dist-info/{name}")]
    return wheel.read(path)


def test_wheel_holds_the_two_packages_and_nothing_else(wheel: ZipFile) -> None:
    folders = {name.split("/")[0] for name in wheel.namelist()}
    assert folders == {"turngrade", next(f for f in folders if f.endswith(".dist-info"))}
    assert {name.split("/")[1] for name in wheel.namelist() if name.startswith("turngrade/")} == {
        "core",
        "adapters",
    }


def test_wheel_holds_every_module_of_the_checkout(wheel: ZipFile) -> None:
    modules = {
        str(path.relative_to(ROOT / part))
        for part in ("core", "adapters")
        for path in (ROOT / part).rglob("*.py")
    }
    assert modules <= set(wheel.namelist())


def test_turngrade_is_a_namespace_package(wheel: ZipFile) -> None:
    assert "turngrade/__init__.py" not in wheel.namelist()


def test_both_packages_are_typed(wheel: ZipFile) -> None:
    assert {"turngrade/core/py.typed", "turngrade/adapters/py.typed"} <= set(wheel.namelist())


def test_wheel_declares_its_entry_points(wheel: ZipFile) -> None:
    entry_points = metadata_file(wheel, "entry_points.txt").decode()
    assert "[console_scripts]\nturngrade = turngrade.adapters.cli:main" in entry_points
    assert "[inspect_ai]\nturngrade = turngrade.adapters.inspect._registry" in entry_points


def test_frameworks_are_optional(wheel: ZipFile) -> None:
    metadata = message_from_bytes(metadata_file(wheel, "METADATA"))
    assert {"all", "dev", "inspect", "langsmith"} <= set(metadata.get_all("Provides-Extra", []))
    required = [r for r in metadata.get_all("Requires-Dist", []) if "extra ==" not in r]
    assert not [r for r in required if r.startswith(("inspect", "langsmith", "langchain", "pyarrow", "ray"))]


def test_sdist_holds_what_a_packager_needs(dist: Path) -> None:
    [path] = dist.glob("*.tar.gz")
    with tarfile.open(path) as sdist:
        names = {name.split("/", 1)[1] for name in sdist.getnames() if "/" in name}
    assert {"pyproject.toml", "LICENSE", "README.md", "CHANGELOG.md", "Makefile"} <= names
    assert {"core/turngrade/core/__init__.py", "tests/packaging/test_wheel.py"} <= names
    assert not [name for name in names if ".venv" in name or "__pycache__" in name]
