"""What a hosted evaluator does with a run: the core's own grader, made from the exported config."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turngrade.adapters.langsmith.comments import comment_of
from turngrade.adapters.langsmith.convert import transcript_from_run
from turngrade.core.checks import Check, Finder, PatternCheck, Unless, ValuesCheck
from turngrade.core.dialect import Pattern
from turngrade.core.grader import Counts, Grader
from turngrade.core.models import Limits
from turngrade.core.notes import noted
from turngrade.core.output_key import with_output_key
from turngrade.core.substring import Substring
from turngrade.core.transcript import Transcript


def evaluate(config: Mapping[str, Any], run: Mapping[str, Any]) -> dict[str, Any]:
    """Grade a run with one grader.

    Args:
        config: What ``export_code`` wrote for the grader.
        run: The run as LangSmith hands it to a code evaluator.

    Returns:
        ``key``, ``score`` (true, false, or None for an error) and ``comment``.
    """
    transcript = _prepared(transcript_from_run(run), config)
    grader = grader_from(config)
    judged = grader.judge(transcript)
    verdict = noted(judged, transcript, output_key=config["output_key"], strict=config["strict"])
    score = None if verdict.status == "error" else verdict.passed
    comment = comment_of(verdict, transcript, grader.scope)
    return {"key": config["name"], "score": score, "comment": comment}


def grader_from(config: Mapping[str, Any]) -> Grader:
    """The grader of an exported config."""
    return Grader(
        config["name"],
        config["type"],
        config["where"],
        _check(config["check"]),
        negate=config["negate"],
        scope=config["scope"],
        select=config["select"],
        counts=Counts(**config["counts"]),
        limits=Limits(max_text_length=config["max_text_length"]),
        first_hit=config["first_hit"],
    )


def _check(config: Mapping[str, Any]) -> Check:
    if "shown" in config:
        return PatternCheck(_finder(config["finder"]), config["shown"])
    return ValuesCheck(tuple(config["values"]), tuple(map(_finder, config["finders"])), config["every"])


def _finder(config: Mapping[str, Any]) -> Finder:
    finder: Finder = _pattern(config) if "pattern" in config else Substring(config["needle"], config["case"])
    return Unless(finder, _pattern(config["unless"])) if "unless" in config else finder


def _pattern(config: Mapping[str, Any]) -> Pattern:
    return Pattern(config["pattern"], unicode=config["unicode"], sticky=config["sticky"])  # type: ignore[call-arg]


def _prepared(transcript: Transcript, config: Mapping[str, Any]) -> Transcript:
    if config["output_key"] is not None:
        transcript = with_output_key(transcript, config["output_key"])
    return transcript.without_thinking() if config["strip_thinking"] else transcript
