"""Patterns as they are written for ``regex``."""

from __future__ import annotations

import warnings

import pytest
import regex
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.dialect.engine import FLAGS, Engine
from tests.dialect.strategies import structures

from turngrade.core.dialect import compile_pattern, emit, parse
from turngrade.core.dialect.captures import exec_groups
from turngrade.core.dialect.characters import set_text
from turngrade.core.dialect.charset import contains, from_codes
from turngrade.core.dialect.cost import cost
from turngrade.core.dialect.folding import folder, reference_folding

LINE = r"(?:\G|(?<![^\x0a\x0d\u2028\u2029]))"


def emitted(pattern: str, flags: str = "") -> str:
    return emit(parse(pattern, flags), captures=False)


@pytest.mark.parametrize(
    ("pattern", "flags", "expected"),
    [
        ("foo bar", "", "foo bar"),
        ("foo bar", "i", "(?i:foo bar)"),
        ("1-2 foo", "i", r"(?i:1\x2d2 foo)"),
        ("(a)(b)", "", "ab"),
        ("(?:a|b)c", "", "(?:a|b)c"),
        ("(((a)))*", "", "a*"),
        ("(ab)*", "", "(?:ab)*"),
        ("a{3}b{2,}c{1,2}?", "", "a{3}b{2,}c{1,2}?"),
        ("a{1}", "", "a"),
        ("a{0}b", "", "(?:)b"),
        ("[a-z]", "i", "[A-Za-z]"),
        (r"\d\w\D\W", "", r"\d\w\D\W"),
        (r"[^\d]", "u", r"\D"),
        ("[]", "", "(?!)"),
        ("[]*", "", "(?:(?!))*"),
        ("[^]", "", "(?s:.)"),
        ("^a$", "", r"\Aa\Z"),
        (r"\bfoo\b", "", r"\bfoo\b"),
        ("k", "iu", "[Kk\u212a]"),
        ("é", "i", "[Éé]"),
        ("a{2147483648}", "", "(?!)"),
        ("(?=a)*b", "", "(?:)b"),
    ],
)
def test_plain_things_stay_plain(pattern: str, flags: str, expected: str) -> None:
    assert emitted(pattern, flags) == expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"(?=.*foo)x", r"(?=[^\x0a\x0d\u2028\u2029]*?foo)x"),
        (r"^(?!\d+(?:a|b))", r"\A(?!\d+?(?:a|b))"),
        (r"(?!\w*\bfoo\b)x", r"(?!\w*?foo(?<=\b(?s:.){3})\b)x"),
        (r"(?!\w*\b\d)x", r"(?!\w*?\b\d)x"),
        (r"(?=\w*)x", r"(?=\w*)x"),
        (r"(?<=\w*\bfoo)x", r"(?<=\w*\bfoo)x"),
        (r"(?=(\w*)a)\1", r"(?=(?P<g1>\w*)a)(?P=g1)"),
    ],
)
def test_a_lookahead_does_not_overshoot_what_it_looks_for(pattern: str, expected: str) -> None:
    assert emitted(pattern) == expected


@settings(deadline=None)
@given(
    st.sampled_from(["^", "$", "^.", ".$", "^$", "a$\n^b", r"^\s*b", r"(?<=^a)\s*$"]),
    st.text(st.sampled_from("ab \n"), max_size=9),
)
def test_lines_that_end_in_one_way_only_are_the_same_lines(pattern: str, text: str) -> None:
    tree = parse(pattern, "m")
    every, plain = (
        regex.compile(emit(tree, captures=False, plain_lines=plain), FLAGS) for plain in (False, True)
    )
    assert every.pattern != plain.pattern
    assert [match.span() for match in every.finditer(text)] == [
        match.span() for match in plain.finditer(text)
    ]


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\u2028", "\u2029"])
def test_lines_end_as_in_javascript(end: str) -> None:
    starts, ends = compile_pattern("^.", "m"), compile_pattern(".$", "m")
    text = f"ab{end}cd"
    assert [match.text for match in starts.find_all(text)] == ["a", "c"]
    assert [match.text for match in ends.find_all(text)] == ["b", "d"]


