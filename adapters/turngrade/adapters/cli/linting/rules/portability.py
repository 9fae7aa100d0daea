"""What other tools that read the same patterns refuse."""

from __future__ import annotations

import re
from collections.abc import Iterator

from turngrade.adapters.cli.linting.rule import Remark, Rule
from turngrade.adapters.cli.linting.subject import PatternSubject
from turngrade.core.dialect import utf16_length
from turngrade.core.dialect.analysis import descendants
from turngrade.core.dialect.nodes import Group

_MODIFIERS = re.compile(r"\(\?[ims]*(?:-[ims]*)?:")
_LONGEST = 1000


def _long_patterns(subject: PatternSubject) -> Iterator[Remark]:
    length = utf16_length(subject.pattern)
    if length > _LONGEST:
        message = f"the pattern has {length:,} characters; 2signal takes {_LONGEST:,}"
        yield Remark(None, message, "split it into several graders")


LONG_PATTERN = Rule(
    "long-pattern",
    "A pattern of more than 1,000 characters",
    "2signal refuses it, as turngrade does unless `limits.max_pattern_length` is raised; and nobody can "
    "read it.",
    _long_patterns,
    fires=("x" * 1001 + "?",),
    silent=("x" * 999 + "?", "x{2000}"),
)


def _new_syntax(subject: PatternSubject) -> Iterator[Remark]:
    for node in descendants(subject.tree.root):
        if (
            isinstance(node, Group)
            and (found := _MODIFIERS.match(subject.source(node)))
            and len(found[0]) > 3
        ):
            message = f"{found[0]}…) is ES2025; Node below 23, and so Vally on it, refuses the pattern"
            yield Remark(node.span[0], message, "write (?i) at the start of the pattern, for all of it")
    for name, groups in subject.tree.names:
        if len(groups) > 1:
            message = (
                f"the group name {name} stands twice, which is ES2025; Node below 23 refuses the pattern"
            )
            yield Remark(None, message, "give each group a name of its own")


NEW_SYNTAX = Rule(
    "new-syntax",
    "Syntax of ES2025 that older runtimes refuse",
    "Modifiers such as `(?i:…)` and group names that stand twice are valid in current JavaScript engines, "
    "and here. "
    "Vally runs on Node 22 too, whose engine refuses them.",
    _new_syntax,
    fires=("a(?i:b)c", "(?<y>a)|(?<y>b)", "(?-i:x)"),
    silent=("(?i)abc", "(?:a)", "(?<y>a)|(?<z>b)", "(?=a)"),
)
