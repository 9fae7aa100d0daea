"""``python -m turngrade.adapters.cli``: the same as the console script."""

from turngrade.adapters.cli import main

main()
