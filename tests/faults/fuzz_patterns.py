"""Fuzzes the parser, the translator and both engines, guided by coverage, with Node as the judge.

    python -m tests.faults.fuzz_patterns --minutes 60 --folder /tmp/fuzz --node PATH

Needs ``atheris`` (``pip install atheris``, with Python 3.11 also as a wheel) and a current Node, since older
ones do not know modifiers. The folder keeps the corpus, what was found and the counts, so that a second run
goes on where the first one stopped. Findings are asked about once more alone in a fresh Node, which has been
seen to change its mind in long runs, and Corvus, an engine of another make, is heard. Exit code 1 if anything
is wrong.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.dialect.node_judge import Case

LONGEST_INPUT = 200
HANG_SECONDS = 20
MEGABYTES = 1500
REPORT_EVERY = 500
SHORTEST = 2


def main() -> int:
    """Fuzz until the time is over, then judge the findings."""
    options = _options()
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.worker:
        fuzz(options)
        return 0
    stop = time.monotonic() + options.minutes * 60
    crashes = 0
    while (left := int(stop - time.monotonic())) > SHORTEST:
        crashes += bool(_work(options, left))
    return report(options, crashes)


def _work(options: argparse.Namespace, seconds: int) -> int:
    """One process of libFuzzer; it ends early only when something crashes or hangs."""
    command = [sys.executable, "-m", "tests.faults.fuzz_patterns", "--worker"]
    command += ["--folder", str(options.folder), "--node", options.node, "--minutes", str(seconds / 60)]
    with (options.folder / "log.txt").open("a") as log:
        code = subprocess.run(command, stdout=log, stderr=log, check=False).returncode
        print(f"exit code {code}", file=log)
    return code


def fuzz(options: argparse.Namespace) -> None:
    """Run libFuzzer in this process."""
    import atheris  # no wheel for every Python, so not among the tools for development

    with atheris.instrument_imports(include=["turngrade.core.dialect"]):
        from tests.dialect.node_judge import Judge
        from tests.faults import patterns_oracle as oracle
    folder: Path = options.folder
    corpus = folder / "corpus"
    corpus.mkdir(exist_ok=True)
    if not any(corpus.iterdir()):
        _sow(corpus)
    judge, counts = Judge(options.node, limit=oracle.LIMIT_MILLISECONDS), Counter[str]()
    seen = {json.loads(line)["finding"] for line in _lines(folder / "findings.jsonl")}
    counts_file = folder / f"counts-{time.time_ns()}.json"

    def one(data: bytes) -> None:
        case = oracle.case_of(data)
        finding = oracle.examine(case, judge, counts)
        counts["executions"] += 1
        if counts["executions"] % REPORT_EVERY == 0:
            counts_file.write_text(json.dumps(counts), encoding="utf-8")
        if finding is not None and finding not in seen:
            seen.add(finding)
            row = {"pattern": case.pattern, "flags": case.flags, "texts": case.texts, "finding": finding}
            with (folder / "findings.jsonl").open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")

    arguments = [
        f"-max_total_time={round(options.minutes * 60)}",
        f"-max_len={LONGEST_INPUT}",
        f"-timeout={HANG_SECONDS}",
        f"-rss_limit_mb={MEGABYTES}",
        f"-artifact_prefix={folder}/",
        "-len_control=10",
        "-use_value_profile=1",
    ]
    atheris.Setup([sys.argv[0], *arguments, str(corpus)], one)
    atheris.Fuzz()


def _sow(corpus: Path) -> None:
    """Start from the patterns that the suite has answers for."""
    from tests.faults import patterns_oracle as oracle

    golden = Path(__file__).parents[1] / "data" / "dialect" / "golden.jsonl"
    for number, line in enumerate(_lines(golden)):
        row = json.loads(line)
        if row["flags"] in oracle.FLAGS:
            data = oracle.bytes_of(row["pattern"], row["flags"], tuple(row.get("texts", ())[:2]))
            (corpus / f"golden-{number}").write_bytes(data[:LONGEST_INPUT])


def report(options: argparse.Namespace, crashes: int) -> int:
    """Print what came of it."""
    from tests.dialect.differential import Report, compare
    from tests.dialect.node_judge import Case

    counts = Counter[str]()
    for file in options.folder.glob("counts-*.json"):
        counts.update(json.loads(file.read_text(encoding="utf-8")))
    judged = Report()
    rows = [json.loads(line) for line in _lines(options.folder / "findings.jsonl")]
    for row in rows:
        case: Case = Case(row["pattern"], row["flags"], tuple(row["texts"]))
        if (still := _again(case, options.node)) is None:
            judged.counts["only wrong in a long run of V8"] += 1
        elif "Traceback" in still or "linear engine" in still:
            judged.differences.append(f"wrong {case.pattern!r} {case.flags!r}: {still}")
            judged.counts["wrong"] += 1
        else:
            compare([case], options.node, judged)
    for line in judged.differences:
        print(line)
    counts.update({name: number for name, number in judged.counts.items() if name in _JUDGED})
    counts["corpus"] = len(list((options.folder / "corpus").iterdir()))
    counts["crashes and hangs"] = crashes
    print(json.dumps(counts, sort_keys=True))
    return 1 if crashes or judged.counts["wrong"] else 0


_JUDGED = ("wrong", "disputed", "only wrong in a long run of V8")


def _again(case: Case, node: str) -> str | None:
    """What is wrong with a case that is judged alone."""
    from tests.dialect.node_judge import Judge
    from tests.faults.patterns_oracle import examine

    with Judge(node) as judge:
        return examine(case, judge, Counter())


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=60.0, help="how long to fuzz")
    parser.add_argument("--folder", type=Path, required=True, help="for the corpus and the findings")
    parser.add_argument("--node", default="node", help="the Node to ask")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
