"""Where the copy of a log with scores goes. Needs no Inspect."""

from __future__ import annotations

import os


def copy_beside(path: str) -> str:
    """The name of a log's copy with scores: ``NAME-graded.eval`` beside it."""
    stem, suffix = os.path.splitext(path)
    return f"{stem}-graded{suffix}"
