"""The spec file as pydantic models: every key, its type, its default. The JSON Schema is made from them.

Annotations are evaluated at once: to evaluate them later takes pydantic as long as all the rest.
"""

from typing import Annotated, Literal, Self, TypeAlias, get_args

from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    WithJsonSchema,
    model_validator,
)

from turngrade.core.transcript import Scope

NonEmpty: TypeAlias = Annotated[str, Field(min_length=1)]

OneOrMore: TypeAlias = Annotated[
    list[NonEmpty],
    Field(min_length=1),
    BeforeValidator(lambda value: [value] if isinstance(value, str) else value),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "minLength": 1},
                {"type": "array", "minItems": 1, "items": {"type": "string", "minLength": 1}},
            ]
        }
    ),
]
"""A string, or a list of them; always a list behind the validation."""


def _must_negate(negate: bool) -> bool:
    if not negate:
        raise ValueError("contradicts the -not- type; leave it out, or use the type without -not-")
    return negate


Negated: TypeAlias = Annotated[
    bool,
    AfterValidator(_must_negate),
    Field(description="True by the type.", json_schema_extra={"const": True}),
]
"""``negate`` of a ``-not-`` type, which is the same type with ``negate: true``."""


class Model(BaseModel):
    """Strict: no key that is not declared, no silent conversion of types."""

    model_config = ConfigDict(
        strict=True, extra="forbid", frozen=True, populate_by_name=True, defer_build=True
    )


class Examples(Model):
    """Texts that a grader's pattern must, and must not, match; checked by ``turngrade test``."""

    match: list[str] = Field(default=[], description="Texts in which the pattern must be found.")
    no_match: list[str] = Field(default=[], description="Texts in which the pattern must not be found.")


class Config(Model):
    """Keys that every grader type has."""

    negate: bool = Field(default=False, description="Pass when nothing is found.")
    unless: NonEmpty | None = Field(
        default=None,
        description="A pattern: hits that overlap one of its matches in the same text do not count.",
    )
    examples: Examples | None = Field(
        default=None, description="Texts for `turngrade test`, whatever `negate` says."
    )


class PatternConfig(Config):
    """A JavaScript pattern, with an optional leading ``(?ims)``."""

    pattern: NonEmpty = Field(
        description="A JavaScript regular expression; a leading (?i), (?m), (?s) or a combination sets flags."
    )


class SubstringConfig(Config):
    """A substring."""

    substring: NonEmpty = Field(
        validation_alias=AliasChoices("substring", "value"), description="The text to look for; also `value`."
    )
    case_sensitive: bool = Field(default=False, description="Whether upper and lower case differ.")


class MessagesMixin(Model):
    """Which assistant messages are tested, and how many of them must match."""

    scope: Scope = Field(
        default="run",
        description="run: all that was said during the run, sub-agents included; conversation: the final "
        "main conversation; model-calls: run plus every other model output.",
    )
    select: Literal["first", "last", "all"] = Field(
        default="all", description="Which of the scope's messages are tested."
    )
    min_matches: int | None = Field(
        default=None, ge=0, description="At least so many messages match: 1, or 0 if max_matches is given."
    )
    max_matches: int | None = Field(default=None, ge=0, description="At most so many messages match.")

    @model_validator(mode="after")
    def _counts_make_sense(self) -> Self:
        if self.min_matches is None and self.max_matches is None:
            return self
        if getattr(self, "negate", False):
            raise ValueError("min_matches and max_matches do not go together with negate or a -not- type")
        low, high = self.min_matches, self.max_matches
        if low is not None and high is not None and low > high:
            raise ValueError(f"min_matches ({low}) is above max_matches ({high})")
        if low is not None and low > 1 and self.select != "all":
            raise ValueError(f"min_matches ({low}) can never be reached with select: {self.select}")
        return self


class TranscriptPatternConfig(PatternConfig, MessagesMixin):
    """A pattern on each assistant message."""


class TranscriptSubstringConfig(SubstringConfig, MessagesMixin):
    """A substring of each assistant message."""


class RegexMatchConfig(Config):
    """2signal's Regex Match: the flags stand beside the pattern."""

    pattern: NonEmpty = Field(description="A JavaScript regular expression, without a flags prefix.")
    flags: str = Field(default="i", description="JavaScript's flags; '' is case-sensitive.")


class ContainsConfig(Config):
    """2signal's Contains: one substring or several."""

    value: OneOrMore = Field(description="The text, or the texts, to look for.")
    case_sensitive: bool = Field(default=False, description="Whether upper and lower case differ.")
    mode: Literal["any", "all"] = Field(default="any", description="Whether one of the texts is enough.")


class Grader(Model):
    """One check: a type, a name, a config."""

    name: NonEmpty | None = Field(default=None, description="Unique; the type by default.")

    @model_validator(mode="after")
    def _name_is_free(self) -> Self:
        if self.name == "aggregate":
            raise ValueError("the name 'aggregate' is reserved for the weighted aggregate")
        return self


class NotPatternConfig(PatternConfig):
    """A pattern that must not be found in the final output."""

    negate: Negated = True


class NotSubstringConfig(SubstringConfig):
    """A substring that must not be found in the final output."""

    negate: Negated = True


class TranscriptNotPatternConfig(TranscriptPatternConfig):
    """A pattern that must not be found in any assistant message."""

    negate: Negated = True


class TranscriptNotSubstringConfig(TranscriptSubstringConfig):
    """A substring that must not be found in any assistant message."""

    negate: Negated = True


