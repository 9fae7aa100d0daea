"""Character classes with ``v``: nested classes, strings, intersections and differences."""

from __future__ import annotations

from typing import Final, NoReturn, TypeAlias

from msgspec import Struct

from turngrade.core.dialect.casefold import canonicalize
from turngrade.core.dialect.charset import difference, intersection, union
from turngrade.core.dialect.escapes import character_escape, class_escape
from turngrade.core.dialect.flags import Mode
from turngrade.core.dialect.nodes import Alternation, Char, CharSet, Group, Node, Ranges, Sequence, Span
from turngrade.core.dialect.scanner import Scanner

Word: TypeAlias = tuple[int, ...]
"""A string in a class, as code points; with ``i`` each stands for all its counterparts."""

_BACKSPACE: Final = 0x08
_SYNTAX: Final = frozenset("()[]{}/-|")
_RESERVED: Final = frozenset(letter * 2 for letter in "&!#$%*+,.:;<=>?@^`~")


class ClassSet(Struct, frozen=True):
    """What a class holds.

    Attributes:
        ranges: Its characters; closed under case folding with ``i``, so that set operations are exact.
        strings: Its strings of any length but one.
        may_hold_strings: Whether the grammar says that there may be strings, found or not.
    """

    ranges: Ranges = ()
    strings: frozenset[Word] = frozenset()
    may_hold_strings: bool = False

    def __or__(self, other: ClassSet) -> ClassSet:
        may_hold = self.may_hold_strings or other.may_hold_strings
        return ClassSet(union(self.ranges, other.ranges), self.strings | other.strings, may_hold)

    def __and__(self, other: ClassSet) -> ClassSet:
        may_hold = self.may_hold_strings and other.may_hold_strings
        return ClassSet(intersection(self.ranges, other.ranges), self.strings & other.strings, may_hold)

    def __sub__(self, other: ClassSet) -> ClassSet:
        ranges = difference(self.ranges, other.ranges)
        return ClassSet(ranges, self.strings - other.strings, self.may_hold_strings)


class _Operand(Struct, frozen=True):
    """One operand, and its code if it is a single character, which may begin a range."""

    contents: ClassSet
    code: int | None = None


def class_set(scanner: Scanner, mode: Mode) -> ClassSet:
    """Reads a class from its ``[`` to its ``]``."""
    start = scanner.at
    scanner.at += 1
    negative = scanner.eat("^")
    with scanner.nested():
        contents = ClassSet() if scanner.sees("]") else _contents(scanner, mode, start, negative)
    if scanner.done:
        scanner.fail("Unterminated character class", start)
    _check_negation(scanner, contents, start, negative)
    scanner.at += 1
    return ClassSet(mode.inverted(contents.ranges)) if negative else contents


def set_node(contents: ClassSet, mode: Mode, span: Span) -> Node:
    """A class as a node: the longer of its strings are tried first."""
    if not contents.strings:
        return CharSet(contents.ranges, span)
    words = sorted(contents.strings, key=lambda word: (-len(word), word))
    branches: list[Node] = [
        Sequence(tuple(Char(code, mode.character(code), span) for code in word), span)
        for word in words
        if word
    ]
    branches.append(CharSet(contents.ranges, span))
    if () in contents.strings:
        branches.append(Sequence((), span))
    return Group(Alternation(tuple(branches), span), None, None, span)


def _check_negation(scanner: Scanner, contents: ClassSet, class_start: int, negative: bool) -> None:
    if negative and contents.may_hold_strings:
        scanner.fail("Negated character class may contain strings", class_start)


def _contents(scanner: Scanner, mode: Mode, class_start: int, negative: bool) -> ClassSet:
    if scanner.done:
        scanner.fail("Unterminated character class", class_start)
    first = _operand(scanner, mode, class_start)
    if scanner.sees("--"):
        _check_negation(scanner, first.contents, class_start, negative)
    if scanner.sees("--") or scanner.sees("&&"):
        return _operation(scanner, mode, first.contents, class_start)
    return _union(scanner, mode, first, class_start)