@pytest.mark.parametrize(
    ("pattern", "start"),
    [
        (r"\b(\w+) \1", r"\b(?P<g1>\w+) (?P=g1)"),
        (r"(?=(a))\1", "(?=(?P<g1>a))(?P=g1)"),
        (r"(?:(a))+\1", "(?P<e>)(?:(?P<g1>)(?P<g1>a)"),
        (r"(?:(a)|b)\1", "(?P<e>)(?P<g1>)(?:"),
        (r"(a)?\1", "(?P<e>)(?P<g1>)(?:"),
        (r"\1(a)", "(?P<e>)(?P<g1>)(?P=g1)"),
        (r"(?<=\1(a))", "(?P<e>)(?P<g1>)(?<="),
        (r"(?:\1b|(a))*", "(?P<e>)(?P<g1>)(?:"),
    ],
)
def test_groups_are_set_first_only_where_a_reference_may_find_them_unset(pattern: str, start: str) -> None:
    assert emitted(pattern).startswith(start)


@pytest.mark.parametrize(
    ("pattern", "flags", "anchor"),
    [
        (".*foo", "", LINE),
        (".+?foo", "", LINE),
        (".*foo|.*bar", "", LINE),
        ("(.*)foo", "", LINE),
        ("[^]*foo", "", r"\G"),
        (r"[\s\S]*foo", "", r"\G"),
        (".*foo", "s", r"\G"),
        ("(?=.*foo)(?=.*bar)", "s", r"\G"),
        ("(?=.*foo)(?=.*bar)x", "s", ""),
        ("(?=.*foo).*", "", LINE),
        ("(?!.*foo)", "s", ""),
        ("(?<=.*foo)", "s", ""),
        (".?foo", "", ""),
        (".{2,9}foo", "", ""),
        (r"(.*)\1", "", ""),
        ("[^\\n]*foo", "", ""),
        ("a|.*foo", "", ""),
        (".*foo|[^]*bar", "", ""),
    ],
)
def test_implied_anchors(pattern: str, flags: str, anchor: str) -> None:
    text = emitted(pattern, flags)
    assert text.startswith(anchor)
    if not anchor:
        assert not text.startswith((LINE, r"\G"))


def test_an_implied_anchor_spares_quadratic_time() -> None:
    text = "deploy to production\n" * 50_000 + "x" * 100_000
    for pattern, flags in ((r"(?=.*\bdeploy\b)(?=.*\bnever\b)", "s"), (".*never", ""), ("[^]*never", "")):
        assert Engine(pattern, flags).spans(text, timeout=2.0) == []


def test_an_implied_anchor_does_not_hide_later_matches() -> None:
    assert Engine(".*?foo", "").spans("foo foo\nxfoo", most=5) == [(0, 3), (3, 7), (8, 12)]
    assert Engine("[^]*?foo", "").spans("foo foo\nxfoo", most=5) == [(0, 3), (3, 7), (7, 12)]


def test_nothing_means_something_to_regex_by_accident() -> None:
    characters = [chr(code) for code in (*range(0x500), *range(0x2000, 0x2100), 0x3000, 0xFEFF, 0xFFFF)]
    for character in characters:
        escaped = f"\\u{ord(character):04x}"
        for pattern in (escaped, f"[{escaped}]", f"x{escaped}{{1,2}}y"):
            text = emitted(pattern)
            found = regex.compile(text, FLAGS, cache_pattern=False).search(f"\n\x01x{character}y")
            assert found, pattern
            assert found.end() - found.start() == (3 if pattern[0] == "x" else 1)


@settings(deadline=None)
@given(st.frozensets(st.integers(0, 0x10FFFF), min_size=1, max_size=8), st.integers(0, 0x10FFFF))
def test_sets_hold_what_they_should(codes: frozenset[int], other: int) -> None:
    ranges = from_codes(codes)
    program = regex.compile(set_text(ranges, 0x10FFFF), FLAGS, cache_pattern=False)
    for code in (*codes, other):
        assert bool(program.fullmatch(chr(code))) is contains(ranges, code)


