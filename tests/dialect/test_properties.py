"""Names and characters of ``\\p{…}``."""

from __future__ import annotations

import pytest

from turngrade.core.dialect import InvalidPattern, parse
from turngrade.core.dialect.charset import contains, union
from turngrade.core.dialect.properties import PROPERTIES_OF_STRINGS, property_names, property_ranges


@pytest.mark.parametrize(
    ("name", "value", "inside", "outside"),
    [
        ("L", None, "aéα中", "1 😀"),
        ("Letter", None, "aéα中", "1 😀"),
        ("gc", "Lu", "AÉΩ", "aéω"),
        ("General_Category", "Uppercase_Letter", "AÉΩ", "aéω"),
        ("LC", None, "aAǅ", "ªʰ1"),
        ("Nd", None, "5٣", "½"),
        ("Script", "Greek", "αΩ", "aж"),
        ("sc", "Grek", "αΩ", "aж"),
        ("scx", "Deva", "क\u0964", "a"),
        ("Script_Extensions", "Katakana", "アー", "a"),
        ("ASCII", None, "a\x00\x7f", "\x80é"),
        ("Any", None, "a\ud800\U0010ffff", ""),
        ("Assigned", None, "a\ue000", "\u0378"),
        ("Emoji", None, "😀#", "a"),
        ("White_Space", None, " \x85", "\ufeff"),
        ("space", None, " \x85", "\ufeff"),
        ("Cs", None, "\ud800", "a"),
    ],
)
def test_characters(name: str, value: str | None, inside: str, outside: str) -> None:
    ranges = property_ranges(name, value)
    assert ranges is not None
    assert all(contains(ranges, ord(letter)) for letter in inside)
    assert not any(contains(ranges, ord(letter)) for letter in outside)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("l", None), ("lu", None), ("letter", None), ("Greek", None), ("greek", None), ("IsGreek", None),
        ("InGreek", None), ("gc", "lu"), ("gc", "Greek"), ("Script", "GREEK"), ("sc", "greek"),
        ("sc", "Hrkt"), ("Block", "Latin"), ("Lu", "Yes"), ("Alphabetic", "Yes"), ("binary", "Alphabetic"),
        ("Hyphen", None),
        ("IDSU", None), ("InCB", None), ("Script", ""), ("Posix_Alpha", None), ("alpha", None),
    ],
)  # fmt: skip
def test_names_are_taken_letter_by_letter(name: str, value: str | None) -> None:
    assert property_ranges(name, value) is None


def test_every_name_has_characters() -> None:
    names = property_names().values()
    scripts = [name.removeprefix("Script=") for name in names if name.startswith("Script=")]
    assert len(names) == 98 + 80 + len(scripts)
    assert len(scripts) > 330
    for name in names:
        prefix, _, value = name.rpartition("=")
        ranges = property_ranges(prefix or value, value if prefix else None)
        assert ranges
        assert list(ranges) == sorted(ranges)


def test_general_categories_need_no_prefix() -> None:
    for name in ("Lu", "Uppercase_Letter", "Cn", "punct"):
        assert (
            property_ranges(name, None)
            == property_ranges("gc", name)
            == property_ranges("General_Category", name)
        )


def test_the_general_categories_are_a_partition() -> None:
    major = [property_ranges("gc", name) or () for name in "CLMNPSZ"]
    assert union(*major) == ((0, 0x10FFFF),)
    assert sum(high - low + 1 for ranges in major for low, high in ranges) == 0x110000


@pytest.mark.parametrize("name", sorted(PROPERTIES_OF_STRINGS))
def test_properties_of_strings_are_refused_by_name(name: str) -> None:
    with pytest.raises(InvalidPattern, match=f"Property of strings {name} is not supported"):
        parse(f"\\p{{{name}}}", "v")
    with pytest.raises(InvalidPattern, match="Invalid property name") as caught:
        parse(f"\\p{{{name}}}", "u")
    assert caught.value.hint == "properties of strings need the v flag, and are not supported here"
