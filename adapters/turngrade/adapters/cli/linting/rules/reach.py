"""Patterns that reach less far, or much further, than it seems."""

from __future__ import annotations

from collections.abc import Iterator

from turngrade.adapters.cli.linting.rule import Remark, Rule
from turngrade.adapters.cli.linting.subject import PatternSubject
from turngrade.core.dialect import MatchError, compile_pattern
from turngrade.core.dialect.analysis import descendants
from turngrade.core.dialect.nodes import Char, Repeat, Sequence

_GAP = 5
"""From so many characters on, a repeated dot is meant to skip text."""


def _dot_gaps(subject: PatternSubject) -> Iterator[Remark]:
    if "s" in subject.flags:
        return
    for node in descendants(subject.tree.root):
        if isinstance(node, Sequence):
            for item in node.items[1:-1]:
                if _is_gap(subject, item):
                    message = "the dot does not match a line break, so the gap ends at the end of a line"
                    instead = r"write (?s) at the start, or [\s\S]; or [^\n] if one line is meant"
                    yield Remark(item.span[0], message, instead)


def _is_gap(subject: PatternSubject, node: object) -> bool:
    if not isinstance(node, Repeat) or subject.source(node.body) != ".":
        return False
    return node.max is None or node.max >= _GAP


DOT_GAP = Rule(
    "dot-gap",
    "A gap of dots that a line break ends",
    "`refund.{0,40}approved` does not match when the text wraps between the two words: without the flag "
    "`s` the dot "
    "stops at line breaks, and models break lines where they like.",
    _dot_gaps,
    fires=("refund.*approved", "a.{0,40}b", "(?i)x(?:a.+b)"),
    silent=("(?s)refund.*approved", r"a[\s\S]*b", "refund.*", "a.b", "a.{1,3}b", r"a[^\n]*b"),
)

_PROBES = ("", "0", "zebra\n", " \u2603")


def _matches_everything(subject: PatternSubject) -> Iterator[Remark]:
    pattern = compile_pattern(subject.body, subject.flags)
    try:
        everything = all(pattern.test(probe) for probe in _PROBES)
    except MatchError:
        return
    if everything:
        message = "the pattern matches every text, the empty one included"
        yield Remark(None, message, "let it need at least one character that counts")


MATCHES_EVERYTHING = Rule(
    "matches-everything",
    "A pattern that matches every text",
    "When all of a pattern is optional it matches the empty string, and so every text: the grader can only "
    "pass "
    "(or, negated, only fail).",
    _matches_everything,
    fires=("a*", "(?:please)?", "x|", r"\s*"),
    silent=("a+", "^$", r"^\s*$", r"\S"),
)


def _plain_literals(subject: PatternSubject) -> Iterator[Remark]:
    root = subject.tree.root
    items = root.items if isinstance(root, Sequence) else (root,)
    if subject.key != "pattern" or not items or not all(isinstance(item, Char) for item in items):
        return
    if set(subject.flags) - {"i", "g", "d"} or not all(_is_plain(subject, item) for item in items):
        return
    kind = "contains" if subject.type == "regex-match" else subject.type.replace("matches", "contains")
    case = "" if "i" in subject.flags else " and case_sensitive: true"
    yield Remark(
        None,
        "the pattern is a plain text",
        f"{kind} with that text{case} says the same, and needs no escapes",
    )


def _is_plain(subject: PatternSubject, node: object) -> bool:
    written = subject.source(node) if isinstance(node, Char) else ""
    return len(written) == 1 or (len(written) == 2 and not written[1].isalnum())


PLAIN_LITERAL = Rule(
    "plain-literal",
    "A pattern without anything of a pattern",
    "The `contains` family says that a plain text is meant, needs no escapes, and cannot be misread when "
    "somebody "
    "adds a dot or a bracket.",
    _plain_literals,
    fires=("refund", "(?i)as an AI", r"example\.com"),
    silent=("refunds?", r"\brefund\b", "a.b", "(?m)refund", r"\x41"),
)
