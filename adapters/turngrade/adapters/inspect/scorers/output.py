"""Scorers that test the final output, `state.output.completion`."""

from typing import Literal

from inspect_ai.scorer import Scorer, accuracy, scorer, stderr

from turngrade.adapters.inspect.scorers.build import single_scorer
from turngrade.adapters.inspect.values import OnError


@scorer(metrics=[accuracy(), stderr()])
def output_matches(
    pattern: str = "",
    *,
    negate: bool = False,
    unless: str | None = None,
    timeout: float = 5.0,
    on_error: OnError = "incorrect",
    strict: bool = False,
) -> Scorer:
    """Scorer which checks whether the model output matches a regex.

    Args:
       pattern: JavaScript regular expression. It is searched for, so anchor it with `^` and `$` to cover the
          whole output. A leading `(?i)`, `(?m)`, `(?s)` or a combination sets flags.
       negate: Score correct when the output does not match. Without output it is incorrect.
       unless: Pattern whose matches excuse: a hit that overlaps one of them does not count.
       timeout: Seconds for one sample; a search that takes longer is an error.
       on_error: What an error counts as: an answer that is "incorrect", or a sample that is "unscored".
       strict: Refuse an invalid pattern at once, and treat a transcript that is known to be incomplete as
          an error.
    """
    config = {"pattern": pattern, "negate": negate, "unless": unless}
    return single_scorer("output-matches", config, timeout=timeout, on_error=on_error, strict=strict)


@scorer(metrics=[accuracy(), stderr()])
def output_not_matches(
    pattern: str = "",
    *,
    negate: bool = True,
    unless: str | None = None,
    timeout: float = 5.0,
    on_error: OnError = "incorrect",
    strict: bool = False,
) -> Scorer:
    """Scorer which checks that the model output does not match a regex.

    No output at all scores incorrect.

    Args:
       pattern: JavaScript regular expression, searched for in the output. A leading `(?i)`, `(?m)`, `(?s)` or
          a combination sets flags.
       negate: Always True; part of the grader's config.
       unless: Pattern whose matches excuse: a hit that overlaps one of them does not count.
       timeout: Seconds for one sample; a search that takes longer is an error.
       on_error: What an error counts as: an answer that is "incorrect", or a sample that is "unscored".
       strict: Refuse an invalid pattern at once, and treat a transcript that is known to be incomplete as
          an error.
    """
    config = {"pattern": pattern, "negate": negate, "unless": unless}
    return single_scorer("output-not-matches", config, timeout=timeout, on_error=on_error, strict=strict)


@scorer(metrics=[accuracy(), stderr()])
def output_contains(
    substring: str = "",
    *,
    case_sensitive: bool = False,
    negate: bool = False,
    unless: str | None = None,
    timeout: float = 5.0,
    on_error: OnError = "incorrect",
    strict: bool = False,
) -> Scorer:
    """Scorer which checks whether the model output contains a text.

    Unlike `includes()`, it looks for a text of its own, not for the sample's target.

    Args:
       substring: Text to look for.
       case_sensitive: Whether upper and lower case differ.
       negate: Score correct when the output does not contain it. Without output it is incorrect.
       unless: Pattern whose matches excuse: a hit that overlaps one of them does not count.
       timeout: Seconds for one sample; a search that takes longer is an error.
       on_error: What an error counts as: an answer that is "incorrect", or a sample that is "unscored".
       strict: Treat a transcript that is known to be incomplete as an error.
    """
    config = {
        "substring": substring,
        "case_sensitive": case_sensitive,
        "negate": negate,
        "unless": unless,
    }
    return single_scorer("output-contains", config, timeout=timeout, on_error=on_error, strict=strict)


@scorer(metrics=[accuracy(), stderr()])
def output_not_contains(
    substring: str = "",
    *,
    case_sensitive: bool = False,
    negate: bool = True,
    unless: str | None = None,
    timeout: float = 5.0,
    on_error: OnError = "incorrect",
    strict: bool = False,
) -> Scorer:
    """Scorer which checks that the model output does not contain a text.

    No output at all scores incorrect.

    Args:
       substring: Text to look for.
       case_sensitive: Whether upper and lower case differ.
       negate: Always True; part of the grader's config.
       unless: Pattern whose matches excuse: a hit that overlaps one of them does not count.
       timeout: Seconds for one sample; a search that takes longer is an error.
       on_error: What an error counts as: an answer that is "incorrect", or a sample that is "unscored".
       strict: Treat a transcript that is known to be incomplete as an error.
    """
    config = {
        "substring": substring,
        "case_sensitive": case_sensitive,
        "negate": negate,
        "unless": unless,
    }
    return single_scorer("output-not-contains", config, timeout=timeout, on_error=on_error, strict=strict)


@scorer(metrics=[accuracy(), stderr()])
def regex_match(
    pattern: str = "",
    *,
    flags: str = "i",
    negate: bool = False,
    unless: str | None = None,
    timeout: float = 5.0,
    on_error: OnError = "incorrect",
    strict: bool = False,
) -> Scorer:
    """Scorer which checks whether the model output matches a regex, with JavaScript's flags beside it.

    The same as 2signal's Regex Match. Unlike `output_matches()`, it ignores case by default.

    Args:
       pattern: JavaScript regular expression, without a leading `(?i)`.
       flags: JavaScript's flags; "" is case-sensitive.
       negate: Score correct when the output does not match. Without output it is incorrect.
       unless: Pattern whose matches excuse: a hit that overlaps one of them does not count.
       timeout: Seconds for one sample; a search that takes longer is an error.
       on_error: What an error counts as: an answer that is "incorrect", or a sample that is "unscored".
       strict: Refuse an invalid pattern at once, and treat a transcript that is known to be incomplete as
          an error.
    """
    config = {"pattern": pattern, "flags": flags, "negate": negate, "unless": unless}
    return single_scorer("regex-match", config, timeout=timeout, on_error=on_error, strict=strict)


@scorer(metrics=[accuracy(), stderr()])
def contains(
    value: str | list[str] = "",
    *,
    mode: Literal["any", "all"] = "any",
    case_sensitive: bool = False,
    negate: bool = False,
    unless: str | None = None,
    timeout: float = 5.0,
    on_error: OnError = "incorrect",
    strict: bool = False,
) -> Scorer:
    """Scorer which checks whether the model output contains any, or all, of several texts.

    The same as 2signal's Contains.

    Args:
       value: Text to look for, or several.
       mode: Whether "any" of them is enough, or "all" must be there.
       case_sensitive: Whether upper and lower case differ.
       negate: Score correct when the result of `mode` is false. Without output it is incorrect.
       unless: Pattern whose matches excuse: a hit that overlaps one of them does not count.
       timeout: Seconds for one sample; a search that takes longer is an error.
       on_error: What an error counts as: an answer that is "incorrect", or a sample that is "unscored".
       strict: Treat a transcript that is known to be incomplete as an error.
    """
    config = {
        "value": value,
        "mode": mode,
        "case_sensitive": case_sensitive,
        "negate": negate,
        "unless": unless,
    }
    return single_scorer("contains", config, timeout=timeout, on_error=on_error, strict=strict)
