"""The tree: what it says, and where in the pattern it says it."""

from __future__ import annotations

import pytest
from hypothesis import given
from tests.dialect.strategies import flags, patterns

from turngrade.core.dialect import InvalidPattern, parse
from turngrade.core.dialect.analysis import children, descendants
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
)


def written(pattern: str, node: Node) -> str:
    start, end = node.span
    return pattern[start:end]


def test_a_tree_with_every_kind_of_node() -> None:
    pattern = r"^a[b-c]+?(?<n>d|\k<n>)(?!e).$"
    root = parse(pattern).root
    assert isinstance(root, Sequence)
    start, letter, loop, group, look, dot, end = root.items
    assert isinstance(start, Assertion)
    assert start.kind is AssertionKind.TEXT_START
    assert letter == Char(97, ((97, 97),), (1, 2))
    assert loop == Repeat(CharSet(((98, 99),), (2, 7)), 1, None, greedy=False, span=(2, 9))
    assert isinstance(group, Group)
    assert (group.index, group.name) == (1, "n")
    assert isinstance(group.body, Alternation)
    assert isinstance(group.body.branches[1], BackReference)
    assert look == Look(Char(101, ((101, 101),), (26 - 1, 26)), ahead=True, negative=True, span=(22, 27))
    assert isinstance(dot, CharSet)
    assert isinstance(end, Assertion)
    assert [written(pattern, item) for item in root.items] == [
        "^", "a", "[b-c]+?", r"(?<n>d|\k<n>)", "(?!e)", ".", "$",
    ]  # fmt: skip


def test_what_flags_decide_is_decided() -> None:
    assert parse("k", "i").root == Char(107, ((75, 75), (107, 107)), (0, 1))
    assert parse("k", "iu").root == Char(107, ((75, 75), (107, 107), (0x212A, 0x212A)), (0, 1))
    assert parse(".", "s").root == CharSet(((0, 0xFFFF),), (0, 1))
    assert parse(".", "su").root == CharSet(((0, 0x10FFFF),), (0, 1))
    assert parse("[^]").root == CharSet(((0, 0xFFFF),), (0, 3))
    assert parse("[]").root == CharSet((), (0, 2))
    for letter, kind in (("", AssertionKind.TEXT_END), ("m", AssertionKind.LINE_END)):
        assert parse("$", letter).root == Assertion(kind, (), (0, 1))


def test_spans_are_those_of_the_pattern_as_written() -> None:
    for pattern, letters, expected in (
        ("😀a", "", ["😀", "😀", "a"]),
        ("😀a", "u", ["😀", "a"]),
        ("\ud83d\ude00a", "u", ["\ud83d\ude00", "a"]),
        ("\\ud83d\\ude00a", "u", ["\\ud83d\\ude00", "a"]),
    ):
        root = parse(pattern, letters).root
        assert isinstance(root, Sequence)
        assert [written(pattern, item) for item in root.items] == expected


def test_names_and_numbers() -> None:
    tree = parse(r"(?<year>a)(b)|(?<year>c)(?<day>d)")
    assert tree.group_count == 4
    assert tree.names == (("year", (1, 3)), ("day", (4,)))


@pytest.mark.parametrize(
    ("pattern", "groups"),
    [
        (r"(a)\1", (1,)),
        (r"\1(a)", (1,)),
        (r"(a\1)", ()),
        (r"(?<n>a)\k<n>", (1,)),
        (r"\k<n>(?<n>a)", (1,)),
        (r"(?:(?<n>a)|(?<n>b))\k<n>", (1, 2)),
        (r"(?<n>a\k<n>)|(?<n>b)", (2,)),
    ],
)
def test_references_know_their_groups(pattern: str, groups: tuple[int, ...]) -> None:
    (reference,) = (node for node in descendants(parse(pattern).root) if isinstance(node, BackReference))
    assert reference.groups == groups


def test_a_tree_cannot_be_changed() -> None:
    tree = parse("a")
    with pytest.raises(AttributeError):
        tree.pattern = "b"  # type: ignore[misc]
    assert hash(tree) == hash(parse("a"))


def test_a_number_of_repetitions_may_have_any_length() -> None:
    loop = parse("a{" + "9" * 10_000 + ",}").root
    assert isinstance(loop, Repeat)
    assert (loop.min, loop.max) == (0x7FFFFFFF, None)
    assert parse("a{" + "0" * 10_000 + "2}").root == Repeat(
        Char(97, ((97, 97),), (0, 1)), 2, 2, greedy=True, span=(0, 10_004)
    )


@given(patterns, flags)
def test_spans_nest(pattern: str, letters: str) -> None:
    try:
        tree = parse(pattern, letters)
    except InvalidPattern:
        return
    for node in descendants(tree.root):
        start, end = node.span
        assert 0 <= start <= end <= len(pattern)
        for child in children(node):
            assert start <= child.span[0] <= child.span[1] <= end
