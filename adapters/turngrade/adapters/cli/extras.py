"""Packages that are missing, and the extras of turngrade that bring them."""

from __future__ import annotations

EXTRAS = {"inspect_ai": "inspect", "langsmith": "langsmith", "pyarrow": "parquet", "ray": "ray"}
"""The extra that brings a package."""


def missing(error: ImportError) -> str:
    """What cannot be imported, and what to install.

    Args:
        error: One whose message may say already what to install.
    """
    if "pip install" in str(error):
        return str(error)
    extra = EXTRAS.get((error.name or "").partition(".")[0], "all")
    return f"{error}; pip install 'turngrade[{extra}]'"
