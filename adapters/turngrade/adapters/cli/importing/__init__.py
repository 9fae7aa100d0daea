"""Specs out of other tools' files, for ``turngrade init``."""

from turngrade.adapters.cli.importing.imported import Imported, NotImportable
from turngrade.adapters.cli.importing.promptfoo import from_promptfoo
from turngrade.adapters.cli.importing.vally import from_vally

__all__ = ["Imported", "NotImportable", "from_promptfoo", "from_vally"]
