"""Gives the same texts and patterns to other tools, and writes the table of docs/comparison.md.

    python -m tests.benchmarks.compare_tools --promptfoo PATH/node_modules/.bin/promptfoo

Each answer comes from a process of its own, which is ended after half a minute. Inspect and Scout are in the
``dev`` extra; promptfoo is an npm package.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from turngrade.adapters.cli.outputs.markdown import code

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "comparison.md"
BEGIN, END = "<!-- runs: begin -->\n", "<!-- runs: end -->\n"
SECONDS = 30
FOUND, NOT_FOUND, ERROR, NONE = "found", "not found", "error", f"no answer in {SECONDS} s"
PASSES, FAILS, CANNOT = "passes", "fails", "cannot negate"


@dataclass(frozen=True)
class Case:
    """A pattern, and a conversation in which to look for it.

    Args:
        what: What the case is about.
        pattern: The pattern; every tool is told to heed upper and lower case.
        turns: What the assistant says; the last is the final output.
        user: What the user says before it.
        negate: Whether the pattern must not be found; then the answer is whether the check passes.
    """

    what: str
    pattern: str
    turns: tuple[str, ...]
    user: str = "Hello."
    negate: bool = False


CASES = (
    Case("an order id in the answer", r"\bORD-\d{8}\b", ("Your order ORD-20481937 is on its way.",)),
    Case("in an earlier turn", r"\bpromise\b", ("I promise you a refund.", "Our team decides tomorrow.")),
    Case(
        "only the user says it", r"\bpromise\b", ("Our team decides.",), user="Can you promise me a refund?"
    ),
    Case("flags in front", r"(?i)\bpromise\b", ("I PROMISE you a refund.",)),
    Case("a named group of JavaScript", r"(?<id>ORD-\d{8})", ("Your order ORD-20481937 is on its way.",)),
    Case("a named group of Python", r"(?P<id>ORD-\d{8})", ("Your order ORD-20481937 is on its way.",)),
    Case("`\\d` and the digits of other scripts", r"\d{4}", ("Since ٢٠٢٥.",)),
    Case("a pattern that backtracks without end", r"(?:\w+\s?)+$", ("word " * 12 + "!",)),
    Case("a pattern with a syntax error", r"(promise", ("I promise you a refund.",)),
    Case("must not be found, in an empty answer", r"\bpromise\b", ("",), negate=True),
)


def by_turngrade(case: Case) -> str:
    from turngrade.core import Transcript, load_spec

    kind = "output-not-matches" if case.negate else "transcript-matches"
    spec = load_spec([{"type": kind, "config": {"pattern": case.pattern}}])
    [verdict] = spec.grade(Transcript.from_texts(list(case.turns), output=case.turns[-1])).verdicts
    if case.negate:
        return PASSES if verdict.passed else FAILS
    return ERROR if verdict.status == "error" else FOUND if verdict.matched else NOT_FOUND


def by_inspect(case: Case) -> str:
    if case.negate:
        return CANNOT
    from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, ModelName, ModelOutput
    from inspect_ai.scorer import Target, pattern
    from inspect_ai.solver import TaskState

    state = TaskState(
        model=ModelName("mockllm/model"),
        sample_id=1,
        epoch=1,
        input=case.user,
        messages=[ChatMessageUser(content=case.user), *(ChatMessageAssistant(content=t) for t in case.turns)],
        output=ModelOutput.from_content("mockllm/model", case.turns[-1]),
    )
    score = asyncio.run(pattern(case.pattern, ignore_case=False)(state, Target("")))
    assert score is not None
    return NOT_FOUND if score.answer is None else FOUND


def by_scout(case: Case) -> str:
    if case.negate:
        return CANNOT
    from inspect_ai.model import ChatMessageAssistant, ChatMessageUser
    from inspect_scout import Result, Transcript, grep_scanner

    messages = [ChatMessageUser(content=case.user), *(ChatMessageAssistant(content=t) for t in case.turns)]
    scan = grep_scanner(case.pattern, regex=True, ignore_case=False)
    result: object = asyncio.run(scan(Transcript(transcript_id="1", messages=messages)))  # type: ignore[arg-type]
    assert isinstance(result, Result)
    return FOUND if result.value else NOT_FOUND


def by_promptfoo(case: Case) -> str:
    """With its own command and its provider ``echo``, which answers with the prompt."""
    kind = "not-regex" if case.negate else "regex"
    test = {"vars": {"text": case.turns[-1]}, "assert": [{"type": kind, "value": case.pattern}]}
    with tempfile.TemporaryDirectory() as folder:
        config, out = Path(folder, "config.json"), Path(folder, "out.json")
        config.write_text(json.dumps({"prompts": ["{{text}}"], "providers": ["echo"], "tests": [test]}))
        command = [
            os.environ["PROMPTFOO"],
            "eval",
            "-c",
            str(config),
            "--no-cache",
            "--no-write",
            "-o",
            str(out),
        ]
        quiet = {"PROMPTFOO_DISABLE_TELEMETRY": "1", "PROMPTFOO_DISABLE_UPDATE": "1"}
        env = {**os.environ, **quiet, "PROMPTFOO_CONFIG_DIR": folder}
        try:
            subprocess.run(command, env=env, capture_output=True, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return NONE
        [result] = json.loads(out.read_text("utf-8"))["results"]["results"]
    if "Invalid regex" in (result["gradingResult"] or {}).get("reason", ""):
        return ERROR
    if case.negate:
        return PASSES if result["success"] else FAILS
    return FOUND if result["success"] else NOT_FOUND


TOOLS: dict[str, Callable[[Case], str]] = {
    "turngrade": by_turngrade,
    "promptfoo `regex`": by_promptfoo,
    "Inspect `pattern`": by_inspect,
    "Scout `grep_scanner`": by_scout,
}


def answer(tool: str, case: Case) -> str:
    """What a tool says, from a process that is ended when it takes too long."""
    command = [sys.executable, "-m", "tests.benchmarks.compare_tools", "--tool", tool, "--case", case.what]
    try:
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS + 5, check=False
        )
    except subprocess.TimeoutExpired:
        return NONE
    if done.returncode:
        print(tool, done.stderr.strip().splitlines()[-1])
        return ERROR
    return done.stdout.strip()


def table() -> str:
    lines = [f"| case | pattern | {' | '.join(TOOLS)} |", "| --- | --- " + "| --- " * len(TOOLS) + "|"]
    for case in CASES:
        answers = [answer(tool, case) for tool in TOOLS]
        print(case.what, answers, flush=True)
        lines.append(f"| {case.what} | {code(case.pattern)} | {' | '.join(answers)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--promptfoo", help="the path of the command")
    parser.add_argument("--tool", choices=TOOLS)
    parser.add_argument("--case")
    args = parser.parse_args()
    if args.tool:
        [case] = [case for case in CASES if case.what == args.case]
        print(TOOLS[args.tool](case))
        return
    os.environ["PROMPTFOO"] = args.promptfoo
    head, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    PAGE.write_text(head + BEGIN + table() + END + rest.partition(END)[2], "utf-8")


if __name__ == "__main__":
    main()
