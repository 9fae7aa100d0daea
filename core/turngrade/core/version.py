"""The version of the installed distribution, for provenance."""

from __future__ import annotations

from functools import cache


@cache
def version() -> str:
    """The version of turngrade; ``0+unknown`` where the package is used without being installed."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed("turngrade")
    except PackageNotFoundError:
        return "0+unknown"
