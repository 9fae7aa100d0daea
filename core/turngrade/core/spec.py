"""The spec: loads a file, a dict or a list of graders, and grades transcripts with it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import structs, to_builtins

from turngrade.core.aggregate import Aggregation
from turngrade.core.compiler import Compiled, aggregation_of, compile_spec
from turngrade.core.grader import Grader
from turngrade.core.models import Scoring, SpecFile, VallyFile
from turngrade.core.notes import noted
from turngrade.core.output_key import with_output_key
from turngrade.core.problems import SpecProblem
from turngrade.core.source import NOWHERE, Document, Places, read_document
from turngrade.core.subjects import Subjects
from turngrade.core.transcript import Transcript, Unreadable
from turngrade.core.validation import validate
from turngrade.core.vally import is_vally, without_foreign_graders
from turngrade.core.verdict import Grade

if TYPE_CHECKING:
    from turngrade.core.spec_pattern import SpecPattern

SpecSource: TypeAlias = "str | PathLike[str] | Mapping[str, Any] | Sequence[Mapping[str, Any]] | Spec"

_NOT_IN_DIGEST = {"schema_url", "name", "description", "version"}


@dataclass(frozen=True, slots=True)
class Spec:
    """A loaded spec. Immutable, safe to share between threads, and picklable.

    Args:
        model: The validated file.
        compiled: Its graders, ready, and what is wrong with their patterns.
        source: The file, where it came from one.
        warnings: What a user should know although the spec loads.
        stimulus: The Vally stimulus whose graders apply to every transcript; None selects by transcript.
        chosen: The names of the graders that `only` has left; None where it was not asked.
        aggregation: How the verdicts add up.
        places: Where its keys are in the file.
    """

    model: SpecFile
    compiled: Compiled
    source: str | None = None
    warnings: tuple[SpecProblem, ...] = ()
    stimulus: str | None = None
    chosen: tuple[str, ...] | None = None
    aggregation: Aggregation = field(default_factory=Aggregation)
    places: Places = field(default=NOWHERE, repr=False, compare=False)

    @property
    def graders(self) -> tuple[Grader, ...]:
        """All graders of the spec: those of the top level, then those of each stimulus."""
        return self.compiled.graders

    @property
    def grader_names(self) -> tuple[str, ...]:
        """The names of all graders, each once, in the order of the spec."""
        return tuple(dict.fromkeys(grader.name for grader in self.graders))

    @property
    def strict(self) -> bool:
        """Whether an incomplete transcript is an error verdict."""
        return self.model.strict

    @property
    def output_key(self) -> str | None:
        """The key of the final output in a structured output."""
        return self.model.output_key

    @property
    def digest(self) -> str:
        """SHA-256, in hex, of all that decides verdicts; names and descriptions of the spec do not."""
        import hashlib  # costs start-up time, and only provenance asks for it

        model = structs.replace(self.model, scoring=self.model.scoring or Scoring())
        data = {key: value for key, value in to_builtins(model).items() if key not in _NOT_IN_DIGEST}
        parts = [data, self.stimulus] + ([] if self.chosen is None else [self.chosen])
        canonical = json.dumps(parts, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()

    def problems(self) -> tuple[SpecProblem, ...]:
        """Patterns that do not compile. The spec loads all the same; their graders' verdicts are errors."""
        return self.compiled.problems

    def patterns(self) -> tuple[SpecPattern, ...]:
        """All patterns as they are written, with their places in the file."""
        from turngrade.core.spec_pattern import patterns_of  # grading asks for none

        return tuple(patterns_of(self.model, self.places))

    def with_stimulus(self, name: str) -> Spec:
        """The same spec with the graders of one stimulus applied to every transcript.

        Raises:
            KeyError: The spec has no stimulus of that name; the message names those it has.
        """
        if name not in self.compiled.by_stimulus:
            known = ", ".join(repr(known) for known in self.compiled.by_stimulus) or "none"
            raise KeyError(f"no stimulus {name!r} in the spec; it has: {known}")
        return replace(self, stimulus=name)

    def only(self, names: Iterable[str]) -> Spec:
        """The same spec with some of its graders; weights and threshold stay as they are.

        The digest is another one: an aggregate of some graders is not that of all.

        Args:
            names: Names of graders.

        Raises:
            KeyError: The spec has no grader of such a name; the message names those it has.
            ValueError: No grader is left, or those that are have no weight in ``scoring.weights``.
            TypeError: The names are one string.
        """
        if isinstance(names, str):
            raise TypeError(f"names is a list of names; write [{names!r}]")
        names = frozenset(names)
        if not names:
            raise ValueError(f"no grader is left; name some of: {', '.join(self.grader_names)}")
        unknown = sorted(name for name in names if name not in self.grader_names)
        if unknown:
            raise KeyError(f"no grader {unknown[0]!r} in the spec; it has: {', '.join(self.grader_names)}")
        chosen = tuple(name for name in self.grader_names if name in names)
        spec = replace(self, compiled=self.compiled.only(chosen), chosen=chosen)
        if not self.aggregation.total((grader.name, grader.type) for grader in spec.graders):
            raise ValueError("the graders that are left have no weight in scoring.weights")
        return spec

    def graders_for(self, transcript: Transcript) -> tuple[Grader, ...]:
        """The graders that apply to a transcript."""
        by_stimulus = self.compiled.by_stimulus
        if not by_stimulus:
            return self.compiled.everywhere
        if self.stimulus is not None:
            return self.compiled.everywhere + by_stimulus[self.stimulus]
        for name in (transcript.id, transcript.metadata.get("stimulus")):
            if isinstance(name, str) and name in by_stimulus:
                return self.compiled.everywhere + by_stimulus[name]
        return self.compiled.everywhere

    def grade(self, transcript: Transcript | Unreadable) -> Grade:
        """Grade one transcript.

        What a pattern or a text does wrong becomes an error verdict, and what could not be read an error
        row; nothing is raised for either.

        Raises:
            TypeError: The argument is neither.
        """
        if isinstance(transcript, Unreadable):
            place = (transcript.source, transcript.id, transcript.epoch)
            return Grade(*place, passed=False, score=0.0, verdicts=(), error=transcript.message)
        if not isinstance(transcript, Transcript):
            given = type(transcript).__name__
            raise TypeError(
                f"a Transcript is graded (Transcript.from_texts makes one of strings), not {given}"
            )
        prepared = self.prepared(transcript)
        graders = self.graders_for(prepared)
        subjects = Subjects(grader.check for grader in graders if grader.check is not None)
        verdicts = tuple(
            noted(
                grader.judge(prepared, subjects), transcript, output_key=self.output_key, strict=self.strict
            )
            for grader in graders
        )
        score = self.aggregation.score(verdicts)
        passed = self.aggregation.passed(verdicts, score)
        return Grade(transcript.source, transcript.id, transcript.epoch, passed, score, verdicts)

    def prepared(self, transcript: Transcript) -> Transcript:
        """The transcript in the form that is graded, to which the offsets of hits refer.

        ``output_key`` has chosen its final output, and ``strip_thinking`` has cut its texts.
        """
        if self.model.output_key is not None:
            transcript = with_output_key(transcript, self.model.output_key)
        return transcript.without_thinking() if self.model.strip_thinking else transcript


