"""Registers the scanner of a spec without importing Inspect Scout, which takes seconds.

Inspect imports the modules of all entry points in every one of its commands. So what stands in its registry
is a factory that imports the scanner when it is first asked for; the scanner then takes its place.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from inspect_ai._util.registry import RegistryInfo, registry_add

NAME = "turngrade/graders"


def register_scanner() -> None:
    """Make the scanner known to Inspect and Scout, if Scout is installed and it is not there yet."""
    if find_spec("inspect_scout") is not None and f"{__package__}.scanner" not in sys.modules:
        registry_add(graders, RegistryInfo(type="scanner", name=NAME))


def graders(graders: Any, *, strict: bool = False) -> Any:
    """Scanner which applies all graders of a spec file, with one labelled result for each.

    Args:
       graders: Path of a spec file (YAML or JSON), or a spec's content as a dictionary, or a list of graders.
       strict: Refuse invalid patterns at once, whatever the spec says.
    """
    return import_module(".scanner", __package__).graders(graders, strict=strict)
