"""Patterns that send a backtracking engine astray, each with a text that does it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Catastrophe:
    """A pattern and a family of texts.

    Attributes:
        pattern: The pattern.
        text: Makes the text of a given size.
        size: A size at which some engine is lost.
        flags: The flags.
        verdict: Whether it matches.
    """

    pattern: str
    text: Callable[[int], str]
    size: int = 5_000
    flags: str = ""
    verdict: bool = False


def pumped(pump: str, suffix: str = "", prefix: str = "") -> Callable[[int], str]:
    """Texts that repeat a part."""
    return lambda size: prefix + pump * size + suffix


NESTED = (
    Catastrophe(r"^(a+)+$", pumped("a", "!")),
    Catastrophe(r"^(a*)*$", pumped("a", "!")),
    Catastrophe(r"^(?:a?)*?$", pumped("a", "!")),
    Catastrophe(r"^(?:[a-z]+)*\d$", pumped("abc")),
    Catastrophe(r"^(?:\w+\s?)+$", pumped("word ", "!")),
    Catastrophe(r"^(?:\s*\w+\s*)+$", pumped(" a", "!")),
    Catastrophe(r"^(?:\d+,?)+;$", pumped("12,")),
    Catastrophe(r"(?:x+x+)+y", pumped("x"), 2_000),
    Catastrophe(r"^(?:(?:a+)+)+b$", pumped("a")),
    Catastrophe(r"^(?:(?:ab)*)*c$", pumped("ab")),
    Catastrophe(r"^(?:a{1,20}){1,20}$", pumped("a", "!"), 100),
    Catastrophe(r"^(?:[^()]+|\([^()]*\))*$", pumped("word(word)", "(")),
    Catastrophe(r"^(?:(?:[a-z0-9]+\.)+)+com$", pumped("a.", "!")),
    Catastrophe(r"^(?:.+,)+$", pumped("1,", "x"), 1_000),
    Catastrophe(r"^(?:\S+\s+)*\S+!$", pumped("so it goes ", "?")),
    Catastrophe(r"^([\w.]+)+@x$", pumped("a.b")),
    Catastrophe(r"^(?:a|b|ab)*c$", pumped("ab")),
    Catastrophe(r"^(?:a|aa)+$", pumped("a", "b")),
    Catastrophe(r"^(?:a|a?)+$", pumped("a", "b")),
    Catastrophe(r"^(?:\w|\d)+x$", pumped("1")),
    Catastrophe(r"^(?:.|\s)*x$", pumped(" ")),
    Catastrophe(r"^(?:(?:a|b)*|c)*d$", pumped("abc")),
    Catastrophe(r"^(?:[ab]|[bc])*d$", pumped("b")),
    Catastrophe(r"^(?:ſ|s|K|k)*!$", pumped("sk"), flags="iu"),
    Catastrophe(r"^(?:é|É|[^a])+a!$", pumped("é", "a"), flags="i"),
    Catastrophe(r"^(?:😀|\ud83d\ude00)+$", pumped("😀", "!"), 2_000),
    Catastrophe(r"^(?:😀|[😀-😂])+$", pumped("😀", "!"), 2_000, flags="u"),
    Catastrophe(r"(?:a+){2,}(?:b+){2,}c", pumped("ab"), 1_000),
    Catastrophe(r"^(?:a*?b*?)*?$", pumped("ab", "!")),
    Catastrophe(r"^((a)|(b)|(ab))+$", pumped("ab", "!")),
)
"""Exponential for an engine that takes no precautions."""

POLYNOMIAL = (
    Catastrophe(r"\s+$", pumped(" ", "x"), 20_000),
    Catastrophe(r"^\s+|\s+$", pumped(" ", "x", "x"), 20_000),
    Catastrophe(r"a.*b.*c.*d", pumped("abc"), 1_000),
    Catastrophe(r".*=.*;.*x", pumped("=;"), 2_000),
    Catastrophe(r"x+y*z*w*$", pumped("x", "!"), 20_000),
    Catastrophe(r"a*a*a*a*b", pumped("a"), 2_000),
    Catastrophe(r"[\w.-]+@[\w.-]+\.\w+", pumped("a", "@"), 20_000),
    Catastrophe(r"(\d+)\.(\d+)\.(\d+)x", pumped("1", ".2.3"), 20_000),
    Catastrophe(r"<!--.*?-->", pumped("<!--"), 5_000),
    Catastrophe(r"\w*\d\w*\d\w*\dx", pumped("1"), 1_000),
    Catastrophe(r"^(?:.*,){6}P", pumped("1,"), 200),
    Catastrophe(r"\b\w+\b\s*\(.*\)\s*\{", pumped("a(a)"), 3_000),
    Catastrophe(r"(?:[^\"]*\"[^\"]*\")*[^\"]*$x", pumped('"a'), 5_000),
    Catastrophe(r"[\s\S]*?a[\s\S]*?b[\s\S]*?c[\s\S]*?d", pumped("ab"), 5_000),
    Catastrophe(r"\/\*[\s\S]*?\*\/", pumped("/* "), 5_000),
    Catastrophe(r"https?:\/\/\S+\.pdf\b", pumped("http://a"), 5_000),
    Catastrophe(r"(?:\r?\n)+$", pumped("\n", "x"), 10_000),
    Catastrophe(r"^(?:\s*#.*\n)*\s*x", pumped("#\n", "!"), 5_000, flags="m"),
    Catastrophe(r"\d+%$", pumped("9"), 20_000),
    Catastrophe(r"(?:a|b)*?c$", pumped("ab", "c!"), 5_000),
    Catastrophe(r"[a-z]+\d", pumped("aZ"), 20_000, flags="i"),
    Catastrophe(r"-?-?-*-x", pumped("-"), 10_000),
    Catastrophe(r"(?:ab|cd)+\s+(?:ab|cd)+!", pumped("abcd"), 5_000),
    Catastrophe(r"\bfoo\b.*\bbar\b.*\bbaz\b", pumped("foo bar "), 1_000),
)
"""A power of the length of the text."""

LOOKAROUNDS = (
    Catastrophe(r"(?=(?:a+)+$)a", pumped("a", "!"), 3_000),
    Catastrophe(r"^(?!(?:.*)*x).*y$", pumped("a"), 3_000),
    Catastrophe(r"(?<=^(?:a|a)*)b$", pumped("a", "bc"), 3_000),
    Catastrophe(r"(?<!(?:a|aa)+b)c$", pumped("a", "bc"), 3_000),
    Catastrophe(r"(?=.*x)(?=.*y)a", pumped("ab"), 20_000, flags="s"),
    Catastrophe(r"(?:(?=a+b)a)+c", pumped("a"), 10_000),
    Catastrophe(r"(?<=x.*)y", pumped("y"), 20_000),
    Catastrophe(r"(?:a(?!(?:b|c)*d))*e$", pumped("ab"), 5_000),
    Catastrophe(r"^(?=(?:(?:\w+)\s?)*!)x?", pumped("aa "), 5_000),
    Catastrophe(r"(?<=\d+(?:,\d+)*)\.$", pumped("1,"), 5_000),
)
"""Loops inside of lookarounds."""

FOUND = (
    Catastrophe(r"(?:a|aa)+b|(?:c+)+$", pumped("a", "ccc"), 5_000, verdict=True),
    Catastrophe(r"^(?:(a+)+|(b))*!", pumped("a", "b!"), 5_000, verdict=True),
    Catastrophe(r"(?:\w+\s?)+!$", pumped("so it goes ", "!"), 5_000, verdict=True),
    Catastrophe(r"x.*y.*z$|(?<=(?:a|b)+)c", pumped("xy", "abc"), 2_000, verdict=True),
    Catastrophe(r"(a*)*?b(c+)+$", pumped("a", "bccc"), 5_000, verdict=True),
    Catastrophe(r"(?<word>\w+)*\s*\?", pumped("what ", "?"), 2_000, verdict=True),
)
"""A match is there, at the end of the text."""

REFERENCES = (
    Catastrophe(r"(a*)\1*\1*\1*b", pumped("a"), 1_000),
    Catastrophe(r"^(.*)(.*)\1\2x$", pumped("a"), 1_000),
    Catastrophe(r"(.+)+\1+x", pumped("a"), 200),
    Catastrophe(r"(\w+)(\w+)\1\2!", pumped("aB"), 500, flags="i"),
    Catastrophe(r"(['\"]).*?\1;", pumped("'a"), 5_000),
    Catastrophe(r"(a?)(a?)(a?)(a?)(a?)(a?)(a?)(a?)(a?)\1\2\3\4\5\6\7\8\9x$", pumped("a"), 30),
    Catastrophe(r"(.*)\1(.*)\2(.*)\3$x?y", pumped("ab", "y"), 100),
    Catastrophe(r"<(?<tag>\w+).*>(?<text>.*)<\/\k<tag>>", pumped("<a>"), 500),
    Catastrophe(r"\b(\w+)\s+(?:\w+\s+)*\1!$", pumped("a b ", "?"), 500),
    Catastrophe(r"^(?:(a)|(b)|\1\2)*c$", pumped("ab"), 2_000),
)
"""Only a wider pattern can be decided by an automaton."""

COUNTED = (
    Catastrophe(r"(?:a?){30}a{30}$", pumped("a", "!"), 60),
    Catastrophe(r"(?:.{1,50}){1,50}x$", pumped("a"), 500),
    Catastrophe(r".{1,500}.{1,500}x", pumped("a"), 5_000),
    Catastrophe(r"(?:a{0,30}){0,30}b", pumped("a"), 500),
    Catastrophe(r"(?:\d{1,3}\.){3,}x", pumped("127."), 3_000),
)
"""Counts of counts."""

BURNING = Catastrophe(r"^(?:(.+)\1)+x$", pumped("a", "bx"), 200)
"""No engine here can answer: for all that is to do with time running out."""

ALL = (*NESTED, *POLYNOMIAL, *LOOKAROUNDS, *FOUND, *REFERENCES, *COUNTED)
