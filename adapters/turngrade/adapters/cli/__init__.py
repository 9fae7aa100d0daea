"""The command line. `main` is the console script; everything else is imported when a verb runs."""


def main() -> None:
    """Run the ``turngrade`` command and end the process with its exit code."""
    import gc
    import sys

    # Modules stay: looking through them for garbage, while they load and once more in the end, takes longer
    # than all that a short call has to do.
    gc.set_threshold(_THRESHOLD)
    from turngrade.adapters.cli.standard import run

    code = run(sys.argv[1:])
    gc.freeze()
    sys.exit(code)


_THRESHOLD = 50_000
"""Objects, instead of 700, after which new ones are looked through for garbage."""

__all__ = ["main"]
