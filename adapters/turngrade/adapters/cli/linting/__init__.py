"""What ``turngrade lint`` finds: faults of the spec, and patterns that mislead."""

from turngrade.adapters.cli.linting.finding import Finding, Level
from turngrade.adapters.cli.linting.linter import lint_file
from turngrade.adapters.cli.linting.rules import RULES

__all__ = ["RULES", "Finding", "Level", "lint_file"]
