"""References that ignore case, beyond ASCII.

``regex`` compares a reference with ``i`` in ASCII letters only, because its own folding is not JavaScript's.
For the other letters the text is folded before it is searched: what differs in case only becomes the same
letter. No place in the text moves, and no set of the pattern can tell the letters apart.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from types import MappingProxyType

from turngrade.core.dialect.analysis import descendants
from turngrade.core.dialect.casefold import case_table, ignore_case
from turngrade.core.dialect.charset import contains
from turngrade.core.dialect.nodes import Assertion, BackReference, Char, CharSet, Ranges, Tree

Folding = Mapping[int, int]
"""A table for ``str.translate``."""


def reference_folding(tree: Tree) -> Folding | None:
    """How to fold a text before it is searched, or None if there is no need to.

    A text in ASCII never needs it. Where modifiers switch ``i`` off for a part of the pattern, letters that
    this part tells apart are left as they are; only there can a reference miss a letter in another case.
    """
    nodes = list(descendants(tree.root))
    if not any(isinstance(node, BackReference) and node.groups and node.ignore_case for node in nodes):
        return None
    sets = {node.ranges for node in nodes if isinstance(node, (Char, CharSet))}
    sets |= {node.words for node in nodes if isinstance(node, Assertion) and node.words}
    telling = [ranges for ranges in sets if ignore_case(ranges, tree.unicode) != ranges]
    everything = _folding(tree.unicode)
    return _without(everything, telling, tree.unicode) if telling else everything


def folder(folding: Folding) -> Callable[[str], str]:
    """What folds a text. Most texts have few letters that change: a table alone would look each one up."""
    if not folding:
        return str
    letters = re.compile(f"[{''.join(map(chr, folding))}]+")
    return lambda text: letters.sub(lambda run: run[0].translate(folding), text)


@cache
def _folding(unicode: bool) -> Folding:
    """The table for patterns that ignore case everywhere: all but ASCII becomes its first counterpart."""
    classes = case_table(unicode).classes
    folded = {code: others[0] for code, others in classes.items() if code >= 0x80}
    return MappingProxyType({code: to for code, to in folded.items() if code != to})


def _without(folding: Folding, telling: Iterable[Ranges], unicode: bool) -> Folding:
    """The table without the letters that one of the sets tells apart from their counterparts."""
    classes = case_table(unicode).classes
    told_apart = {
        others for others in set(classes.values()) if any(_splits(ranges, others) for ranges in telling)
    }
    return MappingProxyType({code: to for code, to in folding.items() if classes[code] not in told_apart})


def _splits(ranges: Ranges, others: tuple[int, ...]) -> bool:
    return len({contains(ranges, code) for code in others}) > 1
