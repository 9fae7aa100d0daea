"""The pattern grammar of ECMA-262 (section 22.2.1, with annex B.1.2) as a recursive descent."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from turngrade.core.dialect.class_sets import class_set, set_node
from turngrade.core.dialect.classes import character_class
from turngrade.core.dialect.errors import PatternTooLarge
from turngrade.core.dialect.escapes import character_escape, class_escape
from turngrade.core.dialect.flags import Mode, parse_flags
from turngrade.core.dialect.group_names import NamedGroups, Path, group_name
from turngrade.core.dialect.halves import with_matches_between_halves
from turngrade.core.dialect.modifiers import modified_mode
from turngrade.core.dialect.nodes import (
    Alternation,
    Assertion,
    AssertionKind,
    BackReference,
    Char,
    CharSet,
    Group,
    Look,
    Node,
    Repeat,
    Sequence,
    Tree,
)
from turngrade.core.dialect.quantifiers import quantifier, sees_quantifier
from turngrade.core.dialect.scanner import Scanner

_MAX_CAPTURES: Final = 0xFFFF
_NUMBER: Final = re.compile("[1-9][0-9]*")
_LOOKS: Final[Mapping[str, tuple[bool, bool]]] = {
    "=": (True, False),
    "!": (True, True),
    "<=": (False, False),
    "<!": (False, True),
}
"""What stands behind ``(?``, and whether it looks ahead and whether it is negative."""


def parse(pattern: str, flags: str = "") -> Tree:
    """Parses a pattern as ``new RegExp(pattern, flags)`` does.

    Args:
        pattern: The pattern without delimiters.
        flags: Letters out of ``dgimsuvy``.

    Raises:
        InvalidPattern: JavaScript refuses the pattern, or it uses a property of strings, which is not
            supported.
        InvalidFlags: JavaScript refuses the flags.
        PatternTooLarge: Groups or classes nest too deeply.
    """
    mode = parse_flags(pattern, flags)
    try:
        return _parse(pattern, flags, mode)
    except RecursionError:
        raise PatternTooLarge(pattern, flags) from None


def _parse(pattern: str, flags: str, mode: Mode) -> Tree:
    parser = _Parser(Scanner(pattern, flags, mode.unicode), mode, {})
    root = parser.pattern()
    if parser.has_named_references:
        parser = _Parser(Scanner(pattern, flags, mode.unicode), mode, parser.names.numbers())
        root = parser.pattern()
    sticky = "y" in flags
    return Tree(
        root=with_matches_between_halves(root) if mode.unicode and not sticky else root,
        pattern=pattern,
        flags=flags,
        unicode=mode.unicode,
        sticky=sticky,
        group_count=parser.group_count,
        names=tuple(parser.names.numbers().items()),
    )


class _Parser:
    """One pass over a pattern.

    References by name may point forward. The first pass does not know where to; a second one is told the
    numbers of the groups of each name.
    """

    def __init__(self, scanner: Scanner, mode: Mode, known: Mapping[str, tuple[int, ...]]) -> None:
        self.group_count = 0
        self.names = NamedGroups()
        self._scanner = scanner
        self._mode = mode
        self._known = known
        self._named_references: list[tuple[str, int]] = []
        self._open: dict[int, str | None] = {}
        self._disjunctions = 0
        self._path: Path = ()

    @property
    def has_named_references(self) -> bool:
        return bool(self._named_references)

    def pattern(self) -> Node:
        """The whole pattern."""
        root = self._disjunction()
        if not self._scanner.done:
            self._scanner.fail("Unmatched ')'")
        for name, start in self._named_references:
            if name not in self.names:
                self._scanner.fail("Invalid named capture referenced", start)
        self._scanner.check_ranges()
        return root

    def _disjunction(self) -> Node:
        start, path = self._scanner.at, self._path
        number, self._disjunctions = self._disjunctions, self._disjunctions + 1
        branches: list[Node] = []
        while not branches or self._scanner.eat("|"):
            self._path = (*path, (number, len(branches)))
            branches.append(self._alternative())
        self._path = path
        return branches[0] if len(branches) == 1 else Alternation(tuple(branches), self._scanner.span(start))

    def _alternative(self) -> Node:
        scanner, start = self._scanner, self._scanner.at
        items: list[Node] = []
        while not scanner.done and scanner.peek() not in "|)":
            items.append(self._term())
        return items[0] if len(items) == 1 else Sequence(tuple(items), scanner.span(start))

    def _term(self) -> Node:
        start = self._scanner.at
        assertion = self._assertion()
        if assertion is not None:
            return assertion
        atom = self._atom()
        if isinstance(atom, Look) and (self._mode.unicode or not atom.ahead):
            return self._unquantified(atom)
        return self._quantified(atom, start)

    def _assertion(self) -> Assertion | None:
        r"""``^``, ``$``, ``\b`` or ``\B``."""
        scanner, start, multiline = self._scanner, self._scanner.at, self._mode.multiline
        words = self._mode.words
        if scanner.eat("^"):
            kind, words = AssertionKind.LINE_START if multiline else AssertionKind.TEXT_START, ()
        elif scanner.eat("$"):
            kind, words = AssertionKind.LINE_END if multiline else AssertionKind.TEXT_END, ()
        elif scanner.eat("\\b"):
            kind = AssertionKind.WORD_BOUNDARY
        elif scanner.eat("\\B"):
            kind = AssertionKind.NOT_WORD_BOUNDARY
        else:
            return None
        return Assertion(kind, words, scanner.span(start))

    def _atom(self) -> Node:
        scanner, start = self._scanner, self._scanner.at
        letter = scanner.peek()
        if letter == "(":
            return self._group()
        if letter == "[":
            return self._class()
        if letter == "\\":
            return self._escape()
        if sees_quantifier(scanner):
            scanner.fail("Nothing to repeat")
        if letter in "{}]" and self._mode.unicode:
            scanner.fail("Lone quantifier brackets")
        scanner.at += 1
        if letter == ".":
            return CharSet(self._mode.dot, scanner.span(start))
        return self._char(ord(letter), start)

    def _char(self, code: int, start: int) -> Char:
        return Char(code, self._mode.character(code), self._scanner.span(start))

    def _quantified(self, atom: Node, start: int) -> Node:
        """The atom with the quantifier behind it, if there is one."""
        counts = quantifier(self._scanner, self._mode)
        if counts is None:
            return atom
        greedy = not self._scanner.eat("?")
        return Repeat(atom, *counts, greedy=greedy, span=self._scanner.span(start))

    def _unquantified(self, atom: Node) -> Node:
        """The atom, which must not have a quantifier."""
        end = self._scanner.at
        if quantifier(self._scanner, self._mode) is not None:
            self._scanner.fail("Invalid quantifier", end)
        return atom

    def _group(self) -> Node:
        scanner, start = self._scanner, self._scanner.at
        scanner.at += 1
        if not scanner.eat("?"):
            return self._capture(start, None)
        for prefix, (ahead, negative) in _LOOKS.items():
            if scanner.eat(prefix):
                return Look(self._body(start), ahead, negative, scanner.span(start))
        if scanner.eat("<"):
            return self._capture(start, group_name(scanner, start))
        return self._uncaptured(start)

    def _body(self, start: int) -> Node:
        """What is in a group, and its closing parenthesis."""
        with self._scanner.nested():
            body = self._disjunction()
        if not self._scanner.eat(")"):
            self._scanner.fail("Unterminated group", start)
        return body

    def _capture(self, start: int, name: str | None) -> Group:
        self.group_count += 1
        number = self.group_count
        if number > _MAX_CAPTURES:
            self._scanner.fail("Too many captures", start)
        self._open[number] = name
        body = self._body(start)
        del self._open[number]
        if name is not None:
            self._name(name, number, start)
        return Group(body, number, name, self._scanner.span(start))

    def _name(self, name: str, number: int, start: int) -> None:
        if name in self._open.values() or not self.names.add(name, number, self._path):
            self._scanner.fail("Duplicate capture group name", start)

    def _uncaptured(self, start: int) -> Group:
        """``(?:…)``, or with modifiers ``(?ims-ims:…)``."""
        outer = self._mode
        self._mode = modified_mode(self._scanner, outer, start)
        body = self._body(start)
        self._mode = outer
        return Group(body, None, None, self._scanner.span(start))

    def _class(self) -> Node:
        start = self._scanner.at
        if self._mode.sets:
            contents = class_set(self._scanner, self._mode)
            return set_node(contents, self._mode, self._scanner.span(start))
        ranges = character_class(self._scanner, self._mode)
        return CharSet(ranges, self._scanner.span(start))

    def _escape(self) -> Node:
        """An escape that is an atom: a reference, a class or a character."""
        scanner, start = self._scanner, self._scanner.at
        scanner.at += 1
        reference = self._numbered_reference(start) or self._named_reference(start)
        if reference is not None:
            return reference
        ranges = class_escape(scanner, self._mode)
        if ranges is not None:
            return CharSet(self._mode.folded(ranges), scanner.span(start))
        code = character_escape(scanner, self._mode)
        return self._char(code, start)

    def _numbered_reference(self, start: int) -> BackReference | None:
        r"""``\1``; without ``u`` a number beyond the last group is an octal escape or a digit."""
        scanner = self._scanner
        number = scanner.match(_NUMBER)
        if number is None:
            return None
        if len(number[0]) <= len(str(_MAX_CAPTURES)) and int(number[0]) <= scanner.group_count:
            return self._reference((int(number[0]),), start)
        if self._mode.unicode:
            scanner.fail("Invalid escape", start)
        scanner.at = start + 1
        return None

    def _named_reference(self, start: int) -> BackReference | None:
        r"""``\k<name>``; without ``u`` a ``\k`` is a letter if no group has a name."""
        scanner = self._scanner
        if not scanner.sees("k") or not (self._mode.unicode or scanner.has_named_groups):
            return None
        scanner.at += 1
        if not scanner.eat("<"):
            scanner.fail("Invalid named reference", start)
        name = group_name(scanner, start)
        self._named_references.append((name, start))
        return self._reference(self._known.get(name, ()), start)

    def _reference(self, groups: tuple[int, ...], start: int) -> BackReference:
        closed = tuple(group for group in groups if group not in self._open)
        return BackReference(closed, self._mode.ignore_case, self._scanner.span(start))
