"""Running the examples of a spec's graders, under the grader's own limits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from msgspec import Struct

from turngrade.adapters.cli.snippets import Snippet, snippet
from turngrade.core import Faulty, Grader, Hit, Spec, occurrences

Result: TypeAlias = Literal["passed", "failed", "error"]


class Example(Struct, frozen=True):
    """One text under a grader's ``examples``.

    Args:
        grader: The grader.
        kind: Whether the pattern must match it.
        index: Its place in the list.
        text: The text.
    """

    grader: Grader
    kind: Literal["match", "no_match"]
    index: int
    text: str

    @property
    def name(self) -> str:
        """``order-id::match[0]``."""
        return f"{self.grader.name}::{self.kind}[{self.index}]"


class Ran(Struct, frozen=True):
    """How an example went.

    Args:
        example: The example.
        result: ``error`` where the pattern is at fault, or matching hit a limit.
        why: What is wrong; empty where it passed.
        found: Where a text that must not match does.
    """

    example: Example
    result: Result
    why: str = ""
    found: Snippet | None = None


def examples_of(spec: Spec) -> Iterator[Example]:
    """All examples, in the order of the spec."""
    for grader in spec.graders:
        for index, text in enumerate(grader.examples.match):
            yield Example(grader, "match", index, text)
        for index, text in enumerate(grader.examples.no_match):
            yield Example(grader, "no_match", index, text)


def run_example(example: Example) -> Ran:
    """Run one example: does the pattern (with ``unless``) match, whatever ``negate`` says."""
    try:
        matches = example.grader.matches(example.text)
    except Faulty as error:
        fault = error.fault
        return Ran(
            example, "error", f"{fault.evidence}\n{fault.message}" if fault.message else fault.evidence
        )
    if matches == (example.kind == "match"):
        return Ran(example, "passed")
    if not matches:
        return Ran(example, "failed", "must match, and does not")
    return Ran(example, "failed", "must not match, and does", _where(example))


def _where(example: Example) -> Snippet | None:
    matches = occurrences(example.grader, example.text).matches
    if not matches:
        return None
    first = matches[0]
    return snippet(Hit(None, None, None, "text", first.start, first.end, first.text), example.text)
