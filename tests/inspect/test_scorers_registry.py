"""The scorers as Inspect finds them: by entry point, under stable names, at little cost."""

import inspect
import subprocess
import sys
import venv
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from inspect_ai._util.registry import registry_info, registry_lookup
from inspect_ai.scorer import Scorer
from inspect_ai.scorer._scorer import scorer_create

import turngrade.adapters.inspect as adapter

NAMES = (
    "contains",
    "graders",
    "output_contains",
    "output_matches",
    "output_not_contains",
    "output_not_matches",
    "regex_match",
    "transcript_contains",
    "transcript_matches",
    "transcript_not_contains",
    "transcript_not_matches",
)

ROOT = Path(__file__).parents[2]

IMPORT = """
import sys, inspect_ai.scorer, inspect_ai.solver
before = set(sys.modules)
import turngrade.adapters.inspect._registry
from inspect_ai._util.registry import registry_lookup
assert callable(registry_lookup("scanner", "turngrade/graders"))
print(*(set(sys.modules) - before))
"""

LIST_NAMES = """
from inspect_ai._util.registry import registry_find, registry_info
from inspect_ai._util.entrypoints import ensure_entry_points
ensure_entry_points()
found = registry_find(lambda info: info.type == "scorer" and "turngrade" in info.name)
print(*sorted(registry_info(scorer).name for scorer in found))
"""


@pytest.mark.parametrize("name", NAMES)
def test_every_scorer_is_registered(name: str) -> None:
    assert registry_lookup("scorer", f"turngrade/{name}") is getattr(adapter, name)


@pytest.mark.parametrize("name", NAMES)
def test_no_parameter_collides_with_those_of_inspect(name: str) -> None:
    assert not set(inspect.signature(getattr(adapter, name)).parameters) & {
        "spec",
        "task_path",
        "name",
        "type",
    }


@pytest.mark.parametrize("name", NAMES)
def test_every_parameter_is_documented(name: str) -> None:
    scorer = getattr(adapter, name)
    parameters = inspect.signature(scorer).parameters
    documented = [line.split(":")[0].strip() for line in inspect.getdoc(scorer).splitlines() if ": " in line]  # type: ignore[union-attr]
    assert [parameter for parameter in parameters if parameter not in documented] == []


def test_a_scorer_can_be_created_by_name() -> None:
    scorer = scorer_create("turngrade/output_matches", pattern="a")
    assert isinstance(scorer, Scorer)
    assert registry_info(scorer).name == "turngrade/output_matches"


def test_the_entry_point_has_the_name_of_the_package() -> None:
    (entry,) = [entry for entry in entry_points(group="inspect_ai") if entry.name == "turngrade"]
    assert entry.value == "turngrade.adapters.inspect._registry"


def test_the_entry_point_is_cheap() -> None:
    """Inspect imports it in every one of its commands: no Scout, no command line, no reading of logs."""
    done = subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, text=True, check=True)
    added = {name.split(".")[0] for name in done.stdout.split()}
    assert not added & {"inspect_scout", "langsmith", "pandas", "typer", "zstandard"}


@pytest.mark.slow
@pytest.mark.parametrize("how", ["wheel", "editable", "checkout"])
def test_the_names_are_the_same_however_it_is_installed(how: str, tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    python = str(tmp_path / "venv/bin/python")
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if how == "wheel":
        build = [sys.executable, "-m", "build", "--wheel", "--outdir", str(tmp_path), str(ROOT)]
        subprocess.run(build, check=True, capture_output=True)
        (wheel,) = tmp_path.glob("*.whl")
        target = [f"{wheel}[inspect]"]
    elif how == "editable":
        target = ["-e", f"{ROOT}[inspect]"]
    else:
        target = [f"{ROOT}[inspect]"]
    subprocess.run([*pip, *target], check=True, capture_output=True)
    done = subprocess.run(
        [python, "-c", LIST_NAMES], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [f"turngrade/{name}" for name in NAMES]
