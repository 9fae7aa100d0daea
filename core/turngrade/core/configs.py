"""The grader types, and what each may be configured with: every key, its type, its default."""

from typing import Annotated, Final, Literal, NamedTuple

from msgspec import field
from pydantic_core import core_schema as cs

from turngrade.core.section import FLAG, NON_EMPTY, TEXT, Key, Section, reference
from turngrade.core.transcript import SCOPES, Scope

_TEXTS: Final = cs.list_schema(TEXT)
_COUNT: Final = cs.nullable_schema(cs.int_schema(ge=0))

_ONE_OR_MORE: Final = cs.no_info_before_validator_function(
    lambda value: [value] if isinstance(value, str) else value,
    cs.list_schema(NON_EMPTY, min_length=1),
)
_ONE_OR_MORE_JSON: Final = {
    "anyOf": [
        {"type": "string", "minLength": 1},
        {"type": "array", "minItems": 1, "items": {"type": "string", "minLength": 1}},
    ]
}


def _must_negate(negate: bool) -> bool:
    if not negate:
        raise ValueError("contradicts the -not- type; leave it out, or use the type without -not-")
    return negate


_PATTERN: Final = Key(
    NON_EMPTY,
    "A JavaScript regular expression; a leading (?i), (?m), (?s) or a combination sets flags.",
)
_SUBSTRING: Final = Key(NON_EMPTY, "The text to look for; also `value`.", also="value")
_CASE: Final = Key(FLAG, "Whether upper and lower case differ.")
_NEGATED: Final = Key(
    cs.no_info_after_validator_function(_must_negate, FLAG),
    "True by the type.",
    json={"type": "boolean", "const": True},
)


class Examples(Section, frozen=True):
    """Texts that a grader's pattern must, and must not, match; checked by ``turngrade test``."""

    match: Annotated[list[str], Key(_TEXTS, "Texts in which the pattern must be found.")] = field(
        default_factory=list
    )
    no_match: Annotated[list[str], Key(_TEXTS, "Texts in which the pattern must not be found.")] = field(
        default_factory=list
    )


class Config(Section, frozen=True):
    """Keys that every grader type has."""

    negate: Annotated[bool, Key(FLAG, "Pass when nothing is found.")] = False
    unless: Annotated[
        str | None,
        Key(
            cs.nullable_schema(NON_EMPTY),
            "A pattern: hits that overlap one of its matches in the same text do not count.",
        ),
    ] = None
    examples: Annotated[
        Examples | None,
        Key(cs.nullable_schema(reference(Examples)), "Texts for `turngrade test`, whatever `negate` says."),
    ] = None


class MessagesConfig(Config, frozen=True):
    """Which assistant messages are tested, and how many of them must match."""

    scope: Annotated[
        Scope,
        Key(
            cs.literal_schema(list(SCOPES)),
            "run: all that was said during the run, sub-agents included; conversation: the final main "
            "conversation; model-calls: run plus every other model output.",
        ),
    ] = "run"
    select: Annotated[
        Literal["first", "last", "all"],
        Key(cs.literal_schema(["first", "last", "all"]), "Which of the scope's messages are tested."),
    ] = "all"
    min_matches: Annotated[
        int | None, Key(_COUNT, "At least so many messages match: 1, or 0 if max_matches is given.")
    ] = None
    max_matches: Annotated[int | None, Key(_COUNT, "At most so many messages match.")] = None

    def __post_init__(self) -> None:
        """Raises ValueError for counts that contradict each other or the rest."""
        low, high = self.min_matches, self.max_matches
        if low is None and high is None:
            return
        if self.negate:
            raise ValueError("min_matches and max_matches do not go together with negate or a -not- type")
        if low is not None and high is not None and low > high:
            raise ValueError(f"min_matches ({low}) is above max_matches ({high})")
        if low is not None and low > 1 and self.select != "all":
            raise ValueError(f"min_matches ({low}) can never be reached with select: {self.select}")


