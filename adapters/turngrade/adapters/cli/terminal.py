"""Consoles, and the form in which hostile text may reach a terminal."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING, TextIO

from msgspec import Struct

if TYPE_CHECKING:
    from rich.console import Console

_HIDDEN = (
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Controls, escapes, direction changes, invisible characters, what is no character, lone surrogates."""

_SHORT = {"\n": "↵", "\t": "\\t", "\r": "\\r"}


def visible(text: str, newline: str = "↵") -> str:
    """Make every character of a text that a terminal obeys, or does not show, visible.

    Args:
        text: Any text.
        newline: What stands for a line feed; pass a line feed to keep it.
    """
    if text.isprintable():  # as nothing is that must be shown; the pattern takes long to compile
        return text
    return re.sub(_HIDDEN, lambda found: newline if found[0] == "\n" else _escape(found[0]), text)


def _escape(character: str) -> str:
    if character in _SHORT:
        return _SHORT[character]
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


class Marks(Struct, frozen=True):
    """The signs of a report, in Unicode or, where the terminal has none, in ASCII."""

    passed: str = "✔"
    failed: str = "✘"
    error: str = "!"
    newline: str = "↵"
    cut: str = "…"
    before_hit: str = "»"
    after_hit: str = "«"
    full: str = "█"
    empty: str = "░"

    def of(self, status: str) -> str:
        """The sign of a verdict's status."""
        return {"pass": self.passed, "fail": self.failed}.get(status, self.error)


_ASCII = Marks("+", "x", "!", "\\n", "...", ">>", "<<", "#", "-")


def marks_for(console: Console) -> Marks:
    """The signs that a console's encoding has."""
    try:
        "✔✘↵…»«█░".encode(console.encoding)
    except (UnicodeEncodeError, LookupError):
        return _ASCII
    return Marks()


def make_console(stream: TextIO) -> Console:
    """A console for a stream: plain where it is no terminal, or where ``NO_COLOR`` is set.

    It reads no markup, so text from transcripts stays text.
    """
    from rich.console import Console

    plain = bool(os.environ.get("NO_COLOR"))
    return Console(
        file=stream,
        color_system=None if plain else "auto",
        no_color=plain,
        markup=False,
        highlight=False,
        emoji=False,
    )


def is_styled(console: Console) -> bool:
    """Whether styles reach the reader; where not, hits are marked by signs."""
    return console.color_system is not None


def can_animate() -> bool:
    """Whether a progress bar makes sense on stderr."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
