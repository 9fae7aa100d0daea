"""What the report holds of each transcript, as plain data for its script."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from turngrade.adapters.cli.snippets import text_of
from turngrade.adapters.cli.wording import reason_of
from turngrade.core import AssistantMessage, Grade, Grader, Hit, Scope, Spec, Transcript, Verdict
from turngrade.core.dialect import utf16_length

OUTPUT = "output"


class Packer:
    """Turns grades into the data of the report.

    Args:
        spec: The spec whose grades they are.
    """

    def __init__(self, spec: Spec) -> None:
        self.graders: dict[str, Grader] = {grader.name: grader for grader in spec.graders}
        self.numbers: Mapping[str, int] = {name: number for number, name in enumerate(self.graders)}

    def columns(self) -> list[dict[str, Any]]:
        """The graders, in the order of the spec."""
        return [{"name": grader.name, "type": grader.type} for grader in self.graders.values()]

    def pack(self, grade: Grade, transcript: Transcript | None) -> dict[str, Any]:
        """The data of one transcript."""
        return {
            "source": grade.source,
            "id": grade.id,
            "epoch": grade.epoch,
            "status": grade.status,
            "score": grade.score,
            "error": grade.error,
            "verdicts": [self._verdict(verdict, transcript) for verdict in grade.verdicts],
            "texts": [] if transcript is None else list(self._texts(grade, transcript)),
        }

    def _verdict(self, verdict: Verdict, transcript: Transcript | None) -> dict[str, Any]:
        scope = self.graders[verdict.name].scope
        return {
            "grader": self.numbers[verdict.name],
            "status": verdict.status,
            "evidence": verdict.evidence,
            "why": reason_of(verdict.evidence, verdict.reason),
            "message": verdict.message,
            "hits": [place for hit in verdict.hits if (place := _place(hit, transcript, scope)) is not None],
        }

    def _texts(self, grade: Grade, transcript: Transcript) -> Iterator[dict[str, Any]]:
        """The texts that the graders test: the messages of each scope in use, then the final output."""
        used = [self.graders[verdict.name] for verdict in grade.verdicts]
        scopes: dict[Scope, None] = {grader.scope: None for grader in used if grader.where == "transcript"}
        for scope in scopes:
            suffix = f", scope {scope}" if len(scopes) > 1 else ""
            for message in transcript.in_scope(scope):
                yield from _message(message, scope, suffix)
        if transcript.output and any(grader.where == "output" for grader in used):
            yield {"key": OUTPUT, "title": "final output", "text": transcript.output}


def _message(message: AssistantMessage, scope: Scope, suffix: str) -> Iterator[dict[str, Any]]:
    agent = f" ({message.agent})" if message.agent else ""
    for field, text in message.texts():
        produced = ", as the model produced it" if field == "raw_text" else ""
        title = f"message {message.index}{agent}{produced}{suffix}"
        yield {"key": f"{scope} {message.index} {field}", "title": title, "text": text}


def _place(hit: Hit, transcript: Transcript | None, scope: Scope) -> dict[str, Any] | None:
    """A hit with its text's key; offsets in UTF-16 units, in which JavaScript counts."""
    text = None if transcript is None else text_of(hit, transcript, scope)
    if text is None:
        return None
    start = utf16_length(text[: hit.start])
    key = OUTPUT if hit.message_index is None else f"{scope} {hit.message_index} {hit.field}"
    return {"text": key, "start": start, "end": start + utf16_length(hit.match)}
