"""What Inspect finds through the entry point: it imports this module, and every scorer registers itself.

Inspect imports the modules of all entry points in every one of its commands, so nothing costly happens here.
"""

from turngrade.adapters.inspect.lazy_scanner import register_scanner
from turngrade.adapters.inspect.scorers import (
    contains,
    graders,
    output_contains,
    output_matches,
    output_not_contains,
    output_not_matches,
    regex_match,
    transcript_contains,
    transcript_matches,
    transcript_not_contains,
    transcript_not_matches,
)

__all__ = [
    "contains",
    "graders",
    "output_contains",
    "output_matches",
    "output_not_contains",
    "output_not_matches",
    "regex_match",
    "transcript_contains",
    "transcript_matches",
    "transcript_not_contains",
    "transcript_not_matches",
]

register_scanner()