def _operation(scanner: Scanner, mode: Mode, contents: ClassSet, class_start: int) -> ClassSet:
    """Reads the rest of ``a--b--c`` or ``a&&b&&c``; the two do not mix."""
    operator = scanner.peek(2)
    while not (scanner.done or scanner.sees("]")):
        if not scanner.eat(operator):
            scanner.fail("Invalid set operation in character class")
        if operator == "&&" and scanner.sees("&"):
            scanner.fail("Invalid character in character class")
        operand = _operand(scanner, mode, class_start).contents
        contents = contents - operand if operator == "--" else contents & operand
    return contents


def _union(scanner: Scanner, mode: Mode, operand: _Operand, class_start: int) -> ClassSet:
    """Reads the rest of a class without operators."""
    contents = ClassSet()
    while True:
        if scanner.sees("-") and not scanner.sees("--"):
            contents |= _range(scanner, mode, operand, class_start)
        else:
            contents |= operand.contents
        if scanner.done or scanner.sees("]"):
            return contents
        if scanner.sees("--"):
            scanner.fail("Invalid set operation in character class")
        if scanner.sees("-"):
            _refuse_hyphen(scanner, class_start)
        operand = _operand(scanner, mode, class_start)


def _range(scanner: Scanner, mode: Mode, left: _Operand, class_start: int) -> ClassSet:
    """Reads the rest of ``a-z``."""
    start = scanner.at
    if left.code is None:
        _refuse_hyphen(scanner, class_start)
    scanner.at += 1
    right = _operand(scanner, mode, class_start)
    if right.code is None:
        scanner.fail("Invalid character class", start)
    if left.code > right.code:
        scanner.fail("Range out of order in character class", start)
    return ClassSet(mode.folded(((left.code, right.code),)))


def _refuse_hyphen(scanner: Scanner, class_start: int) -> NoReturn:
    """Fails at a ``-`` that makes no range; where the pattern ends with it, V8 misses the ``]`` first."""
    if scanner.at + 1 == len(scanner.text):
        scanner.fail("Unterminated character class", class_start)
    scanner.fail("Invalid character class")


def _operand(scanner: Scanner, mode: Mode, class_start: int) -> _Operand:
    r"""Reads a character, a class escape, ``\q{…}`` or a nested class."""
    if scanner.done:
        scanner.fail("Unterminated character class", class_start)
    if scanner.sees("["):
        return _Operand(class_set(scanner, mode))
    if scanner.sees("\\q{"):
        return _Operand(_strings(scanner, mode, class_start))
    if scanner.sees("\\"):
        scanner.at += 1
        ranges = class_escape(scanner, mode, in_class=True)
        if ranges is not None:
            return _Operand(ClassSet(mode.folded(ranges)))
        scanner.at -= 1
    code = _character(scanner, mode)
    return _Operand(ClassSet(mode.character(code)), code)


def _strings(scanner: Scanner, mode: Mode, class_start: int) -> ClassSet:
    r"""Reads ``\q{ab|c|}``; strings of one character are characters."""
    scanner.at += len("\\q{")
    words: list[list[int]] = [[]]
    while not scanner.eat("}"):
        if scanner.done:
            scanner.fail("Unterminated character class", class_start)
        if scanner.eat("|"):
            words.append([])
        else:
            words[-1].append(_character(scanner, mode))
    ranges = union(*(mode.character(word[0]) for word in words if len(word) == 1))
    strings = frozenset(_canonical(word, mode) for word in words if len(word) != 1)
    return ClassSet(ranges, strings, bool(strings))


def _canonical(word: list[int], mode: Mode) -> Word:
    return tuple(canonicalize(code, unicode=True) for code in word) if mode.ignore_case else tuple(word)


def _character(scanner: Scanner, mode: Mode) -> int:
    """Reads a single character."""
    start = scanner.at
    letter = scanner.take()
    if letter == "\\":
        return _BACKSPACE if scanner.eat("b") else character_escape(scanner, mode, in_class=True)
    if letter in _SYNTAX:
        scanner.fail("Invalid character in character class", start)
    if letter + scanner.peek() in _RESERVED:
        scanner.fail("Invalid set operation in character class", start)
    return ord(letter)
