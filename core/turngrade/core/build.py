"""From a grader's config to a grader that is ready: patterns compiled once, faults kept for the verdict."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from msgspec import Struct, field

from turngrade.core import models
from turngrade.core.checks import Check, Finder, PatternCheck, Unless, ValuesCheck
from turngrade.core.configs import (
    TYPE_ALIASES,
    ContainsConfig,
    Examples,
    MessagesConfig,
    RegexMatchConfig,
    SubstringConfig,
    TranscriptSubstringConfig,
)
from turngrade.core.dialect import InvalidPattern, Pattern, compile_pattern, utf16_length
from turngrade.core.faults import Fault, Faulty, invalid_pattern, pattern_too_long
from turngrade.core.grader import Counts, Grader
from turngrade.core.models import Limits
from turngrade.core.problems import Path
from turngrade.core.substring import Substring

_PREFIX = re.compile(r"\(\?([ims]+)\)")


class PatternFault(Struct, frozen=True):
    """A pattern that does not compile: where it stands in the grader, and what is wrong with it."""

    path: Path
    pattern: str
    fault: Fault
    error: InvalidPattern | None = None


class _Build(Struct):
    """Compiles the patterns of one grader and collects their faults."""

    limits: Limits
    faults: list[PatternFault] = field(default_factory=list)

    def pattern(self, pattern: str, key: str, flags: str | None = None) -> Pattern | None:
        """Compile a pattern; ``flags`` None takes them from a leading ``(?ims)``."""
        try:
            return compile_checked(pattern, flags, self.limits)
        except Faulty as error:
            cause = error.__cause__ if isinstance(error.__cause__, InvalidPattern) else None
            self.faults.append(PatternFault(("config", key), pattern, error.fault, cause))
            return None

    def guarded(self, finder: Finder | None, unless: str | None, flags: str | None) -> Finder | None:
        """The finder with its ``unless``."""
        if unless is None:
            return finder
        exception = self.pattern(unless, "unless", flags)
        if finder is None or exception is None:
            return None
        return Unless(finder, exception)

    def check(self, config: Any) -> Check | None:
        if isinstance(config, ContainsConfig):
            finders = [Substring(value, config.case_sensitive) for value in config.value]
            guarded = [self.guarded(finder, config.unless, None) for finder in finders]
            kept = tuple(finder for finder in guarded if finder is not None)
            return (
                ValuesCheck(tuple(config.value), kept, config.mode == "all")
                if len(kept) == len(guarded)
                else None
            )
        if isinstance(config, (SubstringConfig, TranscriptSubstringConfig)):
            finder = self.guarded(Substring(config.substring, config.case_sensitive), config.unless, None)
            return ValuesCheck((config.substring,), (finder,)) if finder is not None else None
        flags = config.flags if isinstance(config, RegexMatchConfig) else None
        finder = self.guarded(self.pattern(config.pattern, "pattern", flags), config.unless, flags)
        return PatternCheck(finder, f"/{config.pattern}/{flags or ''}") if finder is not None else None


def compile_checked(pattern: str, flags: str | None, limits: Limits) -> Pattern:
    """Compile a pattern of a spec within its limits.

    Args:
        pattern: The pattern as written.
        flags: JavaScript's flags; None reads them from a leading ``(?ims)`` and strips it.
        limits: For ``max_pattern_length``.

    Raises:
        Faulty: With the fault that the verdict is; an `InvalidPattern` is its cause.
    """
    length = utf16_length(pattern)
    if length > limits.max_pattern_length:
        raise Faulty(pattern_too_long(length, limits.max_pattern_length))
    body = pattern
    if flags is None:
        flags, body = split_prefix(pattern)
    try:
        return compile_pattern(body, flags)
    except InvalidPattern as error:
        raise Faulty(invalid_pattern(pattern, error)) from error


def split_prefix(pattern: str) -> tuple[str, str]:
    """The flags of a leading ``(?ims)``, and the pattern behind it."""
    prefix = _PREFIX.match(pattern)
    return (prefix[1], pattern[prefix.end() :]) if prefix else ("", pattern)


def build_grader(
    model: models.Grader, name: str, limits: Limits, *, first_hit: bool
) -> tuple[Grader, tuple[PatternFault, ...]]:
    """Make a grader of its validated config.

    Returns:
        The grader, and the faults of its patterns; the grader's verdicts are the first of them.
    """
    config = model.config
    build = _Build(limits)
    check = build.check(config)
    make = partial(
        Grader,
        name,
        canonical_type(model.type),
        "transcript" if model.type.startswith("transcript") else "output",
        check,
        fault=build.faults[0].fault if build.faults else None,
        negate=config.negate,
        limits=limits,
        first_hit=first_hit,
        examples=config.examples or Examples(),
    )
    if isinstance(config, MessagesConfig):
        return make(scope=config.scope, select=config.select, counts=_counts(config)), tuple(build.faults)
    return make(), tuple(build.faults)


def canonical_type(name: str) -> str:
    """The grader type without 2signal's spelling in capitals."""
    return TYPE_ALIASES.get(name, name)


def _counts(config: MessagesConfig) -> Counts:
    low, high = config.min_matches, config.max_matches
    if low is None:
        low = 1 if high is None else 0
    return Counts(low, high, asked=config.min_matches is not None)
