"""The page that ``turngrade explain`` prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from turngrade.adapters.cli.explaining import Said, steps, tested
from turngrade.adapters.cli.marking import marks_of, parts_of
from turngrade.adapters.cli.redaction import Redactor
from turngrade.adapters.cli.table import HIT_STYLE, STYLES
from turngrade.adapters.cli.terminal import is_styled, marks_for, visible
from turngrade.adapters.cli.wording import name_of
from turngrade.core import Grade, Grader, Match, Transcript, Verdict

if TYPE_CHECKING:
    from rich.console import Console
    from rich.padding import Padding


class Judged(Struct, frozen=True):
    """A grader with its verdict and the texts that it tested."""

    number: int
    grader: Grader
    verdict: Verdict
    said: list[Said]


def print_explanation(
    grade: Grade,
    transcript: Transcript,
    graders: Sequence[Grader],
    context: int,
    console: Console,
    redactor: Redactor | None = None,
) -> None:
    """Print why each verdict is what it is, and the transcript with every hit.

    Args:
        grade: The grade.
        transcript: The transcript as it was graded.
        graders: The graders to explain, of those that gave the verdicts.
        context: Characters that are shown around each hit.
        console: Where to print.
        redactor: Takes what graders find out of the texts that are shown.
    """
    page = _Page(console, context)
    judged = [
        Judged(number, grader, grade[grader.name], tested(grader, transcript))
        for number, grader in enumerate(graders, start=1)
    ]
    page.head(grade, transcript)
    for one in judged:
        page.decision(one, transcript)
    if redactor is not None:
        judged = [
            structs.replace(one, said=[_redacted(said, redactor) for said in one.said]) for one in judged
        ]
    page.texts(judged, transcript)


class _Page:
    def __init__(self, console: Console, context: int) -> None:
        self.console = console
        self.context = context
        self.marks = marks_for(console)
        self.styled = is_styled(console)

    def head(self, grade: Grade, transcript: Transcript) -> None:
        self.line(f"{name_of(grade)}  {grade.source or ''}".strip(), style="bold")
        self.line(
            f"{self.marks.of(grade.status)} {grade.status}, score {grade.score:.2f}", STYLES[grade.status]
        )
        if transcript.incomplete is not None:
            self.line(f"the transcript is incomplete: {transcript.incomplete}", STYLES["error"])

    def decision(self, judged: Judged, transcript: Transcript) -> None:
        verdict = judged.verdict
        self.console.print()
        sign = self.marks.of(verdict.status)
        self.line(f"{sign} [{judged.number}] {verdict.name} ({verdict.type})", STYLES[verdict.status])
        self.line(verdict.evidence, indent=4)
        if verdict.message is not None:
            self.line(verdict.message, indent=4)
        for step in steps(judged.grader, transcript, verdict, judged.said):
            self.line(f"- {step}", indent=4)

    def texts(self, judged: list[Judged], transcript: Transcript) -> None:
        for title, wanted in _sections(judged, transcript):
            self.console.print()
            self.rule(title)
            for said in _distinct(wanted):
                self.text(said, [one for one in wanted if any(_same(said, other) for other in one.said)])

    def text(self, said: Said, judged: list[Judged]) -> None:
        found = [(one.number, other.matches) for one in judged for other in one.said if _same(said, other)]
        agent = f" ({said.message.agent})" if said.message is not None and said.message.agent else ""
        field = ", as the model produced it" if said.field == "raw_text" else ""
        self.line(f"{said.place}{agent}{field}", style="bold cyan")
        self.console.print(self.marked(said.text, found), soft_wrap=False)

    def marked(self, text: str, found: list[tuple[int, tuple[Match, ...]]]) -> Padding:
        from rich.padding import Padding
        from rich.text import Text

        shown = Text()
        for part in parts_of(text, marks_of(found), self.context):
            body = visible(part.text, newline="\n")
            if part.cut:
                shown.append(f"{self.marks.cut}({part.cut:,} characters){self.marks.cut}", style="dim")
            elif not part.graders:
                shown.append(body)
            elif self.styled and body:
                shown.append(body, style=HIT_STYLE)
            else:
                shown.append(f"{self.marks.before_hit}{body}{self.marks.after_hit}")
            if part.graders:
                shown.append(f"[{','.join(map(str, part.graders))}]", style="dim")
        if not text:
            shown.append("(no text)", style="dim")
        return Padding(shown, (0, 0, 0, 2))

    def rule(self, title: str) -> None:
        from rich.rule import Rule
        from rich.text import Text

        characters = "─" if self.marks.full == "█" else "-"
        self.console.print(Rule(Text(title), align="left", style="dim", characters=characters))

    def line(self, text: str, style: str = "", indent: int = 0) -> None:
        from rich.padding import Padding
        from rich.text import Text

        self.console.print(Padding(Text(visible(text, newline="\n"), style=style), (0, 0, 0, indent)))


def _redacted(said: Said, redactor: Redactor) -> Said:
    """The same without what graders find in it; the marks stand where the placeholders do."""
    new = redactor.redacted(said.text)
    spans = [new.span(match.start, match.end) for match in said.matches]
    matches = tuple(Match(start, end, new.text[start:end], ()) for start, end in spans)
    message = said.message
    if message is not None and message.agent is not None:
        message = replace(message, agent=redactor.redacted(message.agent).text)
    return structs.replace(said, message=message, text=new.text, matches=matches)


def _sections(judged: list[Judged], transcript: Transcript) -> Iterator[tuple[str, list[Judged]]]:
    """The lists of texts that the graders test, each with its title and graders."""
    scopes = dict.fromkeys(one.grader.scope for one in judged if one.grader.where == "transcript")
    for scope in scopes:
        wanted = [one for one in judged if one.grader.where == "transcript" and one.grader.scope == scope]
        yield f"assistant messages, scope {scope}", wanted
    if wanted := [one for one in judged if one.grader.where == "output"]:
        yield "final output", wanted


def _distinct(judged: list[Judged]) -> list[Said]:
    """The texts of several graders, each once, in their order."""
    texts = {
        (said.message.index if said.message else -1, said.field): said for one in judged for said in one.said
    }
    return [texts[key] for key in sorted(texts, key=lambda key: (key[0], key[1] == "raw_text"))]


def _same(one: Said, other: Said) -> bool:
    return (one.place, one.field) == (other.place, other.field)
