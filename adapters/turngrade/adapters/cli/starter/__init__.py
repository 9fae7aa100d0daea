"""What ``turngrade init`` writes: a commented spec that passes on a small sample."""

from importlib.resources import files


def starter_files() -> dict[str, str]:
    """The files, by name."""
    here = files(__name__)
    return {
        name: here.joinpath(name).read_text(encoding="utf-8") for name in ("turngrade.yaml", "sample.jsonl")
    }


__all__ = ["starter_files"]
