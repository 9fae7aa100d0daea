"""Characters that are not what they look like."""

from __future__ import annotations

from collections.abc import Iterator

from turngrade.adapters.cli.linting.rule import Remark, Rule
from turngrade.adapters.cli.linting.subject import PatternSubject
from turngrade.core.dialect.analysis import descendants
from turngrade.core.dialect.nodes import Char, Node, Sequence

_NAMES = {"\x08": r"\b", "\x07": r"\a", "\x1b": r"\e", "\x0b": r"\v", "\x0c": r"\f", "\x00": r"\0"}
_FINE = frozenset("\t\n\r")


def _control_characters(subject: PatternSubject) -> Iterator[Remark]:
    for position, character in enumerate(subject.body):
        if (character < " " or character == "\x7f") and character not in _FINE:
            name = _NAMES.get(character, f"\\x{ord(character):02x}")
            maker = "JSON makes" if subject.in_json else "YAML's double quotes make"
            message = f"the control character \\x{ord(character):02x}, which {maker} of {name}"
            instead = "double the backslash" if subject.in_json else "write the pattern in single quotes"
            yield Remark(position, message, instead)


CONTROL_CHARACTER = Rule(
    "control-character",
    "A control character in the pattern itself",
    r'In YAML\'s double quotes, and in JSON, `\b` is a backspace: `"\bword\b"` looks for two backspaces. '
    r"Single quotes "
    "leave backslashes alone.",
    _control_characters,
    fires=("\x08word\x08", "a\x1bb", "x\x00"),
    silent=(r"\bword\b", r"a\x1bb", "a\tb", "a\nb"),
)


def _apostrophes(subject: PatternSubject) -> Iterator[Remark]:
    for node in descendants(subject.tree.root):
        if isinstance(node, Sequence):
            for before, at, behind in zip(node.items, node.items[1:], node.items[2:], strict=False):
                if isinstance(at, Char) and at.code == 0x27 and _is_letter(before) and _is_letter(behind):
                    message = "the apostrophe ' does not match ’, which most models write"
                    yield Remark(at.span[0], message, "write ['’]")


def _is_letter(node: Node) -> bool:
    return isinstance(node, Char) and chr(node.code).isalpha()


APOSTROPHE = Rule(
    "ascii-apostrophe",
    "An apostrophe that does not match the typographic one",
    "Models write `can’t` as often as `can't`. A pattern with the ASCII apostrophe passes or fails by that "
    "accident.",
    _apostrophes,
    fires=("I can't", "(?i)don't|won't"),
    silent=("I can['’]t", "can.t", "'quoted'", "it’s"),
)
