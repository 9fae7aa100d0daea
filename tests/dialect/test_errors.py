"""What is said of patterns that JavaScript refuses: V8's words, the place, and advice."""

from __future__ import annotations

import copy
import pickle

import pytest

from turngrade.core.dialect import InvalidFlags, InvalidPattern, PatternTooLarge, parse


def error_of(pattern: str, flags: str = "") -> InvalidPattern:
    with pytest.raises(InvalidPattern) as caught:
        parse(pattern, flags)
    return caught.value


@pytest.mark.parametrize(
    ("pattern", "flags", "position", "reason"),
    [
        ("ab(c", "", 2, "Unterminated group"),
        ("a(b(c)", "", 1, "Unterminated group"),
        ("ab)", "", 2, "Unmatched ')'"),
        ("x[ab", "", 1, "Unterminated character class"),
        ("x[ab", "v", 1, "Unterminated character class"),
        ("x[\\q{a|", "v", 1, "Unterminated character class"),
        ("x[a[b&&\\q{", "v", 3, "Unterminated character class"),
        ("[b-a]", "", 1, "Range out of order in character class"),
        ("a**", "", 2, "Nothing to repeat"),
        ("ab{2}{3}", "", 5, "Nothing to repeat"),
        ("a|*", "", 2, "Nothing to repeat"),
        ("a{2,1}", "", 1, "numbers out of order in {} quantifier"),
        ("(?<=a)*", "", 6, "Invalid quantifier"),
        ("ab\\", "", 2, "\\ at end of pattern"),
        ("(?<n>a)(?<n>b)", "", 7, "Duplicate capture group name"),
        ("(?<n>a)\\k<m>", "", 7, "Invalid named capture referenced"),
        ("(?<n>a)\\k", "", 7, "Invalid named reference"),
        ("a{", "u", 1, "Incomplete quantifier"),
        ("a}", "u", 1, "Lone quantifier brackets"),
        ("a\\q", "u", 1, "Invalid escape"),
        ("a\\1[b[c]|(d)", "v", 1, "Invalid escape"),
        ("a\\1[b[c]|(d)(", "u", 12, "Unterminated group"),
        ("a\\u{110000}", "u", 1, "Invalid Unicode escape"),
        ("a\\p{Foo}", "u", 1, "Invalid property name"),
        ("a[\\p{Foo}]", "u", 2, "Invalid property name in character class"),
        ("[a\\d-z]", "u", 2, "Invalid character class"),
        ("x[\\w-", "v", 1, "Unterminated character class"),
        ("[[a]-", "v", 0, "Unterminated character class"),
        ("[a-b-", "v", 0, "Unterminated character class"),
        ("[a-b-c", "v", 4, "Invalid character class"),
        ("[[a]-b]", "v", 4, "Invalid character class"),
        ("[a&&b--c]", "v", 5, "Invalid set operation in character class"),
        ("[a(]", "v", 2, "Invalid character in character class"),
        ("[^\\q{ab}]", "v", 0, "Negated character class may contain strings"),
        ("a(?i-i:b)", "", 1, "Repeated flag in flag group"),
        ("😀(", "", 1, "Unterminated group"),
        ("😀(", "u", 1, "Unterminated group"),
        ("😀😀[b-a]", "", 3, "Range out of order in character class"),
        ("\ud83d\ude00)", "u", 2, "Unmatched ')'"),
        ("\ud83d\ude00)", "", 2, "Unmatched ')'"),
    ],
)
def test_the_place_and_the_reason(pattern: str, flags: str, position: int, reason: str) -> None:
    error = error_of(pattern, flags)
    assert (error.position, error.reason) == (position, reason)
    assert (error.pattern, error.flags) == (pattern, flags)