class PatternConfig(Config, frozen=True, kw_only=True):
    """A pattern on the final output."""

    pattern: Annotated[str, _PATTERN]


class NotPatternConfig(PatternConfig, frozen=True):
    """A pattern that must not be found in the final output."""

    negate: Annotated[bool, _NEGATED] = True


class SubstringConfig(Config, frozen=True, kw_only=True):
    """A substring of the final output."""

    substring: Annotated[str, _SUBSTRING]
    case_sensitive: Annotated[bool, _CASE] = False


class NotSubstringConfig(SubstringConfig, frozen=True):
    """A substring that must not be found in the final output."""

    negate: Annotated[bool, _NEGATED] = True


class TranscriptPatternConfig(MessagesConfig, frozen=True, kw_only=True):
    """A pattern on each assistant message."""

    pattern: Annotated[str, _PATTERN]


class TranscriptNotPatternConfig(TranscriptPatternConfig, frozen=True):
    """A pattern that must not be found in any assistant message."""

    negate: Annotated[bool, _NEGATED] = True


class TranscriptSubstringConfig(MessagesConfig, frozen=True, kw_only=True):
    """A substring of each assistant message."""

    substring: Annotated[str, _SUBSTRING]
    case_sensitive: Annotated[bool, _CASE] = False


class TranscriptNotSubstringConfig(TranscriptSubstringConfig, frozen=True):
    """A substring that must not be found in any assistant message."""

    negate: Annotated[bool, _NEGATED] = True


class RegexMatchConfig(Config, frozen=True, kw_only=True):
    """2signal's Regex Match: the flags stand beside the pattern."""

    pattern: Annotated[str, Key(NON_EMPTY, "A JavaScript regular expression, without a flags prefix.")]
    flags: Annotated[str, Key(TEXT, "JavaScript's flags; '' is case-sensitive.")] = "i"


class ContainsConfig(Config, frozen=True, kw_only=True):
    """2signal's Contains: one substring or several."""

    value: Annotated[
        list[str], Key(_ONE_OR_MORE, "The text, or the texts, to look for.", json=_ONE_OR_MORE_JSON)
    ]
    case_sensitive: Annotated[bool, _CASE] = False
    mode: Annotated[
        Literal["any", "all"],
        Key(cs.literal_schema(["any", "all"]), "Whether one of the texts is enough."),
    ] = "any"


class Kind(NamedTuple):
    """A grader type: its config, and the sentence that describes it."""

    config: type[Config]
    description: str


KINDS: Final[dict[str, Kind]] = {
    "transcript-matches": Kind(TranscriptPatternConfig, "Some assistant message matches the pattern."),
    "transcript-not-matches": Kind(TranscriptNotPatternConfig, "No assistant message matches the pattern."),
    "output-matches": Kind(PatternConfig, "The final output matches the pattern."),
    "output-not-matches": Kind(NotPatternConfig, "The final output does not match the pattern."),
    "transcript-contains": Kind(TranscriptSubstringConfig, "Some assistant message contains the substring."),
    "transcript-not-contains": Kind(
        TranscriptNotSubstringConfig, "No assistant message contains the substring."
    ),
    "output-contains": Kind(SubstringConfig, "The final output contains the substring."),
    "output-not-contains": Kind(NotSubstringConfig, "The final output does not contain the substring."),
    "regex-match": Kind(RegexMatchConfig, "The final output matches the pattern (2signal)."),
    "contains": Kind(ContainsConfig, "The final output contains one, or all, of the texts (2signal)."),
}

GRADER_TYPES: Final = tuple(KINDS)

TYPE_ALIASES: Final = {"REGEX_MATCH": "regex-match", "CONTAINS": "contains"}


def kind_name(grader_type: str) -> str:
    """``TranscriptMatches`` for ``transcript-matches``: the name of a grader type in the JSON Schema."""
    return "".join(part.capitalize() for part in TYPE_ALIASES.get(grader_type, grader_type).split("-"))