class TranscriptMatches(Grader):
    """Some assistant message matches the pattern."""

    type: Literal["transcript-matches"]
    config: TranscriptPatternConfig


class TranscriptNotMatches(Grader):
    """No assistant message matches the pattern."""

    type: Literal["transcript-not-matches"]
    config: TranscriptNotPatternConfig


class OutputMatches(Grader):
    """The final output matches the pattern."""

    type: Literal["output-matches"]
    config: PatternConfig


class OutputNotMatches(Grader):
    """The final output does not match the pattern."""

    type: Literal["output-not-matches"]
    config: NotPatternConfig


class TranscriptContains(Grader):
    """Some assistant message contains the substring."""

    type: Literal["transcript-contains"]
    config: TranscriptSubstringConfig


class TranscriptNotContains(Grader):
    """No assistant message contains the substring."""

    type: Literal["transcript-not-contains"]
    config: TranscriptNotSubstringConfig


class OutputContains(Grader):
    """The final output contains the substring."""

    type: Literal["output-contains"]
    config: SubstringConfig


class OutputNotContains(Grader):
    """The final output does not contain the substring."""

    type: Literal["output-not-contains"]
    config: NotSubstringConfig


class RegexMatch(Grader):
    """The final output matches the pattern (2signal)."""

    type: Literal["regex-match", "REGEX_MATCH"]
    config: RegexMatchConfig


class Contains(Grader):
    """The final output contains one, or all, of the texts (2signal)."""

    type: Literal["contains", "CONTAINS"]
    config: ContainsConfig


AnyGrader: TypeAlias = Annotated[
    TranscriptMatches
    | TranscriptNotMatches
    | OutputMatches
    | OutputNotMatches
    | TranscriptContains
    | TranscriptNotContains
    | OutputContains
    | OutputNotContains
    | RegexMatch
    | Contains,
    Field(discriminator="type"),
]

GRADERS: tuple[type[Grader], ...] = get_args(get_args(AnyGrader)[0])
"""The model of each grader type."""

TYPE_ALIASES = {"REGEX_MATCH": "regex-match", "CONTAINS": "contains"}

CONFIGS: dict[str, type[Config]] = {
    "transcript-matches": TranscriptPatternConfig,
    "transcript-not-matches": TranscriptNotPatternConfig,
    "output-matches": PatternConfig,
    "output-not-matches": NotPatternConfig,
    "transcript-contains": TranscriptSubstringConfig,
    "transcript-not-contains": TranscriptNotSubstringConfig,
    "output-contains": SubstringConfig,
    "output-not-contains": NotSubstringConfig,
    "regex-match": RegexMatchConfig,
    "contains": ContainsConfig,
}
"""The config model of each grader type."""

GRADER_TYPES = tuple(CONFIGS)


class Scoring(Model):
    """How the graders' scores add up."""

    weights: dict[str, Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)]] | None = Field(
        default=None, description="Weight by grader name or type; what is not named weighs 0."
    )
    threshold: Annotated[float, Field(ge=0, le=1)] | None = Field(
        default=None,
        description="The aggregate at which a transcript passes; without it every grader must pass.",
    )


class Limits(Model):
    """Bounds on one grader's work on one transcript."""

    timeout: Annotated[float, Field(gt=0, le=3600)] = Field(
        default=5.0, description="Wall-clock seconds for one grader on one transcript."
    )
    max_pattern_length: Annotated[int, Field(ge=1)] = Field(
        default=1000, description="Longest pattern, in UTF-16 units."
    )
    max_text_length: Annotated[int, Field(ge=1)] = Field(
        default=10_000_000, description="Longest message, in UTF-16 units; a longer one is an error."
    )


class SpecFile(Model):
    """A spec file: a list of graders, and how their scores add up."""

    schema_url: str | None = Field(default=None, alias="$schema", description="For completion in editors.")
    name: str | None = Field(default=None, description="What the spec is called.")
    description: str | None = Field(default=None, description="What it is for.")
    version: str | int | float | None = Field(default=None, description="Your version of it.")
    graders: Annotated[list[AnyGrader], Field(min_length=1)] = Field(description="The checks, in order.")
    scoring: Scoring = Field(default_factory=Scoring, description="How the scores add up.")
    limits: Limits = Field(default_factory=Limits, description="Bounds on time and size.")
    hits: Literal["all", "first"] = Field(
        default="all",
        description="first: stop at the message that settles a verdict; same verdict, fewer hits.",
    )
    strict: bool = Field(
        default=False,
        description="Invalid patterns refuse to load, incomplete transcripts are error verdicts.",
    )
    strip_thinking: bool = Field(default=False, description="Cut <think>…</think> out of texts first.")
    output_key: NonEmpty | None = Field(
        default=None, description="Key of the final output in a structured output; dots go deeper."
    )


class Lenient(Model):
    """A Vally object: keys that are Vally's own are accepted and not read."""

    model_config = ConfigDict(extra="ignore")


class Stimulus(Lenient):
    """One of Vally's stimuli: its graders apply to the transcripts of that name."""

    name: NonEmpty
    graders: list[AnyGrader | None] = []


class VallyFile(SpecFile, Lenient):
    """A Vally eval file. A grader that is skipped stands as None, so that paths stay true."""

    graders: list[AnyGrader | None] = []  # type: ignore[assignment]
    stimuli: list[Stimulus]
