"""What is wrong with a pattern, in V8's words, with the place and with advice."""

from __future__ import annotations

from typing import Final

_WINDOW: Final = 72
_INDENT: Final = "    "


class InvalidPattern(ValueError):
    """A pattern that JavaScript refuses.

    ``str(error)`` is the message of the ``SyntaxError`` that V8 throws.

    Attributes:
        pattern: The pattern as written, without delimiters.
        flags: The flags as written.
        reason: V8's wording, such as ``Unterminated group``.
        position: Where the trouble is, in code points of ``pattern``; None where no place is to blame.
        hint: What to write instead, or None.
    """

    def __init__(
        self, pattern: str, flags: str, reason: str, *, position: int | None = None, hint: str | None = None
    ) -> None:
        super().__init__(pattern, flags, reason)
        self.pattern = pattern
        self.flags = flags
        self.reason = reason
        self.position = position
        self.hint = hint

    def __str__(self) -> str:
        flags = "".join(sorted(self.flags))
        return f"Invalid regular expression: /{self.pattern}/{flags}: {self.reason}"

    def __reduce__(self) -> tuple[object, ...]:
        state = {"position": self.position, "hint": self.hint}
        return type(self), (self.pattern, self.flags, self.reason), state

    def explain(self, *, width: int = _WINDOW) -> str:
        """The message, the pattern with a caret under the trouble, and the hint, for a terminal.

        Args:
            width: How many characters of the pattern to show at most; a longer one is cut around the caret.
        """
        lines = [f"Invalid regular expression: {self.reason}"]
        if self.position is not None:
            lines += [_INDENT + line for line in _point_at(self.pattern, self.position, width)]
        if self.hint is not None:
            lines.append(f"hint: {self.hint}")
        return "\n".join(lines)


class InvalidFlags(InvalidPattern):
    """Flags that ``RegExp`` refuses: unknown, repeated, or ``u`` together with ``v``."""

    def __str__(self) -> str:
        return self.reason

    def explain(self, *, width: int = _WINDOW) -> str:
        """The message and the hint."""
        return self.reason if self.hint is None else f"{self.reason}\nhint: {self.hint}"


class PatternTooLarge(InvalidPattern):
    """A pattern that is well-formed but too much to compile: nested too deeply, repeated too often."""

    REASON: Final = "Regular expression too large"

    def __init__(
        self,
        pattern: str,
        flags: str,
        reason: str = REASON,
        *,
        position: int | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(pattern, flags, reason, position=position, hint=hint)


def _point_at(pattern: str, position: int, width: int) -> tuple[str, str]:
    """The pattern on one line, cut to ``width`` around ``position``, and the line with the caret."""
    start = max(0, min(position - width // 2, len(pattern) + 1 - width))
    end = min(len(pattern), start + width)
    before, after = ("…" if start else ""), ("…" if end < len(pattern) else "")
    shown = before + "".join(map(_visible, pattern[start:end])) + after
    return shown, " " * (len(before) + position - start) + "^"


def _visible(character: str) -> str:
    """A stand-in of one column for what would break the line or could not be encoded."""
    if character < " ":
        return chr(0x2400 + ord(character))
    return character if character.isprintable() else "\ufffd"