def load_spec(source: SpecSource) -> Spec:
    """Load a spec.

    Args:
        source: Path of a YAML or JSON file, the same as a dict, or a list of graders. A `Spec` is returned as
            it is. A Vally eval file (with ``stimuli``) works too.

    Raises:
        InvalidSpec: With every problem at once. Invalid patterns are among them only with ``strict: true``;
            otherwise `Spec.problems` lists them.
        TypeError: The source is none of these.
    """
    if isinstance(source, Spec):
        return source
    document = _document(source)
    warnings: tuple[SpecProblem, ...] = ()
    if is_vally(document.data):
        data, warnings = without_foreign_graders(document)
        model: SpecFile = validate(VallyFile, structs.replace(document, data=data))
    else:
        model = validate(SpecFile, document)
    compiled = compile_spec(model, document)
    told = warnings + compiled.warnings
    aggregation = aggregation_of(model)
    return Spec(model, compiled, document.source, told, aggregation=aggregation, places=document.places)


def grade(spec: SpecSource, transcript: Transcript | Unreadable) -> Grade:
    """Grade one transcript with a spec, given as `load_spec` takes it.

    Raises:
        InvalidSpec: The spec cannot be used.
    """
    return load_spec(spec).grade(transcript)


def _document(source: str | PathLike[str] | Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> Document:
    if isinstance(source, (str, PathLike)):
        document = read_document(Path(source))
        return (
            structs.replace(document, data={"graders": document.data})
            if isinstance(document.data, list)
            else document
        )
    if isinstance(source, Mapping):
        return Document(dict(source))
    if isinstance(source, Sequence) and not isinstance(source, (bytes, bytearray)):
        return Document({"graders": list(source)})
    raise TypeError(f"a spec is a path, a mapping or a list of graders, not {type(source).__name__}")
