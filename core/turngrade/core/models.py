"""The spec file: every key, its type, its default. The validator and the JSON Schema are made from them."""

from functools import cache
from typing import Annotated, Final, Literal

from msgspec import field
from pydantic_core import CoreSchema, SchemaValidator
from pydantic_core import core_schema as cs

from turngrade.core.configs import KINDS, TYPE_ALIASES, Config, Examples, Kind, kind_name
from turngrade.core.section import FLAG, NON_EMPTY, TEXT, Key, Section, reference, section_schema


class Grader(Section, frozen=True, kw_only=True):
    """One check: a type, a name, a config."""

    name: Annotated[str | None, Key(cs.nullable_schema(NON_EMPTY), "Unique; the type by default.")] = None
    type: Annotated[str, Key(TEXT, "What is checked.")]
    config: Annotated[Config, Key(cs.any_schema(), "How it is checked.")]

    def __post_init__(self) -> None:
        """Raises ValueError for a name that is not free."""
        if self.name == "aggregate":
            raise ValueError("the name 'aggregate' is reserved for the weighted aggregate")


_ANY_GRADER: Final = cs.tagged_union_schema(
    {name: cs.definition_reference_schema(kind_name(name)) for name in (*KINDS, *TYPE_ALIASES)}, "type"
)


class Scoring(Section, frozen=True):
    """How the graders' scores add up."""

    weights: Annotated[
        dict[str, float] | None,
        Key(
            cs.nullable_schema(cs.dict_schema(TEXT, cs.float_schema(ge=0, le=1e6, allow_inf_nan=False))),
            "Weight by grader name or type; what is not named weighs 0.",
        ),
    ] = None
    threshold: Annotated[
        float | None,
        Key(
            cs.nullable_schema(cs.float_schema(ge=0, le=1)),
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
        str | None, Key(cs.nullable_schema(TEXT), "For completion in editors.", alias="$schema")
    ] = None
    name: Annotated[str | None, Key(cs.nullable_schema(TEXT), "What the spec is called.")] = None
    description: Annotated[str | None, Key(cs.nullable_schema(TEXT), "What it is for.")] = None
    version: Annotated[
        str | int | float | None,
        Key(
            cs.nullable_schema(cs.union_schema([TEXT, cs.int_schema(), cs.float_schema()])),
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
        Key(FLAG, "Invalid patterns refuse to load, incomplete transcripts are error verdicts."),
    ] = False
    strip_thinking: Annotated[bool, Key(FLAG, "Cut <think>…</think> out of texts first.")] = False
    output_key: Annotated[
        str | None,
        Key(
            cs.nullable_schema(NON_EMPTY),
            "Key of the final output in a structured output; dots go deeper.",
        ),
    ] = None


_SKIPPABLE: Final = cs.list_schema(cs.nullable_schema(_ANY_GRADER))


class Stimulus(Section, frozen=True, kw_only=True):
    """One of Vally's stimuli: its graders apply to the transcripts of that name."""

    name: Annotated[str, Key(NON_EMPTY, "The stimulus.")]
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
