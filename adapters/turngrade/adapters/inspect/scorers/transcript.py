"""Scorers that test each assistant message of a run on its own."""

from typing import Any, Literal, TypeAlias

from inspect_ai.scorer import Scorer, accuracy, scorer, stderr

from turngrade.adapters.inspect.scorers.build import single_scorer
from turngrade.adapters.inspect.values import OnError
from turngrade.core import Scope

Select: TypeAlias = Literal["first", "last", "all"]
"""Which of the scope's messages are tested."""


@scorer(metrics=[accuracy(), stderr()])
def transcript_matches(
    pattern: str = "",
    *,
    negate: bool = False,
    scope: Scope = "run",
    select: Select = "all",
    min_matches: int | None = None,
    max_matches: int | None = None,
    unless: str | None = None,
    timeout: float = 5.0,
    on_error: OnError = "incorrect",
    strict: bool = False,
) -> Scorer:
    """Scorer which checks whether some assistant message matches a regex.

    Every message said by an assistant during the run is searched on its own: those of sub-agents, and those
    that were later edited, compacted or removed, too.

    Args:
       pattern: JavaScript regular expression. It is searched for, so anchor it with `^` and `$` to cover a
          whole message. A leading `(?i)`, `(?m)`, `(?s)` or a combination sets flags.
       negate: Score correct when no message matches.
       scope: Messages to search. "run" is everything said during the run; "conversation" is the final main
          conversation; "model-calls" is "run" plus every other model output, such as guards and summarizers.
       select: Search only the "first" or the "last" message of the scope, or "all".
       min_matches: At least so many messages must match (1, or 0 if `max_matches` is given).
       max_matches: At most so many messages may match.
       unless: Pattern whose matches excuse: a hit that overlaps one of them does not count.
       timeout: Seconds for one sample; a search that takes longer is an error.
       on_error: What an error counts as: an answer that is "incorrect", or a sample that is "unscored".
       strict: Refuse an invalid pattern at once, and treat a transcript that is known to be incomplete as
          an error.
    """
    config = {"pattern": pattern, **_messages(negate, scope, select, min_matches, max_matches, unless)}
    return single_scorer("transcript-matches", config, timeout=timeout, on_error=on_error, strict=strict)


@scorer(metrics=[accuracy(), stderr()])
def transcript_not_matches(
    pattern: str = "",
    *,
    negate: bool = True,
    scope: Scope = "run",
    select: Select = "all",
    unless: str | None = None,
    timeout: float = 5.0,
    on_error: OnError = "incorrect",
    strict: bool = False,
) -> Scorer:
    """Scorer which checks that no assistant message matches a regex.

    A run without any assistant message scores incorrect.

    Args:
       pattern: JavaScript regular expression, searched for in each message. A leading `(?i)`, `(?m)`, `(?s)`
          or a combination sets flags.
       negate: Always True; part of the grader's config.
       scope: Messages to search. "run" is everything said during the run; "conversation" is the final main
          conversation; "model-calls" is "run" plus every other model output, such as guards and summarizers.
       select: Search only the "first" or the "last" message of the scope, or "all".
       unless: Pattern whose matches excuse: a hit that overlaps one of them does not count.
       timeout: Seconds for one sample; a search that takes longer is an error.
       on_error: What an error counts as: an answer that is "incorrect", or a sample that is "unscored".
       strict: Refuse an invalid pattern at once, and treat a transcript that is known to be incomplete as
          an error.
    """
    config = {"pattern": pattern, **_messages(negate, scope, select, None, None, unless)}
    return single_scorer("transcript-not-matches", config, timeout=timeout, on_error=on_error, strict=strict)


@scorer(metrics=[accuracy(), stderr()])
def transcript_contains(
    substring: str = "",
    *,
    case_sensitive: bool = False,
    negate: bool = False,
    scope: Scope = "run",
    select: Select = "all",
    min_matches: int | None = None,
    max_matches: int | None = None,
    unless: str | None = None,
    timeout: float = 5.0,
    on_error: OnError = "incorrect",
    strict: bool = False,
) -> Scorer:
    """Scorer which checks whether some assistant message contains a text.

    Args:
       substring: Text to look for.
       case_sensitive: Whether upper and lower case differ.
       negate: Score correct when no message contains it.
       scope: Messages to search. "run" is everything said during the run; "conversation" is the final main
          conversation; "model-calls" is "run" plus every other model output, such as guards and summarizers.
       select: Search only the "first" or the "last" message of the scope, or "all".
       min_matches: At least so many messages must contain it (1, or 0 if `max_matches` is given).
       max_matches: At most so many messages may contain it.
       unless: Pattern whose matches excuse: a hit that overlaps one of them does not count.
       timeout: Seconds for one sample; a search that takes longer is an error.
       on_error: What an error counts as: an answer that is "incorrect", or a sample that is "unscored".
       strict: Treat a transcript that is known to be incomplete as an error.
    """
    config = {
        "substring": substring,
        "case_sensitive": case_sensitive,
        **_messages(negate, scope, select, min_matches, max_matches, unless),
    }
    return single_scorer("transcript-contains", config, timeout=timeout, on_error=on_error, strict=strict)


@scorer(metrics=[accuracy(), stderr()])
def transcript_not_contains(
    substring: str = "",
    *,
    case_sensitive: bool = False,
    negate: bool = True,
    scope: Scope = "run",
    select: Select = "all",
    unless: str | None = None,
    timeout: float = 5.0,
    on_error: OnError = "incorrect",
    strict: bool = False,
) -> Scorer:
    """Scorer which checks that no assistant message contains a text.

    A run without any assistant message scores incorrect.

    Args:
       substring: Text to look for.
       case_sensitive: Whether upper and lower case differ.
       negate: Always True; part of the grader's config.
       scope: Messages to search. "run" is everything said during the run; "conversation" is the final main
          conversation; "model-calls" is "run" plus every other model output, such as guards and summarizers.
       select: Search only the "first" or the "last" message of the scope, or "all".
       unless: Pattern whose matches excuse: a hit that overlaps one of them does not count.
       timeout: Seconds for one sample; a search that takes longer is an error.
       on_error: What an error counts as: an answer that is "incorrect", or a sample that is "unscored".
       strict: Treat a transcript that is known to be incomplete as an error.
    """
    config = {
        "substring": substring,
        "case_sensitive": case_sensitive,
        **_messages(negate, scope, select, None, None, unless),
    }
    return single_scorer("transcript-not-contains", config, timeout=timeout, on_error=on_error, strict=strict)


def _messages(
    negate: bool,
    scope: Scope,
    select: Select,
    min_matches: int | None,
    max_matches: int | None,
    unless: str | None,
) -> dict[str, Any]:
    """The config keys that all graders of messages share."""
    return {
        "negate": negate,
        "scope": scope,
        "select": select,
        "min_matches": min_matches,
        "max_matches": max_matches,
        "unless": unless,
    }
