"""The HTML report: one file that needs nothing else."""

from turngrade.adapters.cli.outputs.report.writer import open_output

__all__ = ["open_output"]
