"""The JavaScript dialect: patterns parsed as ECMAScript, matched by ``regex``, with V8's verdicts."""

from turngrade.core.dialect.captures import exec_groups
from turngrade.core.dialect.deadline import Deadline, MatchError, MatchMemory, MatchTimeout
from turngrade.core.dialect.emitter import emit
from turngrade.core.dialect.errors import InvalidFlags, InvalidPattern, PatternTooLarge
from turngrade.core.dialect.folding import reference_folding
from turngrade.core.dialect.nodes import Tree
from turngrade.core.dialect.parser import parse
from turngrade.core.dialect.pattern import Match, Pattern, compile_pattern
from turngrade.core.dialect.screen import Screen, screen_of
from turngrade.core.dialect.subject import Subject, utf16_length

__all__ = [
    "Deadline",
    "InvalidFlags",
    "InvalidPattern",
    "Match",
    "MatchError",
    "MatchMemory",
    "MatchTimeout",
    "Pattern",
    "PatternTooLarge",
    "Screen",
    "Subject",
    "Tree",
    "compile_pattern",
    "emit",
    "exec_groups",
    "parse",
    "reference_folding",
    "screen_of",
    "utf16_length",
]
