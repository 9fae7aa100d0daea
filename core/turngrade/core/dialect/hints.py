"""Advice for patterns that JavaScript refuses, mostly because they are written for another engine."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from turngrade.core.dialect.properties import PROPERTIES_OF_STRINGS, property_names

_CONSTRUCTS: Final = (
    (r"\(\?P<(?P<x>\w+)>", "write (?<{x}>…); (?P<{x}>…) is Python's way"),
    (r"\(\?P=(?P<x>\w+)\)", "write \\k<{x}>; (?P={x}) is Python's way"),
    (r"\(\?'(?P<x>\w+)'", "write (?<{x}>…); JavaScript names groups with angle brackets only"),
    (r"\(\?<\w*-\w+>", "JavaScript has no balancing groups, which are .NET's"),
    (r"\(\?(?:P>|&)(?P<x>\w+)\)", "JavaScript has no recursion; write the group's pattern out again"),
    (r"\(\?(?:R|[+-]?[0-9]+)\)", "JavaScript has no recursion; write the group's pattern out again"),
    (r"\(\?>", "JavaScript has no atomic groups; (?=(…))\\1 does the same, with the number of the group"),
    (r"\(\?#", "JavaScript has no comments in patterns; leave it out"),
    (r"\(\?\|", "JavaScript has no branch reset; give the groups one name, (?<x>…)|(?<x>…)"),
    (r"\(\?\(", "JavaScript has no conditionals; write both cases as alternatives with lookaheads"),
    (r"\(\?[a-zA-Z]*x", "JavaScript has no verbose flag; leave out white space and comments"),
    (r"^\(\?(?P<x>[ims]+)\)", "give the flags {x} beside the pattern, or write (?{x}:…) around it"),
    (r"\(\?(?P<x>[ims]+)\)", "write (?{x}:…) around the part that it is meant for; it cannot stand alone"),
    (
        r"\(\?[-a-zA-Z]*[\^A-Zabcdefghjklnopqrtuvwxyz]",
        "a group takes the flags i, m and s only: (?i:…), (?-i:…)",
    ),
    (r"\(\?<[0-9]", "a name begins with a letter, $ or _"),
    (r"(?<=\()\*[A-Z_:]+\)", "JavaScript has no verbs such as (*SKIP) and (*FAIL)"),
    (r"(?<=[*+?}])\+", "JavaScript has no possessive quantifiers; leave the second + out"),
    (r"\{,(?P<x>[0-9]+)\}", "write {{0,{x}}}; JavaScript wants the lower limit"),
    (r"\\A", "write ^, without the m flag"),
    (r"\\[Zz]", "write $, without the m flag"),
    (r"\\h", "write [ \\t]; \\h is PCRE's"),
    (r"\\H", "write [^ \\t]; \\H is PCRE's"),
    (r"\\R", "write (?:\\r\\n|[\\n\\r\\u2028\\u2029]); \\R is PCRE's"),
    (r"\\K", "write a lookbehind, (?<=…), around what comes before; \\K is PCRE's"),
    (r"\\G", "use the y flag; \\G is PCRE's"),
    (r"\\X", "JavaScript has no \\X; \\p{{RGI_Emoji}} and the like are not supported either"),
    (r"\\N\{U\+(?P<x>[0-9A-Fa-f]+)\}", "write \\u{{{x}}}"),
    (r"\\N\{", "write \\u{{…}} with the number of the character"),
    (r"\\N", "write . or [^\\n]"),
    (r"\\Q", "JavaScript has no \\Q…\\E; write a backslash before each character that has a meaning"),
    (r"\\a", "write \\x07"),
    (r"\\e", "write \\x1b"),
    (r"\\g(?:\{|<)?(?P<x>[0-9]+)", "write \\{x}"),
    (r"\\g(?:\{|<)(?P<x>\w+)", "write \\k<{x}>"),
    (r"\\k(?:\{|'|\()(?P<x>\w+)", "write \\k<{x}>"),
    (r"\\[<>]", "write \\b"),
    (r"\\x\{(?P<x>[0-9A-Fa-f]+)\}", "write \\u{{{x}}}"),
    (r"\\U(?P<x>[0-9A-Fa-f]{8})", "write \\u{{{x}}}"),
    (r"\\p\{\^(?P<x>\w+)\}", "write \\P{{{x}}}"),
    (r"\\(?P<p>[pP])(?P<x>[A-Z])", "write \\{p}{{{x}}}"),
)
"""What may stand at the place of an error, and what to write instead, with the named parts of it put in."""

_REASONS: Final = {
    "Unterminated group": "a group is never closed; write \\( for a parenthesis that is meant as it is",
    "Unmatched ')'": "no group is open here; write \\) for a parenthesis that is meant as it is",
    "Unterminated character class": "a class is never closed; write \\[ for a bracket that is meant as it is",
    "Nothing to repeat": "a quantifier needs something before it; put a backslash before a literal one",
    "Invalid quantifier": "no lookbehind takes a quantifier, nor a lookahead with u or v; put it into (?:…)",
    "Lone quantifier brackets": "with u or v write a backslash before { } and ] that are meant as they are",
    "Incomplete quantifier": "with u or v write \\{ for a brace that is meant as it is",
    "\\ at end of pattern": "write \\\\ for a backslash that is meant as it is",
    "Invalid escape": "with u or v only characters with a meaning take a backslash; leave it out",
    "Invalid decimal escape": "with u or v write \\xHH or \\u{…} for a character by its number",
    "Invalid Unicode escape": "write \\uHHHH, or with u or v \\u{…}",
    "Invalid named reference": "write \\k<name> with the name of a group",
    "Invalid named capture referenced": "no group of the pattern has this name",
    "Duplicate capture group name": "a name may be used again in another alternative only",
    "Range out of order in character class": "the first character of a range must not come after its last",
    "Invalid character class": "a class escape cannot begin or end a range; write \\- for a literal hyphen",
    "numbers out of order in {} quantifier": "the lower limit comes first",
    "Repeated flag in flag group": "a flag may be switched once only",
    "Multiple dashes in flag group": "one - switches off all the flags behind it",
    "Invalid flag group": "write (?:…) for a group that changes no flag",
    "Invalid character in character class": "with v write a backslash before ( ) [ ] { } / - | in a class",
    "Invalid set operation in character class": "with v write a backslash before doubled punctuation"
    " such as && and --, and put operations of different kinds into classes of their own",
    "Negated character class may contain strings": "a class with strings cannot be negated",
}


def hint_for(pattern: str, position: int, reason: str) -> str | None:
    """What to write instead.

    Args:
        pattern: The pattern as written.
        position: Where the trouble is, in code points.
        reason: What the trouble is, in V8's words.
    """
    for construct, advice in _constructs():
        found = construct.match(pattern, position)
        if found is not None:
            return advice.format(**found.groupdict())
    if reason.startswith("Invalid property name"):
        return _property_hint(pattern, position)
    return _REASONS.get(reason)


@cache
def _constructs() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(construct), advice) for construct, advice in _CONSTRUCTS)


def _property_hint(pattern: str, position: int) -> str:
    """Which property may be meant."""
    written = re.compile(r"\\[pP]\{([^}]*)\}").match(pattern, position)
    if written is None:
        return "write \\p{…} with the name of a property"
    name = written[1].rpartition("=")[2]
    if name in PROPERTIES_OF_STRINGS:
        return "properties of strings need the v flag, and are not supported here"
    from difflib import get_close_matches  # only faults need it

    known = property_names()
    plain = name.lower().replace(" ", "_").replace("-", "_")
    close = get_close_matches(plain.removeprefix("is").removeprefix("in").removeprefix("posix_"), known, n=1)
    return f"write \\p{{{known[close[0]]}}}" if close else "there is no property of this name"
