"""``unless``: one pass over both lists of matches gives what comparing every pair gives."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from turngrade.core.checks import Unless
from turngrade.core.dialect import Match, Subject, compile_pattern

PATTERNS = st.sampled_from(
    ["a", "aa", "a*", "b?", "ab|ba", "^", "$", "", "a+b", "(?=b)", r"\b", "c", "[^a]{2}"]
)


def overlap(one: Match, other: Match) -> bool:
    """Two spans share a place, or are the same; an empty one shares the places strictly inside the other."""
    if (one.start, one.end) == (other.start, other.end):
        return True
    if one.start == one.end or other.start == other.end:
        empty, whole = (one, other) if one.start == one.end else (other, one)
        return whole.start < empty.start < whole.end
    return bool(set(range(one.start, one.end)) & set(range(other.start, other.end)))


@settings(deadline=None)
@given(PATTERNS, PATTERNS, st.text("abc ", max_size=12))
def test_one_pass_is_as_good_as_all_pairs(pattern: str, unless: str, text: str) -> None:
    finder, exception, subject = compile_pattern(pattern), compile_pattern(unless), Subject(text)
    exceptions = list(exception.find_all(subject))
    left = [hit for hit in finder.find_all(subject) if not any(overlap(hit, other) for other in exceptions)]
    assert list(Unless(finder, exception).find_all(subject)) == left
    assert Unless(finder, exception).search(subject) == (left[0] if left else None)


def test_a_sticky_pattern_is_enumerated_from_the_start() -> None:
    assert [m.start for m in compile_pattern("a", "y").find_all("aaba")] == [0, 1]
