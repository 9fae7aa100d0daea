"""The two rules of ECMA-262 for ignoring case."""

from __future__ import annotations

import unicodedata

import pytest

from turngrade.core.dialect.casefold import canonicalize, case_table, ignore_case
from turngrade.core.dialect.charset import from_codes


def counterparts(letter: str, *, unicode: bool) -> str:
    return "".join(map(chr, case_table(unicode).classes.get(ord(letter), (ord(letter),))))


@pytest.mark.parametrize(
    ("letter", "legacy", "unicode"),
    [
        ("k", "Kk", "Kk\u212a"),
        ("s", "Ss", "Ssſ"),
        ("ſ", "ſ", "Ssſ"),
        ("\u212a", "\u212a", "Kk\u212a"),
        ("i", "Ii", "Ii"),
        ("İ", "İ", "İ"),
        ("ı", "ı", "ı"),
        ("ß", "ß", "ßẞ"),
        ("ω", "Ωω", "Ωω\u2126"),
        ("\u2126", "\u2126", "Ωω\u2126"),
        ("å", "Åå", "Åå\u212b"),
        ("ς", "Σςσ", "Σςσ"),
        ("µ", "µΜμ", "µΜμ"),
        ("ǅ", "ǄǅǆǄ"[:3], "Ǆǅǆ"),
        ("é", "Éé", "Éé"),
        ("ΐ", "ΐ", "ΐ\u1fd3"),
        ("ﬅ", "ﬅ", "ﬅﬆ"),
        ("𐐀", "𐐀", "𐐀𐐨"),
        ("ꭰ", "Ꭰꭰ", "Ꭰꭰ"),
        ("a", "Aa", "Aa"),
        ("1", "1", "1"),
        ("\ua7cb", "ɤ\ua7cb", "ɤ\ua7cb"),
    ],
)
def test_what_is_the_same_letter(letter: str, legacy: str, unicode: str) -> None:
    assert counterparts(letter, unicode=False) == legacy
    assert counterparts(letter, unicode=True) == unicode


@pytest.mark.parametrize("unicode", [False, True])
def test_canonical_letters_stand_for_themselves(unicode: bool) -> None:
    table = case_table(unicode)
    assert all(target not in table.canonical for target in table.canonical.values())
    assert all(
        canonicalize(code, unicode) == canonicalize(others[0], unicode)
        for code, others in table.classes.items()
    )


def test_ascii_and_other_letters_are_never_mixed_without_unicode() -> None:
    for others in case_table(False).classes.values():
        assert len({code < 128 for code in others}) == 1
        assert max(others) <= 0xFFFF


def test_the_legacy_rule_is_upper_casing_where_this_python_knows_the_letter() -> None:
    for code in range(0x10000):
        letter = chr(code)
        if unicodedata.category(letter) in ("Cn", "Cs"):
            continue
        upper = letter.upper()
        changes = len(upper) == 1 and ord(upper) <= 0xFFFF and not (code >= 128 > ord(upper))
        known = unicodedata.category(chr(canonicalize(code, False))) != "Cn"
        if known:
            assert canonicalize(code, False) == (ord(upper) if changes else code), hex(code)


def test_sets_are_closed_under_case() -> None:
    assert ignore_case(((0x61, 0x7A),), False) == ((0x41, 0x5A), (0x61, 0x7A))
    assert ignore_case(((0x61, 0x7A),), True) == (
        (0x41, 0x5A),
        (0x61, 0x7A),
        (0x17F, 0x17F),
        (0x212A, 0x212A),
    )
    digits = ((0x30, 0x39),)
    assert ignore_case(digits, True) is digits
    everything = ((0, 0x10FFFF),)
    assert ignore_case(everything, True) == everything
    assert ignore_case(from_codes([0xC9]), False) == from_codes([0xC9, 0xE9])
