"""Classes and counts of other dialects, which JavaScript reads as text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from turngrade.adapters.cli.linting.rule import Remark, Rule
from turngrade.adapters.cli.linting.subject import PatternSubject
from turngrade.core.dialect.analysis import descendants
from turngrade.core.dialect.nodes import Char, CharSet

_POSIX = re.compile(r"\[:\^?([a-z]+):\]?")
_RANGES = {
    "alnum": "A-Za-z0-9",
    "alpha": "A-Za-z",
    "blank": r" \t",
    "digit": "0-9",
    "lower": "a-z",
    "punct": r"!-\/:-@\[-`{-~",
    "space": r"\s",
    "upper": "A-Z",
    "word": r"\w",
    "xdigit": "0-9A-Fa-f",
}
_COUNT = re.compile(r"\{ *(\d*) *, *(\d*) *\}")


def _foreign_syntax(subject: PatternSubject) -> Iterator[Remark]:
    for node in descendants(subject.tree.root):
        start = node.span[0]
        if isinstance(node, CharSet):
            found = _POSIX.search(subject.source(node))
            if found and found[1] in _RANGES:
                name = found[1]
                message = f"[:{name}:] is no class in JavaScript, but its characters one by one"
                yield Remark(start + found.start(), message, f"write {_RANGES[name]} within the brackets")
        elif isinstance(node, Char) and start > 0 and (count := _COUNT.match(subject.body, start)):
            low, high = count[1] or "0", count[2]
            message = f"{count[0]} is no count in JavaScript, but these characters"
            yield Remark(start, message, f"write {{{low},{high}}}")


FOREIGN_SYNTAX = Rule(
    "foreign-syntax",
    "A class or a count of another dialect, which JavaScript reads as text",
    r"`[[:alpha:]]` is a class in POSIX and PCRE, and `{,5}` a count in Python. JavaScript reads both as the "
    "characters that they consist of, without an error; a count with a space in it as well.",
    _foreign_syntax,
    fires=(r"[[:alpha:]]+", r"[^[:space:]]x", r"\d{,5}", r"\d{2, 5}", r"[[:digit:].]{3}"),
    silent=(r"[A-Za-z]+", r"\d{0,5}", r"\d{2,}", r"{,5}", r"[:a]", r"\{,5}", r"[{,5}]"),
)