@pytest.mark.parametrize(
    ("pattern", "flags", "hint"),
    [
        ("a(?P<year>b)", "", "write (?<year>…); (?P<year>…) is Python's way"),
        ("(a)(?P=year)", "", "write \\k<year>; (?P=year) is Python's way"),
        ("(?'year'b)", "", "write (?<year>…); JavaScript names groups with angle brackets only"),
        ("(?<a-b>x)", "", "JavaScript has no balancing groups, which are .NET's"),
        ("(?<1>x)", "", "a name begins with a letter, $ or _"),
        (
            "a(?>b)",
            "",
            "JavaScript has no atomic groups; (?=(…))\\1 does the same, with the number of the group",
        ),
        ("a(?#b)", "", "JavaScript has no comments in patterns; leave it out"),
        ("(?|a|b)", "", "JavaScript has no branch reset; give the groups one name, (?<x>…)|(?<x>…)"),
        ("(?(1)a|b)", "", "JavaScript has no conditionals; write both cases as alternatives with lookaheads"),
        ("(?R)", "", "JavaScript has no recursion; write the group's pattern out again"),
        ("(a)(?1)", "", "JavaScript has no recursion; write the group's pattern out again"),
        ("(?&n)", "", "JavaScript has no recursion; write the group's pattern out again"),
        ("(?i)a", "", "give the flags i beside the pattern, or write (?i:…) around it"),
        ("a(?im)b", "", "write (?im:…) around the part that it is meant for; it cannot stand alone"),
        ("(?x: a )", "", "JavaScript has no verbose flag; leave out white space and comments"),
        ("(?a:b)", "", "a group takes the flags i, m and s only: (?i:…), (?-i:…)"),
        ("(*FAIL)", "", "JavaScript has no verbs such as (*SKIP) and (*FAIL)"),
        ("a++", "", "JavaScript has no possessive quantifiers; leave the second + out"),
        ("a{2}+", "", "JavaScript has no possessive quantifiers; leave the second + out"),
        ("a{,5}", "u", "write {0,5}; JavaScript wants the lower limit"),
        ("\\Aa", "u", "write ^, without the m flag"),
        ("a\\Z", "v", "write $, without the m flag"),
        ("a\\z", "u", "write $, without the m flag"),
        ("\\h", "u", "write [ \\t]; \\h is PCRE's"),
        ("\\R", "u", "write (?:\\r\\n|[\\n\\r\\u2028\\u2029]); \\R is PCRE's"),
        ("\\K", "u", "write a lookbehind, (?<=…), around what comes before; \\K is PCRE's"),
        ("\\G", "u", "use the y flag; \\G is PCRE's"),
        ("\\N{U+263A}", "u", "write \\u{263A}"),
        ("\\N{DASH}", "u", "write \\u{…} with the number of the character"),
        ("\\x{263a}", "u", "write \\u{263a}"),
        ("\\U0001f600", "u", "write \\u{0001f600}"),
        ("\\g{2}", "u", "write \\2"),
        ("\\g<n>", "u", "write \\k<n>"),
        (
            "\\Qa.b\\E",
            "u",
            "JavaScript has no \\Q…\\E; write a backslash before each character that has a meaning",
        ),
        ("\\pL", "u", "write \\p{L}"),
        ("\\p{^L}", "u", "write \\P{L}"),
        ("\\p{greek}", "u", "write \\p{Script=Greek}"),
        ("\\p{IsGreek}", "u", "write \\p{Script=Greek}"),
        ("\\p{Uppercase Letter}", "u", "write \\p{Uppercase_Letter}"),
        ("[\\p{letter}]", "u", "write \\p{Letter}"),
        ("\\p{qqqqq}", "u", "there is no property of this name"),
        ("a)", "", "no group is open here; write \\) for a parenthesis that is meant as it is"),
        ("*.txt", "", "a quantifier needs something before it; put a backslash before a literal one"),
        ("[\\w-.]", "u", "a class escape cannot begin or end a range; write \\- for a literal hyphen"),
    ],
)
def test_what_to_write_instead(pattern: str, flags: str, hint: str) -> None:
    assert error_of(pattern, flags).hint == hint


