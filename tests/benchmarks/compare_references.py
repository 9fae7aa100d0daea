"""Gives the same answers to openevals, with a reference, and writes its table of docs/comparison.md.

    python -m tests.benchmarks.compare_references --openevals PATH/bin/python

The path is that of a Python in whose environment openevals is installed: it brings a lot with it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from dataclasses import asdict, dataclass

from tests.benchmarks.compare_tools import FOUND, NOT_FOUND, PAGE, Case, by_turngrade

from turngrade.adapters.cli.outputs.markdown import code

BEGIN, END = "<!-- references: begin -->\n", "<!-- references: end -->\n"
TOOLS = ("turngrade", "`exact_match`", "`levenshtein_distance`", "trajectory match, `strict`")

IN_OPENEVALS = """
import json, sys
from openevals.exact import exact_match
from openevals.string.levenshtein import levenshtein_distance
from openevals.trajectory.match import create_trajectory_match_evaluator

strict = create_trajectory_match_evaluator(trajectory_match_mode="strict")

def conversation(text):
    return [{"role": "user", "content": "Hello."}, {"role": "assistant", "content": text}]

for case in json.load(sys.stdin):
    said, reference = case["said"], case["reference"]
    pair = {"outputs": said, "reference_outputs": reference}
    messages = {"outputs": conversation(said), "reference_outputs": conversation(reference)}
    print(json.dumps([exact_match(**pair)["score"], levenshtein_distance(**pair)["score"],
                      strict(**messages)["score"]]))
"""


@dataclass(frozen=True)
class Pair:
    """An answer, the reference for it, and the pattern that would be written instead."""

    said: str
    reference: str
    pattern: str


PAIRS = (
    Pair(
        "Your order ORD-20481937 is on its way.",
        "Your order ORD-20481937 is on its way.",
        r"\bORD-\d{8}\b",
    ),
    Pair(
        "Your order ORD-20481937 is on its way.",
        "Your order ORD-55501234 is on its way.",
        r"\bORD-\d{8}\b",
    ),
    Pair("It is on its way: ORD-20481937.", "Your order ORD-20481937 is on its way.", r"\bORD-\d{8}\b"),
    Pair("I promise you a refund.", "I cannot promise you a refund.", r"\bI promise\b"),
    Pair("I cannot promise you a refund.", "I cannot promise you a refund.", r"\bI promise\b"),
    Pair("You will get your money back.", "I cannot promise you a refund.", r"\bI promise\b"),
)


def by_openevals(python: str) -> list[list[str]]:
    """What its three evaluators say of each pair."""
    pairs = json.dumps([asdict(pair) for pair in PAIRS])
    done = subprocess.run(
        [python, "-c", IN_OPENEVALS], input=pairs, capture_output=True, text=True, timeout=300, check=True
    )
    scores = [json.loads(line) for line in done.stdout.splitlines()]
    return [[str(exact), f"{distance:.2f}", str(strict)] for exact, distance, strict in scores]


def row(pair: Pair, others: list[str]) -> str:
    """A line of the table."""
    found = by_turngrade(Case("", pair.pattern, (pair.said,)))
    assert found in (FOUND, NOT_FOUND)
    return f"| {pair.said} | {pair.reference} | {code(pair.pattern)}: {found} | {' | '.join(others)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--openevals", required=True, help="the path of a Python that has it")
    python: str = parser.parse_args().openevals
    lines = [f"| said | reference | {' | '.join(TOOLS)} |", "| --- | --- " + "| --- " * len(TOOLS) + "|"]
    lines += [row(pair, others) for pair, others in zip(PAIRS, by_openevals(python), strict=True)]
    head, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    PAGE.write_text(head + BEGIN + "\n".join(lines) + "\n" + END + rest.partition(END)[2], "utf-8")


if __name__ == "__main__":
    main()
