"""Cases for every way in which JavaScript's patterns differ from those of ``regex`` and ``re``.

``make_golden.py`` asks Node about them; nobody has to know the answers.
"""

from __future__ import annotations

from typing import TypeAlias

from tests.dialect.node_judge import Case

Texts: TypeAlias = tuple[str, ...]

TERMINATORS: Texts = (
    "a\nb", "a\rb", "a\u2028b", "a\u2029b", "a\x85b", "a\x0bb", "a\x0cb", "a\x1cb", "ab", "",
)  # fmt: skip
WORDS: Texts = (
    "é", "ſ", "\u212a", "_", "9", "٣", "café", "a-b", "ß", "İ", "\u200d", "",
)  # fmt: skip
CASES: Texts = (
    "k", "K", "\u212a", "s", "S", "ſ", "i", "I", "İ", "ı", "ß", "ẞ", "ss", "\u03a9", "ω", "\u2126", "ς",
    "σ", "Σ", "\u00b5", "\u03bc", "é", "É", "\u01c6", "\u01c5", "\u01c4", "Ꭰ", "ꭰ", "\u0345", "\u03b9",
    "\u1fbe", "\u0399", "ᾳ", "ᾼ", "\ufb05", "\ufb06", "\u0390", "\u1fd3", "𐐀", "𐐨", "\u00e5", "\u00c5",
    "\u212b", "\u0264", "\ua7cb", "\u1c8a",
)  # fmt: skip
EMOJI: Texts = (
    "😀", "😀😀", "\ud83d", "\ude00", "\ude00\ud83d", "a😀b", "x", "",
)  # fmt: skip
LOOPS: Texts = (
    "", "a", "b", "ab", "ba", "aab", "abab", "aba", "bbaa", "abcabc", "aaaa",
)  # fmt: skip


def cases(
    texts: Texts, patterns: str, flags: tuple[str, ...] = ("",), others: tuple[str, ...] = ()
) -> list[Case]:
    """Each pattern with each set of flags on all of the texts.

    Args:
        texts: What to search.
        patterns: Patterns with white space between them.
        flags: Sets of flags.
        others: Patterns that hold white space or halves of characters.
    """
    return [Case(pattern, each, texts) for pattern in (*patterns.split(), *others) for each in flags]


