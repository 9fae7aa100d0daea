"""The specs that grade every conversation: each grader type, each option, each way to go wrong."""

from __future__ import annotations

from typing import Any

PATTERNS = {
    "literal": "alpha",
    "case": "Alpha",
    "ignore-case": "(?i)ALPHA",
    "anchored": "^Hello, world!$",
    "empty-text": "^(?:|short)$",
    "anything": "[^]{20}",
    "nothing": "[]|alpha",
    "lines": "(?m)^second line$",
    "end-is-the-very-end": "line$",
    "dot-all": "(?s)first.*third",
    "dot": "first.*third",
    "space": r"\s$",
    "no-break-space": r"\u00a0breaking \ufeff",
    "ascii-word": r"\bcaf\b",
    "fold": "(?i)sum|kelvin|istanbul",
    "utf-16-units": "^.{2}$",
    "surrogate": r"\ud83d\ude00",
    "groups": r"(?<word>\w+) (two|four)",
    "optional-group": "(x)?alpha( three)?",
    "backreference": r"\b(the) .*words$",
    "lookbehind": r"(?<=is )\d+",
    "lookahead": "^(?!.*alpha).*a",
    "lazy": "a.*?a",
    "escapes": r"\\d\+ \$1|/slash/",
    "quantified": r"(?:word ){1000}",
    "card": r"\b\d{4}[- ]?\d{4}[- ]?\d{4}[- ]?\d{4}\b",
    "secret": "secret|SECRET",
}

INVALID = {"python-group": "(?P<x>a)", "unclosed": "(a", "mid-flag": "a(?i)b", "too-long": "a" * 1001}

MESSAGE_OPTIONS: dict[str, dict[str, Any]] = {
    "run": {"scope": "run"},
    "conversation": {"scope": "conversation"},
    "model-calls": {"scope": "model-calls"},
    "first": {"select": "first"},
    "last": {"select": "last"},
    "last-of-conversation": {"select": "last", "scope": "conversation"},
    "min": {"min_matches": 2},
    "max": {"max_matches": 1},
    "exactly-two": {"min_matches": 2, "max_matches": 2},
    "none": {"max_matches": 0},
    "unless": {"unless": "(?i)alpha three|not refund|cannot refund"},
    "unless-counted": {"unless": "alpha three", "min_matches": 1, "max_matches": 1},
}

SUBSTRINGS: dict[str, dict[str, Any]] = {
    "plain": {"substring": "alpha"},
    "ignore-case": {"substring": "ANSWER"},
    "case": {"substring": "ANSWER", "case_sensitive": True},
    "value": {"value": "\u017fum"},
    "dotted-i": {"substring": "i\u0307stanbul"},
    "emoji": {"substring": "\U0001f600"},
    "line-break": {"substring": "line\r\nthird"},
    "unless": {"substring": "refund", "unless": "not refund|cannot refund"},
}

REGEX_MATCH: dict[str, dict[str, Any]] = {
    "default-flags": {"pattern": "ANSWER"},
    "no-flags": {"pattern": "ANSWER", "flags": ""},
    "all-flags": {"pattern": "^.*LINE$", "flags": "gims"},
    "unicode": {"pattern": r"^\p{Emoji}$", "flags": "u"},
    "sticky": {"pattern": "done", "flags": "iy"},
    "negate": {"pattern": "answer", "negate": True},
    "unless": {"pattern": "refund", "unless": "cannot refund"},
    "wrong-flag": {"pattern": "a", "flags": "q"},
    "prefix": {"pattern": "(?i)a"},
}

CONTAINS: dict[str, dict[str, Any]] = {
    "one": {"value": "answer"},
    "any": {"value": ["answer", "ORD-", "ssn"]},
    "all": {"value": ["the", "answer"], "mode": "all"},
    "not-all": {"value": ["the", "answer"], "mode": "all", "negate": True},
    "not-any": {"value": ["answer", "order"], "mode": "any", "negate": True},
    "case": {"value": ["Answer", "order"], "case_sensitive": True},
}


def _graders() -> list[dict[str, Any]]:
    graders = []
    for name, pattern in (PATTERNS | INVALID).items():
        graders += _four("matches", name, {"pattern": pattern})
    for name, options in MESSAGE_OPTIONS.items():
        graders += _with_options("matches", name, {"pattern": "alpha|answer|line|refund", **options})
        graders += _with_options("contains", name, {"substring": "alpha", **options})
    for name, config in SUBSTRINGS.items():
        graders += _four("contains", name, config)
    graders += [_grader("regex-match", name, config) for name, config in REGEX_MATCH.items()]
    graders += [_grader("contains", name, config) for name, config in CONTAINS.items()]
    return graders


def _grader(type: str, name: str, config: dict[str, Any]) -> dict[str, Any]:
    return {"type": type, "name": f"{type}: {name}", "config": config}


def _four(test: str, name: str, config: dict[str, Any]) -> list[dict[str, Any]]:
    """A test of messages and of the output, as it is and negated by its type."""
    types = (f"transcript-{test}", f"transcript-not-{test}", f"output-{test}", f"output-not-{test}")
    return [_grader(type, name, config) for type in types]


def _with_options(test: str, name: str, config: dict[str, Any]) -> list[dict[str, Any]]:
    """A grader of messages with these options and, where they allow it, the two ways to negate it."""
    graders = [_grader(f"transcript-{test}", f"{name} option", config)]
    if not {"min_matches", "max_matches"} & config.keys():
        graders.append(_grader(f"transcript-{test}", f"{name} negated", {**config, "negate": True}))
        graders.append(_grader(f"transcript-not-{test}", f"{name} option", config))
    return graders


def _one_of_each(graders: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The first grader of each type with each combination of options."""
    found: dict[str, dict[str, Any]] = {}
    for grader in graders:
        texts = ("pattern", "substring", "value", "unless")
        options = {key: None if key in texts else value for key, value in grader["config"].items()}
        found.setdefault(repr((grader["type"], options)), grader)
    return list(found.values())


SPECS: dict[str, dict[str, Any]] = {
    "every grader": {"graders": _graders()},
    "every option": {"graders": _one_of_each(_graders())},
    "weighted": {
        "graders": [
            {"type": "transcript-matches", "name": "heavy", "config": {"pattern": "alpha"}},
            {"type": "transcript-not-matches", "config": {"pattern": "beta"}},
            {"type": "transcript-not-matches", "config": {"pattern": "gamma"}},
            {"type": "CONTAINS", "config": {"value": "four"}},
        ],
        "scoring": {
            "weights": {"heavy": 0.5, "transcript-not-matches": 0.2, "contains": 0.1},
            "threshold": 0.6,
        },
    },
    "limits": {
        "graders": [
            {"type": "transcript-matches", "name": "found early", "config": {"pattern": "short|alpha"}},
            {"type": "transcript-not-matches", "name": "not found", "config": {"pattern": "needle"}},
            {"type": "output-matches", "name": "output", "config": {"pattern": "o"}},
            {"type": "output-matches", "name": "long pattern", "config": {"pattern": "a{1,2}" * 6}},
        ],
        "limits": {"max_text_length": 100, "max_pattern_length": 30},
        "hits": "first",
    },
    "without thinking": {
        "graders": [
            {"type": "transcript-matches", "config": {"pattern": "alpha"}},
            {"type": "transcript-matches", "config": {"pattern": "^the public answer$"}},
            {"type": "output-contains", "config": {"substring": "<think>"}},
        ],
        "strip_thinking": True,
    },
}
