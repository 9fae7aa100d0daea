"""The spec file: every key, its type, its default. The validator and the JSON Schema are made from them."""

from functools import cache
from typing import Annotated, Final, Literal, NamedTuple

from msgspec import field
from pydantic_core import CoreSchema, SchemaValidator
from pydantic_core import core_schema as cs

from turngrade.core.section import Key, Section, reference, section_schema
from turngrade.core.transcript import SCOPES, Scope

_TEXT: Final = cs.str_schema()
_TEXTS: Final = cs.list_schema(_TEXT)
_NON_EMPTY: Final = cs.str_schema(min_length=1)
_FLAG: Final = cs.bool_schema()
_COUNT: Final = cs.nullable_schema(cs.int_schema(ge=0))
_SHARE: Final = cs.float_schema(ge=0, le=1)

_ONE_OR_MORE: Final = cs.no_info_before_validator_function(
    lambda value: [value] if isinstance(value, str) else value,
    cs.list_schema(_NON_EMPTY, min_length=1),
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
    _NON_EMPTY,
    "A JavaScript regular expression; a leading (?i), (?m), (?s) or a combination sets flags.",
)
_SUBSTRING: Final = Key(_NON_EMPTY, "The text to look for; also `value`.", also="value")
_CASE: Final = Key(_FLAG, "Whether upper and lower case differ.")
_NEGATED: Final = Key(
    cs.no_info_after_validator_function(_must_negate, _FLAG),
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

    negate: Annotated[bool, Key(_FLAG, "Pass when nothing is found.")] = False
    unless: Annotated[
        str | None,
        Key(
            cs.nullable_schema(_NON_EMPTY),
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

    pattern: Annotated[str, Key(_NON_EMPTY, "A JavaScript regular expression, without a flags prefix.")]
    flags: Annotated[str, Key(_TEXT, "JavaScript's flags; '' is case-sensitive.")] = "i"


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


class Grader(Section, frozen=True, kw_only=True):
    """One check: a type, a name, a config."""

    name: Annotated[str | None, Key(cs.nullable_schema(_NON_EMPTY), "Unique; the type by default.")] = None
    type: Annotated[str, Key(_TEXT, "What is checked.")]
    config: Annotated[Config, Key(cs.any_schema(), "How it is checked.")]

    def __post_init__(self) -> None:
        """Raises ValueError for a name that is not free."""
        if self.name == "aggregate":
            raise ValueError("the name 'aggregate' is reserved for the weighted aggregate")


def kind_name(grader_type: str) -> str:
    """``TranscriptMatches`` for ``transcript-matches``: the name of a grader type in the JSON Schema."""
    return "".join(part.capitalize() for part in TYPE_ALIASES.get(grader_type, grader_type).split("-"))


_ANY_GRADER: Final = cs.tagged_union_schema(
    {name: cs.definition_reference_schema(kind_name(name)) for name in (*KINDS, *TYPE_ALIASES)}, "type"
)


class Scoring(Section, frozen=True):
    """How the graders' scores add up."""

    weights: Annotated[
        dict[str, float] | None,
        Key(
            cs.nullable_schema(cs.dict_schema(_TEXT, cs.float_schema(ge=0, le=1e6, allow_inf_nan=False))),
            "Weight by grader name or type; what is not named weighs 0.",
        ),
    ] = None
    threshold: Annotated[
        float | None,
        Key(
            cs.nullable_schema(_SHARE),
            "The aggregate at which a transcript passes; without it every grader must pass.",
        ),
    ] = None


class Limits(Section, frozen=True):
    """Bounds on one grader's work on one transcript."""

    timeout: Annotated[
        float,
        Key(cs.float_schema(gt=0, le=3600), "Wall-clock seconds for one grader on one transcript."),
    ] = 5.0
    max_pattern_length: Annotated[int, Key(cs.int_schema(ge=1), "Longest pattern, in UTF-16 units.")] = 1000
    max_text_length: Annotated[
        int, Key(cs.int_schema(ge=1), "Longest message, in UTF-16 units; a longer one is an error.")
    ] = 10_000_000


class SpecFile(Section, frozen=True, kw_only=True):
    """A spec file: a list of graders, and how their scores add up."""

    schema_url: Annotated[
        str | None, Key(cs.nullable_schema(_TEXT), "For completion in editors.", alias="$schema")
    ] = None
    name: Annotated[str | None, Key(cs.nullable_schema(_TEXT), "What the spec is called.")] = None
    description: Annotated[str | None, Key(cs.nullable_schema(_TEXT), "What it is for.")] = None
    version: Annotated[
        str | int | float | None,
        Key(
            cs.nullable_schema(cs.union_schema([_TEXT, cs.int_schema(), cs.float_schema()])),
            "Your version of it.",
        ),
    ] = None
    graders: Annotated[
        list[Grader | None], Key(cs.list_schema(_ANY_GRADER, min_length=1), "The checks, in order.")
    ]
    scoring: Annotated[Scoring | None, Key(reference(Scoring), "How the scores add up.")] = None
    limits: Annotated[Limits, Key(reference(Limits), "Bounds on time and size.")] = field(
        default_factory=Limits
    )
    hits: Annotated[
        Literal["all", "first"],
        Key(
            cs.literal_schema(["all", "first"]),
            "first: stop at the message that settles a verdict; same verdict, fewer hits.",
        ),
    ] = "all"
    strict: Annotated[
        bool,
        Key(_FLAG, "Invalid patterns refuse to load, incomplete transcripts are error verdicts."),
    ] = False
    strip_thinking: Annotated[bool, Key(_FLAG, "Cut <think>…</think> out of texts first.")] = False
    output_key: Annotated[
        str | None,
        Key(
            cs.nullable_schema(_NON_EMPTY),
            "Key of the final output in a structured output; dots go deeper.",
        ),
    ] = None


_SKIPPABLE: Final = cs.list_schema(cs.nullable_schema(_ANY_GRADER))


class Stimulus(Section, frozen=True, kw_only=True):
    """One of Vally's stimuli: its graders apply to the transcripts of that name."""

    name: Annotated[str, Key(_NON_EMPTY, "The stimulus.")]
    graders: Annotated[list[Grader | None], Key(_SKIPPABLE, "Its checks.")] = field(default_factory=list)


class VallyFile(SpecFile, frozen=True, kw_only=True):
    """A Vally eval file. A grader that is skipped stands as None, so that paths stay true."""

    graders: Annotated[list[Grader | None], Key(_SKIPPABLE, "The checks of every stimulus.")] = field(
        default_factory=list
    )
    stimuli: Annotated[list[Stimulus], Key(cs.list_schema(reference(Stimulus)), "Vally's stimuli.")]


def file_schema(file: type[SpecFile]) -> CoreSchema:
    """The schema of a spec file. Of a Vally file, keys that are Vally's own are accepted and not read."""
    extra: Literal["forbid", "ignore"] = "ignore" if issubclass(file, VallyFile) else "forbid"
    definitions = [
        *(section_schema(section) for section in (Examples, Scoring, Limits)),
        *(_kind_schema(name, kind) for name, kind in KINDS.items()),
        section_schema(Stimulus, extra="ignore"),
    ]
    return cs.definitions_schema(section_schema(file, extra=extra), definitions)


@cache
def validator(file: type[SpecFile]) -> SchemaValidator:
    """The validator of a spec file. Its result is a ``file``."""
    return SchemaValidator(file_schema(file))


def _kind_schema(name: str, kind: Kind) -> CoreSchema:
    spellings = [name, *(alias for alias, of in TYPE_ALIASES.items() if of == name)]
    narrowed = {"type": cs.literal_schema(spellings), "config": section_schema(kind.config)}
    return section_schema(Grader, narrowed=narrowed, ref=kind_name(name))
