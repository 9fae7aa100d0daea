"""Escapes that mean something else in JavaScript than where they come from."""

from __future__ import annotations

import re
from collections.abc import Iterator

from turngrade.adapters.cli.linting.rule import Remark, Rule
from turngrade.adapters.cli.linting.subject import PatternSubject
from turngrade.core.dialect.analysis import descendants
from turngrade.core.dialect.nodes import Char, CharSet, Node, Repeat, Sequence

_INSTEAD = {
    "A": "^, which without m is the start of the text",
    "Z": "$, which without m is the end of the text",
    "z": "$, which without m is the end of the text",
    "G": "^",
    "h": r"[ \t]",
    "H": r"[^ \t]",
    "R": r"(?:\r\n|\n|\r)",
    "X": "a class or an alternation of what is meant",
    "N": r"[^\n]",
    "K": "(?<=…), a lookbehind",
    "Q": "a backslash before each special character",
    "E": "a backslash before each special character",
    "a": r"\x07",
    "e": r"\x1b",
    "x": r"\xHH with two hexadecimal digits, or \uHHHH",
    "u": r"\uHHHH with four hexadecimal digits",
    "p": "the ranges of the characters, or regex-match with flags: u",
    "P": "the ranges of the characters, or regex-match with flags: u",
    "m": r"\b(?=\w)",
    "M": r"\b(?<=\w)",
}
"""What JavaScript has for escapes of Python, PCRE and others."""

_PLAIN = frozenset("tnvfr")
_CLASS_LETTERS = frozenset("sdwbSDWB")


_IN_CLASS = re.compile(r"\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|c[A-Za-z]|(.))", re.DOTALL)


def _letter_escapes(subject: PatternSubject) -> Iterator[Remark]:
    for place, letter in _escaped_letters(subject):
        instead = _INSTEAD.get(letter, f"{letter}, if the letter is meant")
        yield Remark(place, f"\\{letter} is the plain letter {letter} in JavaScript", f"write {instead}")


def _escaped_letters(subject: PatternSubject) -> Iterator[tuple[int, str]]:
    """Letters that a backslash does not change, each with its place."""
    for node in descendants(subject.tree.root):
        written = subject.source(node)
        if isinstance(node, Char) and len(written) == 2 and written[0] == "\\" and written[1].isalpha():
            if written[1] not in _PLAIN:
                yield node.span[0], written[1]
        elif isinstance(node, CharSet) and written.startswith("[") and not set(subject.flags) & {"u", "v"}:
            for found in _IN_CLASS.finditer(written):
                letter = found[1] or ""
                if letter.isalpha() and letter not in _PLAIN | _CLASS_LETTERS:
                    yield node.span[0] + found.start(), letter


LETTER_ESCAPE = Rule(
    "letter-escape",
    r"An escape such as `\A`, `\Z` or `\h` that is a plain letter in JavaScript",
    r"`\A`, `\z`, `\h`, `\Q…\E`, `\p{L}` and others come from Python, PCRE or Java. JavaScript takes an "
    r"escape "
    "that it does not know for the letter itself, without an error, so the pattern looks for that letter.",
    _letter_escapes,
    fires=(r"\Ayes", r"no\Z", r"\p{L}+", r"\x{41}", r"a\hb", r"\Qa.b\E", r"[\p{L}\d]+", r"[\h,]"),
    silent=(
        r"^yes",
        r"\bno\b",
        r"[\s\b\x41\cA\\A]",
        r"\t\n\x41\u0041",
        r"\.\-\/",
        r"\d\w\s",
        r"(?<x>a)\k<x>",
    ),
)


def _doubled_backslashes(subject: PatternSubject) -> Iterator[Remark]:
    for node in descendants(subject.tree.root):
        if isinstance(node, Sequence):
            for first, second in zip(node.items, node.items[1:], strict=False):
                if subject.source(first) == "\\\\" and _is_class_letter(subject, second):
                    letter = subject.source(_atom(second))[:1]
                    message = f"\\\\{letter} is a backslash and the letter {letter}"
                    instead = (
                        f"write \\\\{letter}; in JSON a backslash is doubled once"
                        if subject.in_json
                        else f"write \\{letter}; in YAML's single quotes nothing is doubled"
                    )
                    yield Remark(first.span[0], message, instead)


def _is_class_letter(subject: PatternSubject, node: Node) -> bool:
    r"""A letter like the ``s`` of ``\s``, and no word such as a folder's name."""
    atom = _atom(node)
    behind = subject.body[atom.span[1] : atom.span[1] + 1]
    return isinstance(atom, Char) and subject.source(atom) in _CLASS_LETTERS and not behind.isalnum()


def _atom(node: Node) -> Node:
    return node.body if isinstance(node, Repeat) else node


DOUBLED_BACKSLASH = Rule(
    "doubled-backslash",
    r"A backslash that is doubled before `s`, `d`, `w` or `b`",
    r"In JSON and in YAML's double quotes a backslash must be doubled; in YAML's single quotes, and "
    r"unquoted, it "
    r"must not. `'\\s'` reaches the grader as `\\s`, which looks for a backslash and an `s`, and will "
    r"hardly ever "
    "match.",
    _doubled_backslashes,
    fires=(r"a\\s+b", r"\\d{3}", r"\\bword\\b", r"x\\w"),
    silent=(r"a\s+b", r"C:\\docs", r"\\server\\share", r"\\n", r"[\\s]"),
)