def test_regex_has_nothing_to_warn_of() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for pattern in ("[[a]", "[+--b]", "[a&&b]", "[a||b]", "[a~~b]", "{e<=1}", "a{i}", "[[:alpha:]]"):
            regex.compile(emitted(pattern), FLAGS, cache_pattern=False)


def test_groups_of_exec() -> None:
    for pattern, text, expected in (
        ("(a)|(b)", "b", (None, (0, 1))),
        ("(?:(a)|b)*", "ab", (None,)),
        ("(?:(a)|b)*", "aba", ((2, 3),)),
        ("(z)((a+)?(b+)?(c))*", "zaacbbbcac", ((0, 1), (8, 10), (8, 9), None, (9, 10))),
        ("(a*)*", "b", (None,)),
        ("(a*)*", "aa", ((0, 2),)),
        ("(?:a()|b)*", "ab", (None,)),
        ("(?=(a))ab", "ab", ((0, 1),)),
        ("(?!(a))b", "b", (None,)),
        (r"(?<=(\d+)(\d+))$", "1053", ((0, 1), (1, 4))),
        ("(a){0}b", "b", (None,)),
        (r"\1(a)", "a", ((0, 1),)),
        ("(?:(a)|(b)|(c))*", "abc", (None, None, (2, 3))),
    ):
        tree = parse(pattern)
        found = regex.compile(emit(tree, captures=True), FLAGS, cache_pattern=False).search(text)
        assert exec_groups(found, tree.group_count) == expected, pattern


@settings(max_examples=50, deadline=None)
@given(structures(), st.text("ab", max_size=9))
def test_captures_change_nothing_but_the_groups(pattern: str, text: str) -> None:
    assume(cost(parse(pattern)) < 1_000)
    engine = Engine(pattern, "")
    try:
        spans = engine.spans(text, most=3, timeout=0.1)
        matches = engine.matches(text, most=3, timeout=0.1)
    except (TimeoutError, MemoryError):
        return
    assert spans == [match[0] for match in matches]


def test_loops_with_a_limit_and_a_reference_are_unrolled_within_bounds() -> None:
    assert emitted(r"(a)\1?").endswith("(?:(?:(?P=g1))|)")
    assert emitted(r"(a)\1??").endswith("(?:|(?:(?P=g1)))")
    assert emitted(r"(a)\1{1,2}").endswith("(?:(?P=g1))(?:(?:(?P=g1))|)")
    for pattern in (
        r"(a)\1{0,1000}",
        r"(a)" + r"(?:\1b){0,16}" * 60,
        r"(a)" + r"(?:" * 6 + r"\1b" + r"){0,16}" * 6,
    ):
        assert len(emitted(pattern)) < 400 * len(pattern)
        assert regex.compile(emitted(pattern.replace("1000", "100")), FLAGS, cache_pattern=False)


def test_references_fold_the_text_only_where_they_must() -> None:
    assert reference_folding(parse(r"(.)\1")) is None
    assert reference_folding(parse(r"é", "i")) is None
    assert reference_folding(parse(r"(a\1)", "i")) is None
    everywhere = reference_folding(parse(r"(.)\1", "i"))
    assert everywhere is not None
    assert "éÉ".translate(everywhere) == "ÉÉ"
    assert "aAſsK".translate(everywhere) == "aAſsK"
    unicode = reference_folding(parse(r"(.)\1", "iu"))
    assert unicode is not None
    assert "ſK𐐨".translate(unicode) == "SK𐐀"


@settings(deadline=None)
@given(st.text(st.characters(max_codepoint=0x2FFFF)), st.sampled_from(["i", "iu"]))
def test_a_text_is_folded_as_the_table_says(text: str, flags: str) -> None:
    for pattern in (r"(.)\1", r"(?i:(.)\1)É|[а-я]"):
        folding = reference_folding(parse(pattern, flags))
        assert folding is not None
        assert folder(folding)(text) == text.translate(folding)


def test_letters_that_some_set_tells_apart_are_not_folded() -> None:
    folding = reference_folding(parse(r"(?i:(.)\1)É|\w"))
    assert folding is not None
    assert "éÉàÀ".translate(folding) == "éÉÀÀ"
