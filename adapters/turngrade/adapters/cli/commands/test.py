"""``turngrade test``: run the examples of a spec's graders."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator

import click

from turngrade.adapters.cli.exampling import Ran, examples_of, run_example
from turngrade.adapters.cli.exit_codes import Exit
from turngrade.adapters.cli.file_name import FILE
from turngrade.adapters.cli.specs import load, tell_problems
from turngrade.adapters.cli.terminal import make_console, marks_for, visible
from turngrade.adapters.cli.verbs import VERBS
from turngrade.adapters.cli.wording import plural
from turngrade.core import Grader, Spec

HELP = f"""{VERBS["test"]}

Under a grader's config, examples: lists texts that its pattern must match, and
texts that it must not (no_match), whatever negate says. They run under the
limits of the spec, as grading does.
"""

EXAMPLES = """\b
Examples:
  turngrade test spec.yaml
  turngrade test graders/*.yaml -k order-id --verbose

\b
Exit codes: 0 all passed, 1 some failed, 3 a pattern is at fault or hit a
limit, 4 bad usage or spec, 5 no examples.
"""

SHOWN = 400
"""Characters of a text that did not do as it should."""

SIGNS = {"passed": ".", "failed": "F", "error": "E"}


@click.command("test", help=HELP, epilog=EXAMPLES, short_help=VERBS["test"])
@click.argument("specs", type=FILE, nargs=-1, required=True, metavar="SPEC...")
@click.option("-k", "part", metavar="TEXT", help="Only examples with TEXT in SPEC::GRADER::match[N].")
@click.option("-v", "--verbose", is_flag=True, help="A line for each example.")
def command(specs: tuple[str, ...], part: str | None, verbose: bool) -> int:
    """Run the examples of each spec."""
    begun = time.monotonic()
    loaded = {name: load(name) for name in specs}
    for name, spec in loaded.items():
        tell_problems(name, spec)
    report = _Report(verbose)
    for name, spec in loaded.items():
        report.begin(name)
        for example in examples_of(spec):
            if part is None or part.lower() in f"{name}::{example.name}".lower():
                report.add(name, run_example(example))
        report.end(name)
    report.failures()
    report.summary(loaded.values(), time.monotonic() - begun)
    if any(spec.problems() for spec in loaded.values()):
        return Exit.ERROR
    return report.exit_code()


class _Report:
    """Says how the examples go, as pytest does."""

    def __init__(self, verbose: bool) -> None:
        self.verbose = verbose
        self.marks = marks_for(make_console(sys.stdout))
        self.counts: Counter[str] = Counter()
        self.wrong: list[tuple[str, Ran]] = []
        self.ran = 0

    def begin(self, name: str) -> None:
        self.ran = 0

    def add(self, name: str, ran: Ran) -> None:
        self.counts[ran.result] += 1
        if ran.result != "passed":
            self.wrong.append((name, ran))
        if self.verbose:
            click.echo(f"{visible(f'{name}::{ran.example.name}')} {ran.result.upper()}")
        elif self.ran == 0:
            click.echo(f"{visible(name)} {SIGNS[ran.result]}", nl=False)
        else:
            click.echo(SIGNS[ran.result], nl=False)
        self.ran += 1

    def end(self, name: str) -> None:
        if self.ran and not self.verbose:
            click.echo()

    def failures(self) -> None:
        for name, ran in self.wrong:
            click.echo(f"\n{visible(f'{name}::{ran.example.name}')} {ran.result.upper()}")
            for line in self.details(ran):
                click.echo(f"    {line}")

    def details(self, ran: Ran) -> Iterator[str]:
        yield from visible(ran.why, newline="\n").splitlines()
        text = ran.example.text
        cut = self.marks.cut if len(text) > SHOWN else ""
        if ran.found is None:
            yield f"text: {visible(text[:SHOWN])}{cut}"
        else:
            short = ran.found.cropped(SHOWN // 2)
            hit = f"{self.marks.before_hit}{short.hit}{self.marks.after_hit}"
            yield f"text: {short.before}{hit}{short.after}"

    def summary(self, specs: Iterable[Spec], seconds: float) -> None:
        counts = self.counts
        parts = [f"{counts['passed']} passed", f"{counts['failed']} failed"]
        parts += [plural(counts["error"], "error")] if counts["error"] else []
        bare = sum(not _has_examples(grader) for spec in specs for grader in spec.graders)
        note = f"; {plural(bare, 'grader')} without examples" if bare else ""
        click.echo(f"{', '.join(parts)} in {seconds:.2f} s{note}", err=True)

    def exit_code(self) -> Exit:
        if self.counts["error"]:
            return Exit.ERROR
        if not self.counts:
            return Exit.NOTHING_GRADED
        return Exit.FAILED if self.counts["failed"] else Exit.PASSED


def _has_examples(grader: Grader) -> bool:
    return bool(grader.examples.match or grader.examples.no_match)