@pytest.mark.parametrize(
    ("flags", "hint"),
    [
        ("x", "JavaScript has no verbose flag; write the pattern without white space and comments"),
        ("gI", "flags are lower-case letters; write i"),
        ("ii", "flag 'i' may be given once only"),
        ("uv", "u and v exclude each other; v is the newer one and includes what u does"),
        ("iq", "there is no flag 'q'; JavaScript's flags are d g i m s u v y"),
    ],
)
def test_wrong_flags(flags: str, hint: str) -> None:
    error = error_of("(", flags)
    assert isinstance(error, InvalidFlags)
    assert str(error) == f"Invalid flags supplied to RegExp constructor '{flags}'"
    assert (error.position, error.hint) == (None, hint)
    assert error.explain() == f"{error}\nhint: {hint}"


def test_the_message_is_v8s() -> None:
    assert str(error_of("a(/", "usgi")) == "Invalid regular expression: /a(//gisu: Unterminated group"


def test_an_explanation_points_at_the_place() -> None:
    assert error_of("foo(?P<n>bar)").explain() == "\n".join(
        [
            "Invalid regular expression: Invalid group",
            "    foo(?P<n>bar)",
            "       ^",
            "hint: write (?<n>…); (?P<n>…) is Python's way",
        ]
    )


@pytest.mark.parametrize("before", [0, 5, 40, 300])
@pytest.mark.parametrize("after", [0, 5, 40, 300])
def test_long_patterns_are_cut_around_the_place(before: int, after: int) -> None:
    _, line, caret, *_ = error_of("a" * before + "(?>" + "b" * after).explain(width=40).splitlines()
    assert len(line) <= 4 + 40 + 2
    assert line[caret.index("^")] == "("
    assert line.strip().startswith("…") is (before + 3 + after > 40 and before > 20)


def test_what_would_break_the_line_is_shown_by_a_stand_in() -> None:
    assert error_of("a\n\t\x7f\ud800(").explain().splitlines()[1] == "    a␊␉\ufffd\ufffd("


@pytest.mark.parametrize(
    "error",
    [
        InvalidPattern("(", "u", "Unterminated group", position=0, hint="close it"),
        InvalidFlags("a", "x", "Invalid flags supplied to RegExp constructor 'x'", hint="leave it out"),
        PatternTooLarge("a", "", position=3),
    ],
)
@pytest.mark.parametrize("clone", [lambda error: pickle.loads(pickle.dumps(error)), copy.copy, copy.deepcopy])
def test_errors_can_be_sent_to_other_processes(error: InvalidPattern, clone: object) -> None:
    assert callable(clone)
    twin = clone(error)
    assert type(twin) is type(error)
    assert str(twin) == str(error)
    assert vars(twin) == vars(error)
    assert isinstance(twin, ValueError)


@pytest.mark.parametrize("opening", ["(", "(?:", "(?=", "(?<!", "(?<n>", "(?i:"])
def test_deep_nesting_is_refused(opening: str) -> None:
    error = error_of(opening * 10_000 + ")" * 10_000)
    assert isinstance(error, PatternTooLarge)
    assert error.reason == "Regular expression too large"
    assert error.hint == "groups and classes may nest 50 deep"


def test_deep_nesting_of_classes_is_refused() -> None:
    assert isinstance(error_of("[" * 10_000 + "]" * 10_000, "v"), PatternTooLarge)
    assert parse("[" * 50 + "a" + "]" * 50, "v")
    assert parse("(" * 50 + "a" + ")" * 50).group_count == 50


def test_a_caller_deep_in_the_stack_gets_no_recursion_error() -> None:
    def descend(depth: int) -> None:
        if depth:
            return descend(depth - 1)
        parse("(" * 50 + "a" + ")" * 50)

    with pytest.raises(PatternTooLarge):
        descend(800)
