"""All benchmarks, and one table of their figures.

    python -m tests.benchmarks [--small] [--page] [NAME…]

Every module ``bench_NAME`` beside this one has a function ``rows(small)``; it measures, asserts that both
sides found the same, and returns its figures. Exit code 1 if one of them misses what is required.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
from collections.abc import Iterator

import tests.benchmarks
from tests.benchmarks.table import PAGE, Row, markdown, write_into

PREFIX = "bench_"


def names() -> list[str]:
    """The benchmarks that there are."""
    found = (module.name for module in pkgutil.iter_modules(tests.benchmarks.__path__))
    return sorted(name.removeprefix(PREFIX) for name in found if name.startswith(PREFIX))


def measured(chosen: list[str], *, small: bool) -> Iterator[Row]:
    """The figures of some benchmarks, one after the other."""
    for name in chosen:
        print(f"measuring {name} …", file=sys.stderr)
        yield from importlib.import_module(f"tests.benchmarks.{PREFIX}{name}").rows(small=small)


def main() -> int:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description="Measure speed and memory, side by side with peers.")
    parser.add_argument("names", nargs="*", choices=[*names(), []], metavar="NAME", help=", ".join(names()))
    parser.add_argument("--small", action="store_true", help="small logs: minutes become seconds")
    parser.add_argument("--page", action="store_true", help="write the table into docs/cost.md")
    options = parser.parse_args()
    rows = list(measured(options.names or names(), small=options.small))
    print(markdown(rows))
    if options.page:
        write_into(PAGE, "figures", markdown(rows))
    return 1 if any(row.standing == "short" for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
