"""Patterns made to hang an engine, to fill its memory, or to be too much to compile, each with its texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

from tests.dialect import catastrophes
from tests.dialect.catastrophes import Catastrophe, pumped

NATURAL = 0
"""Stands for the size at which the pattern does its worst to an engine without precautions."""


@dataclass(frozen=True)
class Evil:
    """A pattern and the texts that it is tried on.

    Attributes:
        family: What kind of pattern it is.
        pattern: The pattern.
        text: Makes a text with so many repetitions of its part.
        unit: The length of one repetition.
        natural: The repetitions of the shortest text.
        flags: The flags.
    """

    family: str
    pattern: str
    text: Callable[[int], str]
    unit: int
    natural: int
    flags: str = ""

    def of_size(self, units: int) -> str:
        """The text of about so many UTF-16 units, or of the natural size."""
        return self.text(max(1, units // self.unit) if units else self.natural)


def evil(
    family: str,
    pattern: str,
    pump: str,
    suffix: str = "",
    prefix: str = "",
    *,
    natural: int = 40,
    flags: str = "",
) -> Evil:
    """A pattern with the texts that repeat ``pump``."""
    unit = len(pump.encode("utf-16-le", "surrogatepass")) // 2
    return Evil(family, pattern, pumped(pump, suffix, prefix), unit, natural, flags)


def nested() -> Iterator[Evil]:
    """A loop in a loop, of which both can take the same characters."""
    bodies = (("a", "a", "!"), ("[a-z]", "ab", "!"), (r"\w", "a1", "!"), (".", "a", "\n"))
    for (body, pump, suffix), inner, outer in product(
        bodies, ("+", "*", "{1,9}", "+?"), ("+", "*", "{1,30}", "*?")
    ):
        yield evil("nested quantifiers", f"^(?:{body}{inner}){outer}$", pump, suffix)
    for body, pump in (("a", "a"), (r"\d", "7"), (r"\S", "x")):
        yield evil("nested quantifiers", f"^(((?:{body}+)+)+)+$", pump, " ")
        yield evil("nested quantifiers", f"(?:(?:(?:{body}*)*)*)*!", pump)
        yield evil("nested quantifiers", f"({body}+)({body}+)+({body}+)+!", pump)
        yield evil("nested quantifiers", f"(?:x?(?:{body}+y?)*z?)+!", pump)


def overlapping() -> Iterator[Evil]:
    """Branches that can take the same characters."""
    choices = (
        ("a|a", "a"), ("a|aa", "a"), ("a|a?", "a"), (r"\w|\d", "1"), (".|\\s", " "), ("[ab]|[bc]", "b"),
        ("a|b|ab", "ab"), ("a|ab|b", "ab"), ("ab|a|bc?|c", "abc"), (r"\w+|\d+|_", "a1_"), ("é|[^a]", "é"),
        ("(a)|(aa)|(aaa)", "a"), (r"\s|\t| ", " "),
    )  # fmt: skip
    for (choice, pump), outer in product(choices, ("+", "*?", "{2,60}")):
        yield evil("overlapping branches", f"^(?:{choice}){outer}#$", pump, "!")


def polynomial() -> Iterator[Evil]:
    """Loops one after the other, and searches that begin again everywhere."""
    for count in (2, 3, 5, 8):
        yield evil("polynomial", "a*" * count + "b", "a", natural=2_000)
        yield evil("polynomial", ".*x" * count + "y", "x", natural=1_000)
        yield evil("polynomial", r"(?:\w+\s+)" * count + "!", "ab ", natural=1_000)
        yield evil("polynomial", r"[^]*?a" * count + "b", "ac", natural=1_000)
        yield evil("polynomial", r"(\d+)[.,]?" * count + "€", "12", natural=1_000)
    for start, end, pump in (
        ("<!--", "-->", "<!--"), (r"\/\*", r"\*\/", "/* "), (r"\{\{", r"\}\}", "{{ "), ("```", "```x",
        "``` "),
        (r"\[", r"\]\(", "[a"), ("<script", "</script>", "<script "), ('"', '";', 'a"'), ("BEGIN", "END",
        "BEGIN\n"),
    ):  # fmt: skip
        yield evil("polynomial", rf"{start}[\s\S]*?{end}", pump, natural=2_000)
        yield evil("polynomial", rf"{start}[^<>]*{end}", pump, natural=2_000)
    for tail, pump, suffix in (
        (r"\s+$", " ", "x"),
        (r"0+$", "0", "1"),
        (r"\.+$", ".", "!"),
        (r"(?:\r?\n)+$", "\n", "x"),
    ):
        yield evil("polynomial", tail, pump, suffix, natural=20_000)
        yield evil("polynomial", f"^{tail}|{tail}", pump, suffix, "x", natural=20_000)


def lookarounds() -> Iterator[Evil]:
    """Loops in lookarounds, and lookarounds in loops."""
    for look in ("(?={})", "(?!{})"):
        yield evil("lookarounds", "^" + look.format("(?:a+)+$") + "a*!", "a", "!", natural=3_000)
        yield evil("lookarounds", look.format(r"(?:\w+\s?)*#") + r"\w!", "ab ", natural=1_000)
        yield evil("lookarounds", f"(?:{look.format('a+b')}a)+c", "a", natural=3_000)
        yield evil("lookarounds", f"(?:a{look.format('(?:a|aa)+$')})+b", "a", "!", natural=2_000)
        yield evil("lookarounds", look.format("(a*)*b") + r"\1x", "a", natural=200)
        yield evil("lookarounds", look.format(look.format(look.format("(?:a*)*b"))) + "a!", "a", natural=500)
    for look in ("(?<={})", "(?<!{})"):
        yield evil("lookarounds", look.format("^(?:a|aa)*") + "b", "a", "bc", natural=3_000)
        yield evil("lookarounds", look.format("x.*") + "y#", "y", natural=5_000)
        yield evil("lookarounds", look.format(r"(?:\w+\s?)*!") + "z", "ab ", "z", natural=1_000)
        yield evil("lookarounds", look.format(r"(\w+)\1") + "!#", "a", "!", natural=500)
        yield evil("lookarounds", f"(?:{look.format('(?:a+)+')}a)+b", "a", natural=2_000)
        yield evil("lookarounds", look.format(r"\d{1,300}") + "x", "1", natural=5_000)
    for count in (2, 5, 12):
        yield evil(
            "lookarounds", "".join(f"(?=.*{c})" for c in "abcdefghijkl"[:count]) + "!", "abc", natural=2_000
        )
        yield evil("lookarounds", "(?=" * count + "(?:a+)+b" + ")" * count, "a", natural=500)


def references() -> Iterator[Evil]:
    """Back references, which no automaton can follow."""
    for pattern in (
        r"(a*)\1b", r"(a*)(a*)\1\2b", r"^(?:(a+)\1)+b", r"(a+)+\1b", r"^(?:(.+)\1)+x$", r"(?:(a|aa)\1)*b",
        r"(?=(a+))\1b", r"(?=(a+)+)\1b", r"(a+?)(?:\1)*b", r"(a?){30}\1b", r"(?:(a)?\1?)+b", r"((a+)\2)+b",
        r"(a*)*\1\1\1b", r"(?<x>a+)\k<x>+b", r"(?:(a)|(aa)|\1\2)*b", r"(a{1,20})\1{1,20}b", r"\1(a+)\1+b",
        r"(?<=\1(a+))b", r"(?!(a+)\1c)a+b", r"(a+)(?:(?!\1b)a)*b",
    ):  # fmt: skip
        yield evil("back references", pattern, "a", natural=300)
    for pattern, pump in (
        (r"(['\"]).*?\1;", "'a"), (r"<(\w+)[^]*<\/\1>", "<ab>"), (r"\b(\w+)\b(?:.*\b\1\b){3}!", "the "),
        (r"(\w+)\s?\1\d", "a"), (r"^(.+),(.+)(?:,\1,\2)+;", "1,2,"), (r"(.)(.)(.).*\3\2\1!", "abc"),
        (r"(?:^|\n)([*-]+)[^]*?\n\1x", "**\n"), (r"(\d+)[^]*?=[^]*?\1!", "1="),
    ):  # fmt: skip
        yield evil("back references", pattern, pump, natural=300)
        yield evil("back references", pattern, pump, natural=300, flags="i")


def counted() -> Iterator[Evil]:
    """Counts of counts."""
    for inner, outer in product(("{1,9}", "{0,30}", "{2,50}", "{10}"), ("{1,9}", "{0,30}", "{3,}", "{20}")):
        yield evil("counted repetition", f"^(?:a{inner}){outer}b", "a", natural=400)
    for pattern in (
        "(?:a?){30}a{30}b", "(?:a?){200}a{200}b", ".{1,900}.{1,900}x", "(?:.{1,40}){1,40}x",
        "a{500}b|a{501}c",
        "(?:a{0,9}a{0,9}){0,9}b", "(?:(?:a{1,4}){1,4}){1,4}b", "[^]{0,9000}x", "(?:a|a{2}|a{3}){1,99}b",
        "(a{1,3}){1,999}b", "(?:aa?){1,500}?b", "(?:a{1,3}?){1,300}?$b", "(?:\\w{1,63}\\.){1,9}x",
        "(?=a{99}){3}b",
    ):  # fmt: skip
        yield evil("counted repetition", pattern, "a", natural=1_000)


def classes() -> Iterator[Evil]:
    """Huge classes, and all ways to write them."""
    every_other = "".join(chr(0x4E00 + 2 * n) for n in range(900))
    latin = "".join(chr(n) for n in range(0xC0, 0x250, 2))
    for flags in ("", "i", "u", "iu", "iv"):
        yield evil("huge classes", f"^(?:[{every_other}]+)+!", "丂", natural=2_000, flags=flags)
        yield evil("huge classes", f"(?:[{latin}]|[^{latin}])*!", "éx", natural=2_000, flags=flags)
        yield evil("huge classes", r"(?:[\w\W]|[^])*x[\d\D]+y", "x", natural=2_000, flags=flags)
    for flags in ("u", "iu", "v", "iv"):
        yield evil("huge classes", r"^(?:[\p{L}\p{N}]+\p{P}?)+$", "aé1,", "\n", natural=2_000, flags=flags)
        yield evil("huge classes", r"(?:\p{Lu}|\p{Ll}|\p{L})*\P{Any}", "aB", natural=2_000, flags=flags)
    for pattern in (
        r"^(?:[\p{L}--[a-z]]|[\p{L}&&\p{Lu}])+$", r"(?:[[\w--\d]&&[^_]]+)+!",
        r"(?:[\p{L}--\p{Lu}--\p{Ll}]|\w)*!",
        r"[" * 60 + r"a" + "]" * 60 + "+b", r"(?:[\q{a|ab|abc|b}]+)+!", "[" + r"\p{L}&&" * 60 + r"\p{Lu}]+!",
    ):  # fmt: skip
        yield evil("huge classes", pattern, "ab", natural=1_000, flags="v")
    yield evil(
        "huge classes", "|".join(f"{chr(0x4E00 + n)}{n}" for n in range(150)) + "|x+x+y", "x", natural=2_000
    )
    yield evil("huge classes", "(?:" + "|".join(f"a{n}" for n in range(150)) + ")*!", "a1a2", natural=2_000)
    yield evil("huge classes", r"(?:😀|[\ud83d][\ude00-\ude4f])+!", "😀", natural=1_000)


def nesting() -> Iterator[Evil]:
    """Groups in groups."""
    for depth in (20, 80, 160, 240, 320, 450):
        for opening, closing in (("(", ")"), ("(?:", ")"), ("(?=", ")"), ("(?<!", ")"), ("(?:a|", ")*")):
            if depth * len(opening + closing) < 1_000:
                yield evil("deep nesting", opening * depth + "a+b" + closing * depth, "a", natural=500)
    for depth in (8, 12, 30):
        yield evil("deep nesting", "(?:" * depth + "a" + "?)*" * depth + "b", "a", natural=200)
        yield evil("deep nesting", "(" * depth + "a" + ")?" * depth + r"\1b", "a", natural=200)


def compiling() -> Iterator[Evil]:
    """Patterns that are huge, or slow to compile, before any text is there."""
    for pattern in (
        "x{2147483648}", "x{4294967296}y", "(x?){1000000}y", "(?:\\b){2000000000}x", "a{0,2000000000}b",
        "(?:a{300}){300}", "((?:a{99}){99}){99}", "(?:(?:(?:(?:a?){100}){100}){100}){100}x",
        "(?:a{9999}){9999}",
        "(" * 20 + "a" + ")+" * 20, "(?:" * 14 + "ab" + "){2}" * 14, "(?:(?:){65535}){65535}x",
        "(?:a*){4294967295}x",
        "(?:a|){1000000000}x", "(?:^){9999999}a", "(?:(?=a){9999}){9999}a", "(?:[^]{999}){999}", "a{49999}b",
        "(?:\\1(a)){40000}", "(?:(a)|b){20000}c", "(?:" + "a?" * 200 + "){200}b", "(?:a{0,999}){0,999}b",
        "()" * 490, "(?<=" * 30 + "a{99}" + ")" * 30, "(?:a+?){24999}b", "(?:\\w{200}\\W{200}){90}!",
        "(?i:" * 80 + "a" + ")" * 80 + "{9999}", "(?:(?<x>a)|b){3000}\\k<x>", "(?:a{0}){1000000000}b",
        "a{0,40000}?b",
        "(?:[ab]{1,50}){1,50}" * 5 + "c", "|" * 990, "(?:|" * 190 + ")" * 190, "(?:(?:a|b){1000}|c){40}",
    ):  # fmt: skip
        yield evil("slow to compile", pattern, "a", natural=100)
    for pattern in (
        r"[\p{L}\p{N}\p{P}\p{S}\p{M}]{900}x",
        r"(?:\p{L}{30}){1600}",
        r"(?:[\p{L}--\p{Lu}]{99}){400}",
    ):
        yield evil("slow to compile", pattern, "a", natural=100, flags="v")
    for pattern in (r"\P{Ll}" * 160, r"\S" * 490, r"\W+" * 300, r"\b" * 490, r"(?:[\P{L}a]|b)*" * 60):
        yield evil("slow to compile", pattern, "a", natural=100, flags="iu")


def everyday() -> Iterator[Evil]:
    """What people write in earnest, and what it does on the wrong text."""
    for pattern, pump, suffix in (
        (r"^([a-zA-Z0-9])(([\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}[a-z]{2,3}$", "a", "!"),
        (r"^(([a-z])+.)+[A-Z]([a-z])+$", "a", "!"),
        (r"^([0-9a-z]+[-._+&])*[0-9a-z]+@([-0-9a-z]+[.])+[a-z]{2,6}$", "a-", "@"),
        (r"[\w.+-]+@[\w-]+\.[\w.-]+", "a", "@"),
        (r"^(https?:\/\/)?([\da-z.-]+)\.([a-z.]{2,6})([\/\w .-]*)*\/?$", "a.bc/", "!"),
        (r"(?:https?:\/\/)?(?:[\w-]+\.)+[\w-]+(?:\/[\w .\/?%&=-]*)?!", "a.", ""),
        (r"^(\d{1,3}(,\d{3})*|\d+)(\.\d+)?(\s*[+*\/-]\s*(\d{1,3}(,\d{3})*|\d+))*=$", "1,111", "x"),
        (r"^\s*(?:\S+\s+)*?(?:refund|credit)\s+(?:\S+\s+)*\S+\?$", "a refund ", "!"),
        (r"^[\s\u200c]+|[\s\u200c]+$", "\u200c ", "x"),
        (r"(?:[\"'\]}\\\d]|nan|true|false|`|-|\+)+\)*;?(?:\s|-|~|!|\|\||\+)*.*(?:.*=.*)", "x=", ""),
        (r"^(?:[^\"\\]|\\.|\"(?:[^\"\\]|\\.)*\")*;$", '"a', ""),
        (r"^(\w+(?:[ -]\w+)*\s*,?\s*)+$", "word ", "!"),
        (r"(?:<[^>]*>|[^<])*<\/body>", "<p>a", ""),
        (r"^(?:(?:[^,\n\"]*|\"(?:[^\"]|\"\")*\"),)*(?:[^,\n\"]*|\"(?:[^\"]|\"\")*\")$", 'a,"b",', '"'),
        (r"((?:\{[^{}]*\}|\[[^\[\]]*\]|[^{}\[\]])*)\}\]$", "{a}", "{"),
        (r"^#{1,6}\s+(.+?)\s*#*\s*$", "# a ", "\nx"),
        (r"(?:\*\*|__)(?=\S)(.+?[*_]*)(?<=\S)\1", "**a", ""),
        (r"!?\[((?:\[[^\]]*\]|\\.|[^\[\]])*)\]\(\s*(<?[^\s>]*>?)\s*\)", "[a[b]", ""),
        (r"^(?:(?:\+?\d{1,3})?[-. (]*\d{3}[-. )]*\d{3}[-. ]*\d{4}\s*)+$", "555 123 4567 ", "x"),
        (r"^(?:\d{4}-\d{2}-\d{2}T?)?(?:\d+:)*\d+(?:\.\d+)?Z?$", "1:", "!"),
        (r"^v?(\d+\.)*(\d+)(?:-((?:[0-9A-Za-z-]+\.?)+))?$", "1.", "!"),
        (r"^(?:[A-Za-z0-9+\/]{4})*(?:[A-Za-z0-9+\/]{2}==|[A-Za-z0-9+\/]{3}=)?$", "abcd", "!"),
        (r"\b(?:as an? (?:ai|language model|assistant)\b.*)+\bcannot\b.*\bhelp\b", "as an ai ", ""),
        (r"(?:I(?:'m| am) (?:so |very |really )*sorry[,.]?\s*)+(?:but|however)!", "I am so very sorry ", ""),
        (r"<think>(?:[^<]|<(?!\/think>))*<\/think>", "<think>a", ""),
        (r"```(?:\w+)?\s*([\s\S]*?)\s*```", "```a ", ""),
        (r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}", "{a{b", ""),
        (r"^(?:\s*[-*]\s+.+\n?)+$", "- a\n", "x"),
        (r"(?:\|.*)+\|\n(?:\|\s*:?-+:?\s*)+\|", "| a ", ""),
        (r"(\b\w+\b)(?=.*\b\1\b.*\b\1\b.*\b\1\b.*!)", "ab cd ", ""),
        (r"^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])(?=.*[^\w\s]).{8,}$", "aA1", "\n"),
        (r"(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)!", "1.", ""),
        (r"(?:0x)?(?:[0-9a-f]{2}[: ]?)+(?:h|H)\b", "ab:", "g"),
        (r"^((?:[^\/]*\/)*)(.*)\.(?:js|ts)$", "a/", "!"),
        (r"(?:;\s*[\w-]+=(?:\w+|\"[^\"]*\"))*;\s*$", ";a=b", "x"),
        (r"^\s*(?:select|from|where)(?:\s+(?:\w+|\*|,|=|'[^']*'))+\s*;$", "select a , ", "!"),
    ):  # fmt: skip
        yield evil("everyday patterns", pattern, pump, suffix, natural=200)


def known() -> Iterator[Evil]:
    """Those whose right verdicts the tests of the dialect check."""
    kinds = {"nested quantifiers": catastrophes.NESTED, "polynomial": catastrophes.POLYNOMIAL}
    kinds |= {"lookarounds": catastrophes.LOOKAROUNDS, "a match at the end": catastrophes.FOUND}
    kinds |= {"back references": catastrophes.REFERENCES, "counted repetition": catastrophes.COUNTED}
    for family, members in kinds.items():
        for member in members:
            yield _from(member, family)


def _from(known: Catastrophe, family: str) -> Evil:
    unit = max(1, len(known.text(1_001)) - len(known.text(1_000)))
    return Evil(family, known.pattern, known.text, unit, known.size, known.flags)


def corpus() -> tuple[Evil, ...]:
    """All of them, each pattern once."""
    makers = (
        known,
        everyday,
        nested,
        overlapping,
        polynomial,
        lookarounds,
        references,
        counted,
        classes,
        nesting,
    )
    found = [member for make in (*makers, compiling) for member in make()]
    return tuple({(member.pattern, member.flags): member for member in reversed(found)}.values())[::-1]
