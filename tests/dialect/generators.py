"""Random patterns over the whole grammar, and texts that have a chance to match them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from turngrade.core.dialect.nodes import (
    Alternation,
    Assertion,
    BackReference,
    Char,
    CharSet,
    Group,
    Look,
    Node,
    Ranges,
    Repeat,
    Sequence,
    Tree,
)

LETTERS = "aaabbbcckKsSxAB019_ -"
HOSTILE = (
    "éÉßẞſ\u212aİıσςΣ\u03bc\u00b5\u212b\u00e5\u00c5\u2126ω\u01c4\u01c5\u01c6ꭰᎠᲀвВ\u0345\u0399\u03b9ᾳᾼ\ua7cb\u0264"
    "😀𝒳𐐀𐐨\ud83d\ude00\udc00"
    "\u2028\u2029\n\r\t\x0b\x0c\x00\x01\x08\x1c\x85\xa0\ufeff\u180e٣"
    "{}[]()|/\\^$.*+?=!#&~%:<>'\"`@,;"
)
QUANTIFIERS = [
    "*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,2}?", "{0}", "{2,}", "{0,1}", "{1}", "{3}?",
    "{1,}?",
]  # fmt: skip
CLASS_ESCAPES = ["\\d", "\\D", "\\w", "\\W", "\\s", "\\S"]
PROPERTIES = [
    "L", "Lu", "Ll", "Lt", "Nd", "M", "P", "Script=Greek", "sc=Cyrl", "scx=Deva", "Script_Extensions=Latin",
    "ASCII", "Any", "Assigned", "Emoji", "Alphabetic", "Uppercase", "Lower", "White_Space", "gc=Sc",
    "ID_Start", "CWU",
]  # fmt: skip
ESCAPES = [
    "\\n", "\\t", "\\r", "\\f", "\\v", "\\0", "\\x61", "\\x4B", "\\u0061", "\\u212a", "\\u017f", "\\cA",
    "\\cj", "\\.", "\\/", "\\$", "\\^", "\\|", "\\ud83d\\ude00", "\\ud83d", "\\uDE00", "\\u2028", "\\u0130",
    "\\[", "\\]", "\\{", "\\}",
]  # fmt: skip
LOOSE_ESCAPES = [
    "\\A", "\\Z", "\\z", "\\h", "\\R", "\\K", "\\G", "\\X", "\\m", "\\M", "\\y", "\\N", "\\p{L}", "\\Q",
    "\\E", "\\e", "\\a", "\\-", "\\ ", "\\é", "\\c", "\\c1", "\\x6", "\\u61", "\\u{2}", "\\8", "\\07",
    "\\12", "\\377", "\\400", "\\08", "\\k", "\\L<a>", "\\g<1>", "\\_", "\\`", "\\<",
]  # fmt: skip
LOOSE = [
    "{1", "{,2}", "a{", "{a}", "{", "}", "]", "{e<=1}", "x{1,b}", "{i}", "a{ 1}", "{1,2,3}", "#c\n",
    "[[:alpha:]]",
]  # fmt: skip
FOREIGN = [
    "(?>a)", "(?#x)", "(?P<x>a)", "(?P=n)", "a++", "a*+", "(?|a|b)", "(?(1)a|b)", "(?R)", "(?1)", "a{2}+",
    "(*FAIL)", "(?i)", "(?x:a)", "(?i-i:a)", "(?ii:a)", "(?-:a)", "(?i--s:a)", "(?^:a)", "(?'n'a)",
    "(?<1>a)", "(?<n-m>a)", "(?<>a)", "(?<a", "\\k<", "\\k<zz>", "(?a", "(?", "{2}{3}", "(?<=a)*", "^*",
    "\\b+", "(?=a)*", "(?!b){2}", "[z-a]", "[\\w-a]", "[a-\\d]", "a{2,1}", "a{99999999999}", "\\u{110000}",
    "\\p{Foo}", "\\p{lu}", "\\pL", "\\p{L", "(?<n>a)(?<n>b)", "(?<$>a)", "(?<\\u0061>a)", "\\",
]  # fmt: skip
SET_ITEMS = [
    "\\d", "\\w", "\\W", "a", "k", "S", "\\p{L}", "\\p{Lu}", "\\P{Ll}", "\\q{a|bc|k}", "\\q{}",
    "\\q{ABC|abc|s}", "\\s", "é",
]  # fmt: skip
SET_LOOSE = [
    "&&", "--", "&", "(", "|", "-", "!!", "[^\\q{ab}]", "\\q{a", "^^", "~", "a-", "\\-", "\\&", "\\q{a|b}",
    "z-a", "\\d-z",
]  # fmt: skip
NAMES = ["n", "m", "$x", "ä", "n"]


class PatternGenerator:
    """Random patterns for one set of flags.

    Args:
        rng: Where chance comes from.
        flags: With ``u`` or ``v`` most patterns follow the strict grammar.
        strict: Leaves out almost all that is likely to be an error.
    """

    def __init__(self, rng: Random, flags: str, *, strict: bool = False) -> None:
        self._rng = rng
        self._sets = "v" in flags
        self._unicode = self._sets or "u" in flags
        self._strict = strict

    def pattern(self, depth: int = 0) -> str:
        """A disjunction."""
        rng = self._rng
        pattern = "".join(self._term(depth) for _ in range(rng.randint(1, 3 if depth else 5)))
        if rng.random() < 0.22:
            pattern += "|" + (self.pattern(depth + 1) if rng.random() < 0.85 else "")
        return pattern

    def _term(self, depth: int) -> str:
        rng = self._rng
        kinds: list[tuple[float, Callable[[], str]]] = [
            (0.44, self._character),
            (0.05, lambda: "."),
            (0.07, self._escape),
            (0.04, lambda: rng.choice(CLASS_ESCAPES)),
            (0.09, self.char_class),
            (0.06, lambda: rng.choice(["^", "$", "\\b", "\\B"])),
            (0.04, self._reference),
            (0.02, lambda: "" if self._strict else rng.choice(LOOSE if rng.random() < 0.6 else FOREIGN)),
        ]
        if depth < 4:
            kinds.append((0.24, lambda: self._group(depth + 1)))
        term = rng.choices([make for _, make in kinds], [weight for weight, _ in kinds])[0]()
        quantifiable = term not in ("^", "$", "\\b", "\\B") and rng.random() < 0.33
        return term + rng.choice(QUANTIFIERS) if quantifiable else term

    def _character(self) -> str:
        rng = self._rng
        letter = rng.choice(LETTERS) if rng.random() < 0.85 else rng.choice(HOSTILE)
        if letter in "^$\\.*+?()[]{}|/":
            return "\\" + letter
        return letter

    def _escape(self) -> str:
        rng = self._rng
        if self._unicode:
            return rng.choice(
                [*ESCAPES, "\\u{61}", "\\u{1F600}", "\\u{10400}", self._property(), self._property()]
            )
        return rng.choice(ESCAPES if rng.random() < 0.6 else LOOSE_ESCAPES)

    def _property(self) -> str:
        return f"\\{self._rng.choice('ppP')}{{{self._rng.choice(PROPERTIES)}}}"

    def _reference(self) -> str:
        return self._rng.choice(
            ["\\1", "\\1", "\\2", "\\3", "\\k<n>", "\\1"] if not self._strict else ["\\1", "\\1", "\\2"]
        )

    def _group(self, depth: int) -> str:
        rng = self._rng
        opening = rng.choices(
            ["(", "(?:", "(?=", "(?!", "(?<=", "(?<!", f"(?<{rng.choice(NAMES)}>", f"(?{self._modifiers()}:"],
            [38, 16, 8, 7, 8, 6, 5, 4],
        )[0]
        return f"{opening}{self.pattern(depth)})"

    def _modifiers(self) -> str:
        return self._rng.choice(["i", "-i", "m", "s", "im", "s-i", "-m", "ims", "i-ms", "-s"])

    def char_class(self, depth: int = 0) -> str:
        """A class; with ``v`` one that may hold set operations."""
        rng = self._rng
        negation = "^" if rng.random() < 0.3 else ""
        if self._sets and rng.random() < 0.4:
            operator = rng.choice(["--", "&&", ""])
            return f"[{negation}{operator.join(self._operand(depth) for _ in range(rng.randint(1, 3)))}]"
        return f"[{negation}{''.join(self._member() for _ in range(rng.randint(0, 4)))}]"

    def _operand(self, depth: int) -> str:
        rng = self._rng
        if rng.random() < 0.25 and depth < 3:
            return self.char_class(depth + 1)
        return rng.choice(SET_ITEMS if self._strict or rng.random() < 0.93 else SET_LOOSE)

    def _member(self) -> str:
        rng, roll = self._rng, self._rng.random()
        if roll < 0.4:
            return self._member_character()
        if roll < 0.6:
            first, last = sorted(rng.sample("abckszABKSZ019éßσωΩſ", 2))
            return f"{first}-{last}"
        if roll < 0.75:
            return rng.choice(
                [
                    *CLASS_ESCAPES,
                    "\\b",
                    "\\n",
                    "\\-",
                    "\\]",
                    "\\^",
                    "\\cA",
                    "\\x61",
                    "\\u017f",
                    "\\ud83d",
                    "\\ude00",
                ]
            )
        if roll < 0.85 and self._unicode:
            return rng.choice(
                [self._property(), "\\u{1F600}", "\\u{1F600}-\\u{1F64F}", "\\u{10400}-\\u{1044F}"]
            )
        if roll < 0.93 and not self._strict:
            loose = [
                "-",
                "^",
                "[",
                "&&",
                "--",
                "||",
                "~~",
                "[:alpha:]",
                "\\w-a",
                "a-\\d",
                "\\c1",
                "\\c",
                "\\1",
                "\\12",
                "\\8",
                "\\u61",
            ]
            return rng.choice([*loose, "\\q", "\\p", "😀", "𐐀-𐐧", "\\k", "\\B", "\\c_", "\\x1", "é-a"])
        return rng.choice("abk")

    def _member_character(self) -> str:
        letter = self._rng.choice(LETTERS + HOSTILE)
        needs_escape = letter in "\\]^-" or (self._sets and letter in "()[]{}/|&~!#%:;<>=@`,.$*+?")
        return "\\" + letter if needs_escape else letter


def mutated(pattern: str, rng: Random) -> str:
    """The pattern with one or two characters lost, doubled, swapped or put in: mostly invalid ones."""
    for _ in range(rng.randint(1, 2)):
        at = rng.randint(0, max(0, len(pattern) - 1))
        change = rng.randrange(4)
        if change == 0:
            pattern = pattern[:at] + pattern[at + 1 :]
        elif change == 1:
            pattern = pattern[:at] + rng.choice("()[]{}|^$*+?\\-&<>=!:,iuk1p") + pattern[at:]
        elif change == 2:
            pattern = pattern[:at] + pattern[at : at + 2][::-1] + pattern[at + 2 :]
        else:
            pattern = pattern[:at] + pattern[at : at + 1] * 2 + pattern[at + 1 :]
    return pattern


def random_flags(rng: Random) -> str:
    """Flags that go together; half of them without ``u`` and ``v``."""
    mode = rng.choices(["", "u", "v"], [55, 25, 20])[0]
    return mode + "".join(flag for flag in "ims" if rng.random() < 0.3) + ("y" if rng.random() < 0.03 else "")


class TextGenerator:
    """Texts that match a pattern, or nearly so."""

    def __init__(self, rng: Random, tree: Tree) -> None:
        self._rng = rng
        self._root = tree.root
        self._groups: dict[int, str] = {}

    def text(self) -> str:
        """A text made from the pattern or out of nothing, then damaged a little."""
        rng = self._rng
        self._groups = {}
        if rng.random() < 0.3:
            return "".join(rng.choice(LETTERS + HOSTILE) for _ in range(rng.choice([0, 1, 1, 2, 3, 5, 8])))
        text = self._sample(self._root)
        if rng.random() < 0.3:
            text += self._sample(self._root)
        for _ in range(rng.choice([0, 0, 1, 1, 2])):
            text = self._damaged(text)
        return text[:40]

    def _damaged(self, text: str) -> str:
        rng = self._rng
        at = rng.randint(0, len(text))
        letter = rng.choice(LETTERS + HOSTILE) if rng.random() < 0.6 else rng.choice(text or "a")
        change = rng.randrange(4)
        if change == 0:
            return text[:at] + text[at + 1 :]
        if change == 1:
            return text[:at] + letter + text[at:]
        if change == 2:
            return text[:at] + text[at : at + 1].swapcase() + text[at + 1 :]
        return text[:at] + letter + text[at + 1 :]

    def _sample(self, node: Node) -> str:
        match node:
            case Char(_, ranges) | CharSet(ranges):
                return self._character(ranges)
            case Assertion():
                return self._rng.choice(["", "", "\n"]) if "LINE" in node.kind.name else ""
            case Look(body, _, negative):
                return "" if negative or self._rng.random() < 0.5 else self._sample(body)
            case Group(body, index):
                text = self._sample(body)
                if index is not None:
                    self._groups[index] = text
                return text
            case BackReference(groups):
                return next((self._groups[index] for index in groups if index in self._groups), "")
            case Repeat(body, least, most):
                return self._repeated(body, least, most)
            case Sequence(items):
                return "".join(map(self._sample, items))
            case Alternation(branches):
                return self._sample(self._rng.choice(branches))

    def _repeated(self, body: Node, least: int, most: int | None) -> str:
        ceiling = least + 2 if most is None else min(most, least + 2)
        return "".join(self._sample(body) for _ in range(min(6, self._rng.randint(least, ceiling))))

    def _character(self, ranges: Ranges) -> str:
        rng = self._rng
        if not ranges:
            return ""
        if rng.random() < 0.7:
            likely = [letter for letter in rng.choices(LETTERS + HOSTILE, k=4) if _is_in(ranges, letter)]
            if likely:
                return likely[0]
        low, high = rng.choice(ranges[:8])
        return chr(rng.choice([low, high, rng.randint(low, min(high, low + 300))]))


def _is_in(ranges: Ranges, letter: str) -> bool:
    return any(low <= ord(letter) <= high for low, high in ranges)


def structure(rng: Random, depth: int = 0) -> str:
    """Patterns over two letters that are all groups, references, lookarounds and loops."""
    parts: list[str] = []
    for _ in range(rng.randint(1, 4)):
        roll, quantifiable = rng.random(), True
        if roll < 0.42 or depth > 4:
            part = rng.choice(["a", "b", "a", "b", "c", ".", "[ab]", "[^a]", "\\w", ""])
        elif roll < 0.50:
            part = f"\\{rng.randint(1, 4)}"
        elif roll < 0.53:
            part, quantifiable = rng.choice(["^", "$", "\\b", "\\B"]), False
        elif roll < 0.84:
            part = rng.choice(["(", "(", "(?:"]) + structure(rng, depth + 1) + ")"
        else:
            kind = rng.choice(["=", "!", "<=", "<!"])
            part = f"(?{kind}{structure(rng, depth + 1)})"
            quantifiable = kind in "=!" and rng.random() < 0.3
        quantify = quantifiable and part and rng.random() < 0.45
        parts.append(part + rng.choice(QUANTIFIERS) if quantify else part)
    pattern = "".join(parts)
    if rng.random() < 0.3:
        pattern += "|" + (structure(rng, depth + 1) if rng.random() < 0.8 else "")
    return pattern
