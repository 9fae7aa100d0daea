"""The pattern grammar of ECMA-262 (section 22.2.1, with annex B.1.2) as a recursive descent."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from turngrade.core.dialect.class_sets import ClassSet, class_set
from turngrade.core.dialect.classes import character_class
from turngrade.core.dialect.escapes import character_escape, class_escape
from turngrade.core.dialect.flags import Mode, parse_flags
from turngrade.core.dialect.group_names import group_name
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
    Span,
    Tree,
)
from turngrade.core.dialect.scanner import Scanner

_MAX_CAPTURES: Final = 0xFFFF
_MAX_COUNT: Final = 0x7FFFFFFF
_COUNTS: Final = re.compile(r"\{([0-9]+)(?:(,)([0-9]*))?\}")
_SYMBOLS: Final[Mapping[str, tuple[int, int | None]]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_NUMBER: Final = re.compile("[1-9][0-9]*")
_MODIFIERS: Final = re.compile("([ims]*)(-?)([ims]*)")
_LOOKS: Final[Mapping[str, tuple[bool, bool]]] = {
    "=": (True, False),
    "!": (True, True),
    "<=": (False, False),
    "<!": (False, True),
}
"""What stands behind ``(?``, and whether it looks ahead and whether it is negative."""

Path: TypeAlias = tuple[tuple[int, int], ...]
"""The alternatives around a group: number of the disjunction, number of the alternative in it."""


def parse(pattern: str, flags: str = "") -> Tree:
    """Parses a pattern as ``new RegExp(pattern, flags)`` does.

    Args:
        pattern: The pattern without delimiters.
        flags: Letters out of ``dgimsuvy``.

    Raises:
        InvalidPattern: JavaScript refuses the pattern (or it uses a property of strings, which is not
            supported).
        InvalidFlags: JavaScript refuses the flags.
        PatternTooLarge: Groups or classes nest too deeply.
    """
    mode = parse_flags(pattern, flags)
    parser = _Parser(pattern, flags, mode, {})
    root = parser.pattern()
    if parser.named_references:
        parser.check_named_references()
        parser = _Parser(pattern, flags, mode, parser.group_numbers)
        root = parser.pattern()
    return Tree(
        root=root,
        pattern=pattern,
        flags=flags,
        unicode=mode.unicode,
        sticky="y" in flags,
        group_count=parser.group_count,
        names=tuple(parser.group_numbers.items()),
    )


@dataclass(frozen=True, slots=True)
class _Named:
    """A named group and the alternatives that it is in."""

    number: int
    path: Path

    def excludes(self, path: Path) -> bool:
        """Whether a group elsewhere can never take part together with this one."""
        here = dict(self.path)
        return any(here.get(disjunction, alternative) != alternative for disjunction, alternative in path)


class _Parser:
    """One pass over a pattern.

    ``known_groups`` are the numbers of the groups of each name. References may point forward, so the first
    pass does not know them; a second one does.
    """

    def __init__(
        self, pattern: str, flags: str, mode: Mode, known_groups: Mapping[str, tuple[int, ...]]
    ) -> None:
        self.group_count = 0
        self.named_references: list[tuple[str, int]] = []
        self._scanner = Scanner(pattern, flags, mode.unicode)
        self._mode = mode
        self._known_groups = known_groups
        self._named: dict[str, list[_Named]] = {}
        self._disjunctions = 0
        self._path: Path = ()

    @property
    def group_numbers(self) -> dict[str, tuple[int, ...]]:
        """The numbers of the groups of each name."""
        return {name: tuple(group.number for group in groups) for name, groups in self._named.items()}

    def check_named_references(self) -> None:
        """Refuses the first reference to a name that no group has."""
        for name, at in self.named_references:
            if name not in self._named:
                self._scanner.fail("Invalid named capture referenced", at)

    def pattern(self) -> Node:
        """The whole pattern."""
        root = self._disjunction()
        if not self._scanner.done:
            self._scanner.fail("Unmatched ')'")
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

    def _assertion(self) -> Node | None:
        """``^``, ``$``, ``\\b`` or ``\\B``."""
        scanner, start, multiline = self._scanner, self._scanner.at, self._mode.multiline
        if scanner.eat("^"):
            kind = AssertionKind.LINE_START if multiline else AssertionKind.TEXT_START
        elif scanner.eat("$"):
            kind = AssertionKind.LINE_END if multiline else AssertionKind.TEXT_END
        elif scanner.eat("\\b"):
            kind = AssertionKind.WORD_BOUNDARY
        elif scanner.eat("\\B"):
            kind = AssertionKind.NOT_WORD_BOUNDARY
        else:
            return None
        is_boundary = kind in (AssertionKind.WORD_BOUNDARY, AssertionKind.NOT_WORD_BOUNDARY)
        return Assertion(kind, self._mode.words if is_boundary else (), scanner.span(start))

    def _atom(self) -> Node:
        scanner, start = self._scanner, self._scanner.at
        letter = scanner.peek()
        if letter == "(":
            return self._group()
        if letter == "[":
            return self._class()
        if letter == "\\":
            return self._escape()
        if letter == ".":
            scanner.at += 1
            return CharSet(self._mode.dot, scanner.span(start))
        if letter in _SYMBOLS or (letter == "{" and _COUNTS.match(scanner.text, start)):
            scanner.fail("Nothing to repeat")
        if letter in "{}]" and self._mode.unicode:
            scanner.fail("Lone quantifier brackets")
        return self._char(ord(scanner.take()), scanner.span(start))

    def _char(self, code: int, span: Span) -> Char:
        return Char(code, self._mode.character(code), span)

    def _quantified(self, atom: Node, start: int) -> Node:
        """The atom with the quantifier behind it, if there is one."""
        counts = self._counts()
        if counts is None:
            return atom
        greedy = not self._scanner.eat("?")
        return Repeat(atom, *counts, greedy=greedy, span=self._scanner.span(start))

    def _unquantified(self, atom: Node) -> Node:
        """The atom, which must not have a quantifier."""
        end = self._scanner.at
        if self._counts() is not None:
            self._scanner.fail("Invalid quantifier", end)
        return atom

    def _counts(self) -> tuple[int, int | None] | None:
        """Least and greatest number of repetitions; None if no quantifier comes."""
        scanner, start = self._scanner, self._scanner.at
        if scanner.peek() in _SYMBOLS:
            return _SYMBOLS[scanner.take()]
        if not scanner.sees("{"):
            return None
        braces = scanner.match(_COUNTS)
        if braces is None:
            if self._mode.unicode:
                scanner.fail("Incomplete quantifier")
            return None
        least = _count(braces[1])
        most = least if braces[2] is None else _count(braces[3] or str(_MAX_COUNT))
        if most < least:
            scanner.fail("numbers out of order in {} quantifier", start)
        return least, None if most == _MAX_COUNT else most

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
        if name is not None:
            groups = self._named.setdefault(name, [])
            if not all(group.excludes(self._path) for group in groups):
                self._scanner.fail("Duplicate capture group name", start)
            groups.append(_Named(number, self._path))
        body = self._body(start)
        return Group(body, number, name, self._scanner.span(start))

    def _uncaptured(self, start: int) -> Group:
        """``(?:…)``, or with modifiers ``(?ims-ims:…)``."""
        outer = self._mode
        self._mode = self._modified(start)
        body = self._body(start)
        self._mode = outer
        return Group(body, None, None, self._scanner.span(start))

    def _modified(self, start: int) -> Mode:
        """Reads the modifiers and the colon."""
        scanner = self._scanner
        if scanner.eat(":"):
            return self._mode
        if scanner.peek() not in ("i", "m", "s", "-"):
            scanner.fail("Invalid group", start)
        written = scanner.match(_MODIFIERS)
        assert written is not None, "the token matches the empty string"
        switched_on, dash, switched_off = written.groups()
        if len(set(switched_on + switched_off)) < len(switched_on + switched_off):
            scanner.fail("Repeated flag in flag group", start)
        if dash and scanner.sees("-"):
            scanner.fail("Multiple dashes in flag group", start)
        if not scanner.eat(":"):
            scanner.fail("Invalid group", start)
        if not switched_on + switched_off:
            scanner.fail("Invalid flag group", start)
        return self._mode.modified(switched_on, switched_off)

    def _class(self) -> Node:
        start = self._scanner.at
        if self._mode.sets:
            contents = class_set(self._scanner, self._mode)
            return self._set_node(contents, self._scanner.span(start))
        ranges = character_class(self._scanner, self._mode)
        return CharSet(ranges, self._scanner.span(start))

    def _set_node(self, contents: ClassSet, span: Span) -> Node:
        """The characters and strings of a class: longer ones are tried first."""
        if not contents.strings:
            return CharSet(contents.ranges, span)
        words = sorted(contents.strings, key=lambda word: (-len(word), word))
        branches: list[Node] = [
            Sequence(tuple(self._char(code, span) for code in word), span) for word in words if word
        ]
        if contents.ranges:
            branches.append(CharSet(contents.ranges, span))
        if () in contents.strings:
            branches.append(Sequence((), span))
        return Group(Alternation(tuple(branches), span), None, None, span)

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
        return self._char(code, scanner.span(start))

    def _numbered_reference(self, start: int) -> BackReference | None:
        """``\\1``; without ``u`` a number beyond the last group is an octal escape or a digit."""
        scanner = self._scanner
        number = scanner.match(_NUMBER)
        if number is None:
            return None
        if len(number[0]) <= len(str(_MAX_CAPTURES)) and int(number[0]) <= scanner.group_count:
            return BackReference((int(number[0]),), self._mode.ignore_case, scanner.span(start))
        if self._mode.unicode:
            scanner.fail("Invalid escape", start)
        scanner.at = start + 1
        return None

    def _named_reference(self, start: int) -> BackReference | None:
        """``\\k<name>``; without ``u`` a ``\\k`` is a letter if no group has a name."""
        scanner = self._scanner
        if not scanner.sees("k") or not (self._mode.unicode or scanner.has_named_groups):
            return None
        scanner.at += 1
        if not scanner.eat("<"):
            scanner.fail("Invalid named reference", start)
        name = group_name(scanner, start)
        self.named_references.append((name, start))
        groups = self._known_groups.get(name, ())
        return BackReference(groups, self._mode.ignore_case, scanner.span(start))


def _count(digits: str) -> int:
    """A number of repetitions; as in V8 all large ones are the same, and mean no limit."""
    digits = digits.lstrip("0") or "0"
    return min(int(digits), _MAX_COUNT) if len(digits) <= len(str(_MAX_COUNT)) else _MAX_COUNT
