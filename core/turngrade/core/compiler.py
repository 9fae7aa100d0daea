"""From the validated file to its graders: names, patterns, and what the models cannot see on their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from turngrade.core import models
from turngrade.core.aggregate import Aggregation
from turngrade.core.build import PatternFault, build_grader, canonical_type
from turngrade.core.grader import Grader
from turngrade.core.models import Scoring, SpecFile, VallyFile
from turngrade.core.problems import InvalidSpec, Path, SpecProblem
from turngrade.core.source import Document
from turngrade.core.suggest import did_you_mean
from turngrade.core.validation import problem_at


class Compiled(Struct, frozen=True):
    """The graders of a spec, ready.

    Args:
        everywhere: Graders of the top level, which apply to every transcript.
        by_stimulus: Graders of each Vally stimulus.
        problems: Patterns that do not compile.
        warnings: Weights that cannot be meant.
    """

    everywhere: tuple[Grader, ...]
    by_stimulus: Mapping[str, tuple[Grader, ...]] = field(default_factory=dict)
    problems: tuple[SpecProblem, ...] = ()
    warnings: tuple[SpecProblem, ...] = ()

    @property
    def graders(self) -> tuple[Grader, ...]:
        """All graders, in the order of the file."""
        return self.everywhere + tuple(grader for group in self.by_stimulus.values() for grader in group)

    def only(self, names: Collection[str]) -> Compiled:
        """The same with the graders of these names."""

        def kept(graders: tuple[Grader, ...]) -> tuple[Grader, ...]:
            return tuple(grader for grader in graders if grader.name in names)

        by_stimulus = {stimulus: kept(graders) for stimulus, graders in self.by_stimulus.items()}
        return replace(self, everywhere=kept(self.everywhere), by_stimulus=by_stimulus)


def compile_spec(model: SpecFile, document: Document) -> Compiled:
    """Compile the graders of a validated spec.

    Raises:
        InvalidSpec: Names that stand twice, weights that sum to zero; with ``strict``, patterns that do not
            compile.
    """
    compiler = _Compiler(model, document)
    compiled = compiler.run()
    faults = compiler.faults + (compiler.problems if model.strict else [])
    if faults:
        raise InvalidSpec(tuple(faults), document.source)
    return compiled


def aggregation_of(model: SpecFile) -> Aggregation:
    """How the verdicts of a spec add up; a weight may name a type by its alias, as a grader may."""
    scoring = model.scoring or Scoring()
    weights = scoring.weights
    if weights is not None:
        names = {grader.name for grader in _all_models(model) if grader is not None}
        weights = {key if key in names else canonical_type(key): weight for key, weight in weights.items()}
    return Aggregation(weights, scoring.threshold)


def _all_models(model: SpecFile) -> Iterator[models.Grader | None]:
    yield from model.graders
    for stimulus in model.stimuli if isinstance(model, VallyFile) else ():
        yield from stimulus.graders


class _Compiler:
    def __init__(self, model: SpecFile, document: Document) -> None:
        self.model = model
        self.document = document
        self.faults: list[SpecProblem] = []
        self.problems: list[SpecProblem] = []
        self.aggregation = aggregation_of(model)

    def run(self) -> Compiled:
        everywhere = self.group(self.model.graders, ("graders",), ())
        by_stimulus: dict[str, tuple[Grader, ...]] = {}
        for index, stimulus in enumerate(self.model.stimuli if isinstance(self.model, VallyFile) else ()):
            path = ("stimuli", index)
            if stimulus.name in by_stimulus:
                self.fault((*path, "name"), f"the stimulus name {stimulus.name!r} stands twice")
            by_stimulus[stimulus.name] = self.group(stimulus.graders, (*path, "graders"), everywhere)
        for name, group in by_stimulus.items():
            self.check_sum(everywhere + group, f" that apply to the stimulus {name!r}")
        if not by_stimulus:
            self.check_sum(everywhere)
        compiled = Compiled(everywhere, by_stimulus, tuple(self.problems))
        return replace(compiled, warnings=tuple(self.weight_warnings(compiled.graders)))

    def group(
        self, models: Sequence[models.Grader | None], path: Path, before: tuple[Grader, ...]
    ) -> tuple[Grader, ...]:
        names = self.names(models, path, [grader.name for grader in before])
        graders: list[Grader] = []
        for index, (model, name) in enumerate(zip(models, names, strict=True)):
            if model is None:
                continue
            grader, faults = build_grader(
                model, name, self.model.limits, first_hit=self.model.hits == "first"
            )
            graders.append(grader)
            self.problems += [self.pattern_problem((*path, index), fault) for fault in faults]
        return tuple(graders)

    def names(self, models: Sequence[models.Grader | None], path: Path, taken: Sequence[str]) -> list[str]:
        """The graders' names; a default that is taken gets -2, -3."""
        explicit = Counter([*taken, *(model.name for model in models if model is not None and model.name)])
        used = set(explicit)
        names: list[str] = []
        for index, model in enumerate(models):
            name = model.name if model is not None else None
            if model is not None and name is None:
                name = _free(canonical_type(model.type), used)
            elif name is not None and explicit[name] > 1 and (name in taken or name in names):
                self.fault(
                    (*path, index, "name"), f"the name {name!r} stands twice; give each grader its own"
                )
            names.append(name or "")
            used.add(name or "")
        return names

    def check_sum(self, graders: tuple[Grader, ...], which: str = "") -> None:
        if graders and not self.aggregation.total((grader.name, grader.type) for grader in graders):
            message = f"the weights of the graders{which} sum to zero; weigh at least one above 0"
            self.fault(("scoring", "weights"), message)

    def weight_warnings(self, graders: tuple[Grader, ...]) -> Iterator[SpecProblem]:
        weights = self.aggregation.weights
        if weights is None:
            return
        known = {grader.name for grader in graders} | {grader.type for grader in graders}
        for key in weights:
            if key not in known:
                message = f"names no grader; {did_you_mean(key, known)}"
                yield problem_at(("scoring", "weights", key), message, self.document)
        total = sum(weights.values())
        if abs(total - 1) > 1e-6:
            message = f"the weights sum to {total:g}, not to 1; the aggregate is divided by that"
            yield problem_at(("scoring", "weights"), message, self.document)

    def pattern_problem(self, path: Path, fault: PatternFault) -> SpecProblem:
        return problem_at(
            (*path, *fault.path), fault.fault.evidence, self.document, fault.fault.message or ""
        )

    def fault(self, path: Path, message: str) -> None:
        self.faults.append(problem_at(path, message, self.document))


def _free(name: str, used: set[str]) -> str:
    number, candidate = 1, name
    while candidate in used:
        number += 1
        candidate = f"{name}-{number}"
    return candidate
