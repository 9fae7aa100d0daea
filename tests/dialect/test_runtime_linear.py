"""The linear engine against the backtracking one: two ways to the same match and the same groups."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.dialect.generators import PatternGenerator, TextGenerator, random_flags

from turngrade.core.dialect import Deadline, InvalidPattern, Tree, compile_pattern, dfa, parse
from turngrade.core.dialect.linear import Linear, Scan
from turngrade.core.dialect.nfa import Unsuitable
from turngrade.core.dialect.subject import Subject

SEEDS = st.integers(0, 2**32 - 1)


def linear_match(tree: Tree, text: str, start: int = 0) -> tuple[tuple[int, int], list[str | None]] | None:
    """The first match and its groups, by the linear engine alone."""
    linear, deadline = Linear(tree), Deadline.after(20)
    view = Subject(text).view(unicode=tree.unicode)
    scan = Scan(linear, view, deadline)
    span = scan.find(start, deadline)
    assert scan.exists(deadline) == (span is not None or start > 0)
    if span is None:
        return None
    spans = scan.walk(span[0], deadline).groups
    return span, [view[slice(*spans[n])] if n in spans else None for n in range(1, tree.group_count + 1)]


def random_case(seed: int) -> tuple[Tree, str] | None:
    rng = Random(seed)
    flags = random_flags(rng)
    try:
        tree = parse(PatternGenerator(rng, flags, strict=True).pattern(), flags)
    except InvalidPattern:
        return None
    return tree, TextGenerator(rng, tree).text()


@settings(max_examples=250, deadline=None)
@given(SEEDS)
def test_both_engines_find_the_same(seed: int) -> None:
    case = random_case(seed)
    if case is None:
        return
    tree, text = case
    linear, deadline = Linear(tree), Deadline.after(20)
    pattern, subject = compile_pattern(tree.pattern, tree.flags), Subject(text)
    expected = pattern.search(subject)
    scan = Scan(linear, subject.view(unicode=tree.unicode), deadline)
    try:
        span = scan.find(0, deadline)
    except Unsuitable:
        assert not linear.is_exact
        return
    assert (span is None) == (expected is None)
    if span is None or expected is None:
        return
    assert subject.span(*span, unicode=tree.unicode) == (expected.start, expected.end)
    if linear.tells_groups:
        groups = scan.walk(span[0], deadline).groups
        spans = [groups.get(n) for n in range(1, tree.group_count + 1)]
        mapped = [None if found is None else subject.span(*found, unicode=tree.unicode) for found in spans]
        assert tuple(None if found is None else text[slice(*found)] for found in mapped) == expected.groups


@pytest.mark.parametrize(
    ("pattern", "flags", "text", "span", "groups"),
    [
        ("a|ab", "", "xab", (1, 2), []),
        ("ab|a", "", "xab", (1, 3), []),
        ("a*?b", "", "aaab", (0, 4), []),
        ("(a*)(a*)", "", "aa", (0, 2), ["aa", ""]),
        ("(a*?)(a*)", "", "aa", (0, 2), ["", "aa"]),
        ("(?:(a)|(b))*", "", "ab", (0, 2), [None, "b"]),
        ("(z)((a+)?(b+)?(c))*", "", "zaacbbbcac", (0, 10), ["z", "ac", "a", None, "c"]),
        ("(?:|a)+", "", "aa", (0, 2), []),
        ("(a*)*", "", "b", (0, 0), [None]),
        ("(a*){2}", "", "b", (0, 0), [""]),
        ("(?:a?){3}?b", "", "aab", (0, 3), []),
        ("(\\b)?a", "", " a", (1, 2), [None]),
        ("a$", "", "ba\n", None, []),
        ("^a$", "m", "b\u2028a\rb", (2, 3), []),
        ("\\bé", "", "aé", (1, 2), []),
        ("\\Bſ", "iu", "aſ", (1, 2), []),
        ("(?<=a(?!b))c|(?<!a)c", "", "bac", (2, 3), []),
        ("(?=(?:(?<=x)y)+)y", "", "yxy", (2, 3), []),
        ("(?!a|(?!.b)).", "", "acb", (1, 2), []),
        ("a", "y", "ba", None, []),
        ("[]|[^]", "", "\n", (0, 1), []),
        ("^.$", "u", "😀", (0, 1), []),
        ("^..$", "", "😀", (0, 2), []),
    ],
)  # fmt: skip
def test_the_match_is_that_of_javascript(
    pattern: str, flags: str, text: str, span: tuple[int, int] | None, groups: list[str | None]
) -> None:
    found = linear_match(parse(pattern, flags), text)
    assert found == (None if span is None else (span, groups))


def test_more_symbols_than_a_byte_can_hold() -> None:
    letters = [chr(0x4E00 + 2 * n) for n in range(300)]
    tree = parse("|".join(f"{letter}{n}" for n, letter in enumerate(letters)))
    assert Linear(tree).alphabet.size > 256
    assert linear_match(tree, f"x{letters[299]}299") == ((1, 5), [])
    assert linear_match(tree, f"x{letters[299]}298") is None


def test_rows_are_forgotten_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = parse("(a|b)*a(a|b){12}c")
    text = "".join(Random(1).choices("ab", k=2_000)) + "babbbababababac"
    expected = compile_pattern("(?:a|b)*a(?:a|b){12}c").test(text)
    monkeypatch.setattr(dfa, "_MAX_CELLS", 6_000)
    linear = Linear(tree)
    scan = Scan(linear, text, Deadline.after(20))
    assert scan.exists(Deadline.after(20)) == expected
    assert linear.anywhere._forgotten > 3
    assert linear.anywhere._cells < 12_000


def test_too_many_rows_to_keep_are_no_match_for_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dfa, "_MAX_CELLS", 1_000)
    text = "".join(Random(1).choices("ab", k=100_000)) + "c"
    scan = Scan(Linear(parse("c[ab]{12}(a[ab]*)*d|[ab]{9}")), text, Deadline.after(20))
    assert scan.find(0, Deadline.after(20)) == (0, 9)
    scan = Scan(Linear(parse("[ab]*b[ab]{12}a[ab]*c")), text, Deadline.after(20))
    with pytest.raises(Unsuitable):
        scan.find(0, Deadline.after(20))


@pytest.mark.parametrize("pattern", ["(?:(?:a{100}){100}){10}", "(?=a)" * 41, "a{0,30000}"])
def test_what_is_too_large_is_left_to_the_other_engine(pattern: str) -> None:
    with pytest.raises(Unsuitable):
        Linear(parse(pattern))


@pytest.mark.parametrize(
    ("pattern", "flags", "text"),
    [
        (r"(a|b)\1", "", "ab c"),
        (r"(['\"]).*?\1", "", "'unclosed"),
        (r"(?:(a)|b)\1c", "", "ab"),
        (r"(?<=\1(a))c", "", "xac"),
        (r"(?!(a)\1)a", "", "b"),
        (r"(a)(?-i:\1)", "i", "a"),
        (r"(?<x>é)\k<x>!", "i", "éÉ"),
    ],
)
def test_references_are_widened_and_never_narrowed(pattern: str, flags: str, text: str) -> None:
    """The wider pattern may refuse a text only if the pattern itself does."""
    tree = parse(pattern, flags)
    scan = Scan(Linear(tree), text, Deadline.after(5))
    try:
        assert scan.exists(Deadline.after(5)) is False
    except Unsuitable:
        return
    assert compile_pattern(pattern, flags).test(text) is False


def test_a_reference_to_an_unclosed_quote_is_refuted() -> None:
    tree = parse(r"(['\"])(?:(?!\1)[^\\]|\\.)*\1")
    assert Scan(Linear(tree), "'" + "a" * 50, Deadline.after(5)).exists(Deadline.after(5)) is False
