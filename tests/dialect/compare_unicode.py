"""Compares properties and case folding with a live Node, character by character.

    NODE=…/node python -m tests.dialect.compare_unicode

Prints each property whose characters differ, with the characters, and each letter whose counterparts differ.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable

from tests.dialect.node_judge import find_node

from turngrade.core.dialect.casefold import case_table
from turngrade.core.dialect.charset import difference
from turngrade.core.dialect.nodes import Ranges
from turngrade.core.dialect.properties import property_names, property_ranges

PROPERTIES_OF_NODE = r"""
const all = []; for (let c = 0; c <= 0x10ffff; c++) all.push(String.fromCodePoint(c));
const out = {};
for (const name of JSON.parse(require('fs').readFileSync(0, 'utf8'))) {
  const test = new RegExp(`^\\p{${name}}$`, 'u'); const ranges = [];
  for (let c = 0; c <= 0x10ffff; c++) {
    if (!test.test(all[c])) continue;
    if (ranges.length && ranges.at(-1)[1] === c - 1) ranges.at(-1)[1] = c; else ranges.push([c, c]);
  }
  out[name] = ranges;
}
console.log(JSON.stringify(out));
"""
CASES_OF_NODE = r"""
const out = [];
for (const [flags, classes] of JSON.parse(require('fs').readFileSync(0, 'utf8'))) {
  const codes = classes.flat();
  for (const others of classes) for (const code of others) {
    const escaped = '\\u' + (flags === 'iu' ? `{${code.toString(16)}}` : code.toString(16).padStart(4, '0'));
    const test = new RegExp(`^${escaped}$`, flags);
    const found = codes.filter((other) => test.test(String.fromCodePoint(other)));
    if (found.join() !== others.join()) out.push([flags, code, others, found]);
  }
}
console.log(JSON.stringify(out));
"""


def main() -> int:
    """Compares, and tells by the exit code whether all is the same."""
    names = list(property_names().values())
    names += [name.replace("Script=", "scx=") for name in names if name.startswith("Script=")]
    differing = 0
    for name, theirs in ask_node(PROPERTIES_OF_NODE, names).items():
        before, _, value = name.rpartition("=")
        ours = property_ranges(before or value, value if before else None)
        differing += report(name, ours, tuple((low, high) for low, high in theirs))
    for line in ask_node(CASES_OF_NODE, [["i", classes(False)], ["iu", classes(True)]]):
        print("case", line)
        differing += 1
    return 1 if differing else 0


def ask_node(script: str, question: object) -> dict[str, list[list[int]]]:
    """What the script prints when it is asked."""
    command = [find_node(), "--max-old-space-size=4096", "-e", script]
    answer = subprocess.run(
        command, input=json.dumps(question), capture_output=True, check=True, encoding="utf-8"
    )
    found: dict[str, list[list[int]]] = json.loads(answer.stdout)
    return found


def classes(unicode: bool) -> list[tuple[int, ...]]:
    """All sets of letters that are the same but for their case."""
    return sorted(set(case_table(unicode).classes.values()))


def report(name: str, ours: Ranges | None, theirs: Ranges) -> bool:
    """Prints the difference between two sets."""
    if ours == theirs:
        return False
    if ours is None:
        print(f"{name}: unknown")
        return True
    print(f"{name}: ours only {shown(difference(ours, theirs))}; V8 only {shown(difference(theirs, ours))}")
    return True


def shown(ranges: Iterable[tuple[int, int]]) -> str:
    """Ranges in hexadecimal."""
    return " ".join(f"{low:X}" if low == high else f"{low:X}-{high:X}" for low, high in ranges) or "nothing"


if __name__ == "__main__":
    sys.exit(main())
