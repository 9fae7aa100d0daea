"""turngrade in Inspect AI: scorers, converters and a reader of logs.

Names are imported when first used: reading logs needs no Inspect at all.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .convert import transcript_from_sample, transcript_from_state
    from .copies import copy_beside
    from .precomputed import precomputed_row
    from .read import read_transcripts
    from .scorers import (
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
    from .sniff import is_log
    from .store import Store, shown_url
    from .writeback import LogNotWritten, write_scores

__all__ = [
    "LogNotWritten",
    "Store",
    "contains",
    "copy_beside",
    "graders",
    "is_log",
    "output_contains",
    "output_matches",
    "output_not_contains",
    "output_not_matches",
    "precomputed_row",
    "read_transcripts",
    "regex_match",
    "shown_url",
    "transcript_contains",
    "transcript_from_sample",
    "transcript_from_state",
    "transcript_matches",
    "transcript_not_contains",
    "transcript_not_matches",
    "write_scores",
]

_MODULES = {
    "LogNotWritten": ".writeback",
    "Store": ".store",
    "copy_beside": ".copies",
    "is_log": ".sniff",
    "precomputed_row": ".precomputed",
    "read_transcripts": ".read",
    "shown_url": ".store",
    "transcript_from_sample": ".convert",
    "transcript_from_state": ".convert",
    "write_scores": ".writeback",
}
"""Where a name is defined; the scorers, which need Inspect, are all the others."""


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES.get(name, ".scorers"), __name__), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
