"""Ranges are sets: held against Python's own."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from turngrade.core.dialect.charset import (
    WHITE_SPACE,
    WORD_CHARACTERS,
    complement,
    contains,
    difference,
    from_codes,
    intersection,
    union,
)
from turngrade.core.dialect.nodes import Ranges

LAST = 60
codes = st.frozensets(st.integers(0, LAST), max_size=30)


def members(ranges: Ranges) -> set[int]:
    return {code for low, high in ranges for code in range(low, high + 1)}


def is_canonical(ranges: Ranges) -> bool:
    return all(low <= high for low, high in ranges) and all(
        left[1] + 1 < right[0] for left, right in pairwise(ranges)
    )


@given(codes, codes)
def test_set_operations(left: frozenset[int], right: frozenset[int]) -> None:
    one, other = from_codes(left), from_codes(right)
    for ranges, expected in (
        (union(one, other), left | right),
        (intersection(one, other), left & right),
        (difference(one, other), left - right),
        (complement(one, LAST), set(range(LAST + 1)) - left),
    ):
        assert members(ranges) == expected
        assert is_canonical(ranges)


@given(codes, st.integers(0, LAST))
def test_membership(some: frozenset[int], code: int) -> None:
    assert contains(from_codes(some), code) is (code in some)


@given(st.lists(st.tuples(st.integers(0, LAST), st.integers(0, 5)), max_size=12))
def test_a_union_takes_ranges_in_any_order(pairs: list[tuple[int, int]]) -> None:
    ranges = union([(low, low + width) for low, width in pairs])
    assert members(ranges) == {code for low, width in pairs for code in range(low, low + width + 1)}
    assert is_canonical(ranges)


def test_the_named_sets_of_the_standard() -> None:
    assert members(WORD_CHARACTERS) == {
        code for code in range(128) if chr(code).isalnum() or chr(code) == "_"
    }
    assert len(members(WHITE_SPACE)) == 25
    assert contains(WHITE_SPACE, 0xFEFF)
    assert not contains(WHITE_SPACE, 0x85)
    assert not contains(WHITE_SPACE, 0x1C)
    assert not contains(WHITE_SPACE, 0x180E)
