"""Hypothesis strategies for patterns and texts; they shrink to small ones."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

LETTERS = "abkKsS1_ -é\nſ\u212a😀"
QUANTIFIERS = ["*", "+", "?", "*?", "+?", "??", "{2}", "{0,2}", "{1,}?", "{0}"]
ESCAPES = ["\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "\\n", "\\x61", "\\u017f", "\\cA", "\\.", "\\/"]
OPENINGS = ["(", "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?i:", "(?-i:", "(?s-m:"]
MEMBERS = ["a", "k", "S", "a-k", "é-ü", "\\d", "\\W", "\\b", "\\u017f", "Α-Ω", "0-9", "\\-", "😀"]
FLAGS = ["", "i", "m", "s", "ims", "u", "iu", "v", "iv", "ms"]

flags = st.sampled_from(FLAGS)
texts = st.text(st.sampled_from(LETTERS), max_size=10)


def classes() -> st.SearchStrategy[str]:
    """Classes that are valid whatever the flags."""
    members = st.lists(st.sampled_from(MEMBERS), max_size=4).map("".join)
    return st.builds("[{}{}]".format, st.sampled_from(["", "^"]), members)


def atoms() -> st.SearchStrategy[str]:
    """What needs nothing else; references may lead nowhere, which is an error with ``u``."""
    letters = st.sampled_from(LETTERS)
    return letters | st.sampled_from([*ESCAPES, ".", "^", "$", "\\b", "\\B", "\\1", "\\2"]) | classes()


def grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Larger patterns made of smaller ones."""
    groups = st.builds("{}{})".format, st.sampled_from(OPENINGS), inner)
    loops = st.builds("(?:{}){}".format, inner, st.sampled_from(QUANTIFIERS))
    captured_loops = st.builds("({}){}".format, inner, st.sampled_from(QUANTIFIERS))
    choices = st.builds("{}|{}".format, inner, inner)
    sequences = st.lists(inner, min_size=2, max_size=4).map("".join)
    return groups | loops | captured_loops | choices | sequences


patterns: st.SearchStrategy[str] = st.recursive(atoms(), grown, max_leaves=12)

Draw = Callable[[st.SearchStrategy[str]], str]


@st.composite
def structures(draw: Draw) -> str:
    """Patterns over two letters that are all groups, references and loops."""
    leaves = st.sampled_from(["a", "b", ".", "[ab]", "\\1", "\\2", "", "$", "^"])
    return draw(st.recursive(leaves, grown, max_leaves=14))
