"""The JavaScript dialect: patterns parsed as ECMAScript, matched by ``regex``, with V8's verdicts."""

from turngrade.core.dialect.captures import exec_groups
from turngrade.core.dialect.emitter import emit
from turngrade.core.dialect.errors import InvalidFlags, InvalidPattern, PatternTooLarge
from turngrade.core.dialect.nodes import Tree
from turngrade.core.dialect.parser import parse

__all__ = ["InvalidFlags", "InvalidPattern", "PatternTooLarge", "Tree", "emit", "exec_groups", "parse"]
