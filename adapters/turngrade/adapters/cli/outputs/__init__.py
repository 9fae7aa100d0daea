"""Files that ``grade -o`` writes, one kind a module."""

from turngrade.adapters.cli.outputs.base import Output, UnknownKind
from turngrade.adapters.cli.outputs.files import STDOUT, CannotWrite, OutputFiles

__all__ = ["STDOUT", "CannotWrite", "Output", "OutputFiles", "UnknownKind"]