FEATURES: dict[str, list[Case]] = {
    "end of text": cases(
        (
            "a\n", "a", "a\n\n", "ba",
        ),
        r"""
        a$ ^a$ a\n$
        """,
        flags=("", "m"),
    ),
    "line ends": cases(
        TERMINATORS,
        r"""
        ^b a$ ^$ ^.*$ $. \n^
        """,
        flags=("", "m", "ms", "u", "mu"),
    ),
    "dot": cases(
        TERMINATORS,
        r"""
        a.b ^.+$ [^]
        """,
        flags=("", "s", "u", "su"),
    ),
    "digits and words": cases(
        WORDS,
        r"""
        \d \D \w \W ^\w+$ \bcaf\b \b \B
        """,
        flags=("", "i", "u", "iu", "vi"),
    ),
    "white space": cases(
        (
            "\t", "\n", "\x0b", "\x0c", "\r", "\x1c", "\x1d", "\x1e", "\x1f", " ", "\x85", "\xa0", "\u1680",
            "\u180e", "\u2000", "\u200a", "\u200b", "\u2028", "\u2029", "\u202f", "\u205f", "\u2060",
            "\u3000", "\ufeff",
        ),
        r"""
        \s \S [\s] [^\s]
        """,
        flags=("", "u"),
    ),
    "ignoring case": cases(
        CASES,
        r"""
        k s i ß ω ς µ é ʼn ι dž ꭰ 𐐀 ẞ ﬅ ΐ å
        """,
        flags=("i", "iu", "vi"),
    ),
    "classes ignoring case": cases(
        CASES,
        r"""
        [a-z] [^a-z] [^k] [\w] [\W] [^\W] [Α-Ω] [à-ÿ] [^ſ] \W \w
        """,
        flags=("i", "iu", "vi"),
    ),
    "properties ignoring case": cases(
        CASES,
        r"""
        \p{Lu} \P{Lu} [^\P{Lu}] [^\p{Lu}] \p{Ll} \P{Ll} [\P{Lu}]
        """,
        flags=("iu", "vi", "u", "v"),
    ),
    "units or code points": cases(
        EMOJI,
        r"""
        ^.$ ^..$ ^.{2}$ [😀] ^[😀]$ [^x] ^[^x]$ 😀{2} \ud83d \ude00 \ud83d\ude00 (?<=\ud83d)\ude00 ^\S\S?$
        \uD83D. [\ud83d] (?<!.)😀 (?<=^.) \u{1F600}
        """,
        flags=("", "u", "v"),
        others=("[\ud83d]",),
    ),
    "between the halves of a character": cases(
        (
            "a😀a", "😀", "x😀", "", "a",
        ),
        r"""
        \B (?<!^)(?!$) x?\B (?!\1)() (?<!a)(?!a) (?=\B) (?<=\B)$ (?!\b)(?:) (?<!^|a)
        """,
        flags=("u", "v", "iu", "uy"),
    ),
    "references before their group": cases(
        LOOPS,
        r"""
        \1(a) (?:\1a|(b))+ \k<n>(?<n>a)b (a\1) (a\1)\1 (?<a>b\k<a>) (?=(\1a)) \2(a)(b) ^(?:(a)|b)*\1$
        """,
    ),
    "groups are unset at each iteration": cases(
        LOOPS,
        r"""
        (?:(a)|b)* (?:(a)|(b))+\1 (?:(a)|b){2} (z)((a+)?(b+)?(c))* (?:(a)|(b)|(c))* (?:a()|b)* ((a)|b)*
        (?:(a)|b)*?$ (?<=(?:(a)|b)*)$ (?:(?=(a))|b)*b (?:(?<x>a)|(?<x>b))\k<x>
        """,
    ),
    "empty iterations": cases(
        LOOPS,
        r"""
        (a*)* (a*)+ (a?)*?b (?:|a)* (?:a*?)* (?:a??)* (?:a*|b)* (?:a|b*?)* (?:|a){2,3} (?:a??){2,} (?:|a)+?$
        (a*){2} (a*)? (?:(a)|b*)* ((a)|(b)?)*?c (\b|a)* (?:(?=a))* (?:$|a)* (?<=(a*)*)b (()|a)*b (?:a?b??)*
        """,
    ),
    "remembered failures": cases(
        (
            "___x_", "cx0axa", "___\uffff_", "aab", "bbacc\u20290a\u2029a",
        ),
        r"""
        (_.?)*\1 c??(.*).a\1?a (c*?([^]*).a\2?a) c??(.*).a\1{0,2}a (?:(_.?)(?=.))*\1 (?:(_.?)){0,4}\1
        c*?(.*?).a(?:\1x?)??a
        """,
    ),
    "lookbehind": cases(
        (
            "1053", "abc", "aabb", "$1.50", "ab", "",
        ),
        r"""
        (?<=(\d+)(\d+))$ (?<=\1(a))b (?<=(a)\1)b (?<!a)b (?<=\$)\d+ (?<=a{1,2})b (?<=(?:a|ab)*)$
        (?<=([abc]+)([bc]+))$
        """,
    ),
    "lookahead": cases(
        LOOPS,
        r"""
        (?=a)*b (?=(a))*b (?:(?=(a))a)+ (?!(a))b\1 (?=a){0}b (?=a)?b (?=(a*))\1b (?!a|$) (?=.*b)(?=.*a)
        (?=.*a)b (.*)\1$
        """,
    ),
    "sticky": cases(
        (
            "ba", "ab", "aa", "",
        ),
        r"""
        a ^a a* (?<=a)a
        """,
        flags=("y", "gy", "my"),
    ),
    "flags that change nothing": cases(
        (
            "ab",
        ),
        r"""
        b
        """,
        flags=("g", "d", "dg", "dgimsy"),
    ),
    "flags": cases(
        (
            "a",
        ),
        r"""
        a
        """,
        flags=("x", "ii", "uv", "vu", "G", "I", " ", "gimsuy", "dgimsvy", "l", "é"),
    ),
    "letters that are escapes elsewhere": cases(
        (
            "A", "Z", "z", "h", "R", "K", "G", "m", "M", "N", "a", "e", "Q", "E", "X", "L", "p{L}", "k<n>",
            "\x07", "\x1b", " ", "\n", "",
        ),
        r"""
        \A \Z \z \h \H \R \K \G \m \M \N \a \e \Q \E \X \L \p{L} \k<n> \y
        """,
        flags=("", "u", "v"),
    ),
    "numeric escapes": cases(
        (
            "\x01", "\x08", "8", "\n", "\n", "S", "ÿ", " 0", "\x00", "\x001", "x6", "u00e", "uu", "@",
            "\x1f", "e", "é",
        ),
        r"""
        \1 \8 \9 \12 \123 \377 \400 \0 \01 \08 \x6 \x61 \u00e \u00e9 \u{2} \c \cA \c1 \c_ \cé [\c1] [\c_]
        [\c] [\1] [\8] [\b] [\B] \u{65} \u{110000} \u{} (a)\2 (a)\12
        """,
        flags=("", "u"),
    ),
    "braces and brackets": cases(
        (
            "a{", "x{1", "x{,5}", "{a}", "]", "}", "a{ 1}", "aa", "a{1,b}", "xxx", "{", "{,2}", "a{1", "",
        ),
        r"""
        a{ x{1 x{,5} {a} ] } a{1,b} {1} {1,} {,2} { a{2} a{2,1} a{0,0} x{1}{1} a{1 a{} ^{ (?:a{,2})
        """,
        flags=("", "u"),
        others=("a{ 1}",),
    ),
    "fuzzy constructs are literals": cases(
        (
            "fxo", "foo{e<=1}", "a{i}", "a{e}", "foo", "aaa", "a{s<=1}",
        ),
        r"""
        (?:foo){e<=1} a{i} (?:a){e} a{s<=1} a{i<=1,d<=1} (?:a){2i+2d<3}
        """,
        flags=("", "u"),
    ),
    "classes": cases(
        (
            "", "a", "]", "a]", "[", ":", "[a]", "-", "w", "w-", "^", "&", "|", "~", "\\", "l]", "b", "5",
        ),
        r"""
        [] [^] []a] [^]a] [[:alpha:]] [[a]] [a&&b] [a--b] [a||b] [a~~b] [\w-a] [a-\w] [-a] [a-] [a^] [\]]
        [\^a] [\-] [a-b-c] [b-a] [\d-\w] [ [a [a\ [\w-] [--a] [\k] [!--]
        """,
        flags=("", "u", "v"),
    ),
    "sets": cases(
        (
            "", "a", "b", "c", "ab", "abc", "5", "é", "A", "AB", "k", "-", "[", "d",
        ),
        r"""
        [[a-z]--[aeiou]] [\w&&\d] [[ab][c]] [\q{abc|b|}] ^[\q{ab|a}]c [^[a]] [^\d] [\w--[a-c]--\d]
        [\q{ab}&&\q{ab|c}] [^\q{ab}] [^\q{a}] [\q{AB}--\q{ab}] [a--b&&c] [a&&&b] [a&&b--c] [a-z&&b] [(]
        [a&&] [--a] [&&a] [a!!b] [!] [\-] [\&] [\q{a] [\q] [a-\d] [[a]-b] [a-z--b] [\q{a|b}-c] [] [^] [[]]
        [\p{L}--\p{ASCII}] [\p{Lu}&&[A-C]] [^\q{}] [^\q{ab}--\q{ab}] [\b] [/] [a|b] [{]
        """,
        flags=("v", "vi"),
    ),
    "properties": cases(
        (
            "a", "A", "é", "α", "5", "٣", "😀", "̀", "_", " ", "ア", "\u0378",
        ),
        r"""
        \p{L} \P{L} \p{Letter} \p{gc=Lu} \p{General_Category=Uppercase_Letter} \p{Script=Greek} \p{sc=Grek}
        \p{scx=Kana} \p{Script_Extensions=Katakana} \p{Emoji} \p{Any} \p{Assigned} \p{ASCII} \p{Alphabetic}
        \p{White_Space} \p{digit} \p{punct} \p{LC} \p{Cased_Letter} [\p{L}\d] [^\p{L}] \p{greek} \p{Greek}
        \p{l} \p{IsGreek} \p{InGreek} \p{^L} \pL \p \p{ \p{} \p{L \p{Script} \p{Script=} \p{=Greek}
        \p{Lu=Yes} \p{sc=Hrkt} \p{Block=Latin} \p{Alphabetic=Yes} \p{RGI_Emoji} \P{RGI_Emoji} [\p{zz}]
        \p{gc=Foo} \p{space}
        """,
        flags=("u",),
        others=("\\p{ Lu}", "\\p{White Space}"),
    ),
    "groups of other engines": cases(
        (
            "a",
        ),
        r"""
        (?P<n>a) (?P=n) (?#c)a (?>a) (?|a|b) (?(1)a|b) (?R) (?1) (?&n) a++ a*+ a?+ a{2}+ (*FAIL) (?i)a a(?i)
        (?r)a (?V1)a (?x)a (?<=a)* (?<!a)+ (?<=a){2} (?'n'a) (?<n-m>a) (?^i:a) (?a:a) (?P>n) (?:a (a a) ( )
        (? (?a (?< (?<n (?<n> * a** a|* +a ? \ a\ ^* $+ \b? (?=a){2} (?!a)*
        """,
        flags=("", "u"),
    ),
    "names": cases(
        (
            "aa", "ab", "a",
        ),
        r"""
        (?<$a>a)\k<$a> (?<_>a) (?<ä>a)\k<ä> (?<a1>a) (?<1a>a) (?<a-b>a) (?<>a) (?<\u0061>a)\k<a>
        (?<\u{61}>a) (?<\ud835\udc9c>a) (?<𝒜>a)\k<𝒜> (?<a\>a) (?<a\u>a) (?<😀>a) (?<a‍>a) (?<‍>a) \k<a>
        (?<a>a)\k<b> (?<a>a)\k (?<a>a)\k< (?<a>a)\k<a (?<a>a)[\k] \k<a>(?<a>a) (?<a>.)(?<a>.)
        (?:(?<a>.)|(?<a>.)) (?<a>.)|(?<a>.)\k<a> (?:(?<a>a)|b)(?:(?<a>b)|c) (?<a>(?<a>a))
        (?<a>a)(?:(?<a>b)|c) (?:(?<a>x)|(?<a>a))\k<a>
        """,
        flags=("", "u"),
    ),
    "modifiers": cases(
        (
            "aB", "ab", "AB", "Ab", "a\nb", "ſ", "S", "s", "\n",
        ),
        r"""
        (?i:a)b (?-i:a)b a(?i:b) (?i-s:a.) (?s:.) (?-s:.) (?m:^b) ^(?-m:b) (?i:(?-i:a)b) (?:a)b (?i:a|b)B
        (?i:s) (?i:[^a]) (?i-i:a) (?ii:a) (?-:a) (?i--m:a) (?ims-:a) (?-ims:a) (?u:a) (?i (?i-:a)
        (?i:a)(?-i:b) (?I:a) (?y:a) (?i:(a))\1
        """,
        flags=("", "i", "ims", "u"),
    ),
    "references ignoring case": cases(
        (
            "aA", "éÉ", "kK", "k\u212a", "ſs", "\u2126ω", "ßẞ", "σς", "abAB", "aa", "éé", "ΣςE", "ǆǅ", "𐐀𐐨",
        ),
        r"""
        (.)\1 ^(.+)\1$ (?<n>.)\k<n> (.)(?-i:\1) (?i:(.)\1) (.)(?i:\1) (\w)\1 ([^a])\1
        """,
        flags=("", "i", "iu", "vi"),
    ),
    "large counts": cases(
        (
            "", "a", "aaa",
        ),
        r"""
        a{2147483648} a{0,2147483648} a{99999999999999999999} a{99999999999,99999999998} a{2147483647,}
        (?:a?){0,4294967296} (?:){4294967297} a{0} (a){0}\1 a{00001}
        """,
    ),
    "odds and ends": cases(
        (
            "a/b", "/", "#", " ", "a b", "a#b", "", "\x00", "~", "a|b",
        ),
        r"""
        a/b \/ a#b # | a||b () (?:) a| |a (|a) \~ \# ~ \- - \x00
        """,
        flags=("", "u", "v"),
        others=("a b", "\\ ", "[ ]"),
    ),
}  # fmt: skip
