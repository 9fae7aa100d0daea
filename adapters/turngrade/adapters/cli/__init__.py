"""The command line. `main` is the console script; everything else is imported when a verb runs."""


def main() -> None:
    """Run the ``turngrade`` command and end the process with its exit code."""
    import sys

    from turngrade.adapters.cli.standard import run

    sys.exit(run(sys.argv[1:]))


__all__ = ["main"]
