"""``export_code``: a spec's graders as self-contained code evaluators for LangSmith's hosted evaluators.

The code holds this package's own reader and grader, cut down to the standard library, with one part
replaced: the pattern engine is ``re``. So the verdicts are the same by construction, wherever ``re`` can
match the same; where it cannot, the grader is refused.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from msgspec.structs import asdict

from turngrade.adapters.langsmith.hosted.bundle import ENTRY, bundle
from turngrade.adapters.langsmith.hosted.re_pattern import NotExact, re_pattern
from turngrade.core import Grader, Pattern, Spec, SpecSource, Transcript, load_spec
from turngrade.core.checks import Check, Finder, PatternCheck, Unless, ValuesCheck
from turngrade.core.dialect import parse
from turngrade.core.substring import Substring
from turngrade.core.version import version


@dataclass(frozen=True, slots=True)
class Refusal:
    """A grader that cannot be exported.

    Args:
        name: The grader's name.
        reason: What of it cannot be done exactly.
    """

    name: str
    reason: str


class NotExportable(ValueError):
    """Graders of a spec cannot be done exactly by the standard library.

    Args:
        refusals: Which, and why.
    """

    def __init__(self, refusals: tuple[Refusal, ...]) -> None:
        super().__init__(refusals)
        self.refusals = refusals

    def __str__(self) -> str:
        lines = [f"  {refusal.name}: {refusal.reason}" for refusal in self.refusals]
        return "\n".join(["these graders cannot be exported exactly:", *lines])


def export_code(spec: SpecSource, only: Collection[str] | None = None) -> dict[str, str]:
    """Make a code evaluator of each grader.

    Each is a Python module with ``perform_eval(run, example=None)`` that needs nothing but Python 3.11. It
    returns the grader's name as ``key``, its verdict as ``score`` (None for an error), and the ``comment``
    that `evaluator` gives. There is no time limit but LangSmith's own, and no aggregate: a hosted evaluator
    has one key.

    Args:
        spec: The spec, as `load_spec` takes it.
        only: Names of the graders to export; all by default.

    Returns:
        The source by grader name.

    Raises:
        InvalidSpec: The spec cannot be used.
        NotExportable: Some of the graders cannot be exported; all of them are named, with the reason.
        KeyError: ``only`` names a grader that is not in the spec.
    """
    loaded = load_spec(spec)
    code: dict[str, str] = {}
    refusals: list[Refusal] = []
    for grader in _wanted(loaded, only):
        try:
            code[grader.name] = _module(loaded, grader)
        except NotExact as error:
            refusals.append(Refusal(grader.name, error.construct))
    if refusals:
        raise NotExportable(tuple(refusals))
    return code


def _wanted(spec: Spec, only: Collection[str] | None) -> Iterator[Grader]:
    unknown = set(only or ()) - set(spec.grader_names)
    if unknown:
        known = ", ".join(spec.grader_names)
        raise KeyError(f"no grader named {', '.join(sorted(unknown))} in the spec; it has: {known}")
    return (grader for grader in spec.graders if only is None or grader.name in only)


def _module(spec: Spec, grader: Grader) -> str:
    config = _config(spec, grader)
    sources = bundle()
    digest = hashlib.sha256(json.dumps(sources, sort_keys=True).encode()).hexdigest()[:12]
    return _TEMPLATE.format(
        version=version(),
        digest=spec.digest,
        config=json.dumps(json.dumps(config, sort_keys=True)),
        root=f"_turngrade_{digest}",
        entry=ENTRY,
        sources="\n".join(f"    {name!r}: {_literal(source)}," for name, source in sources.items()),
    )


def _config(spec: Spec, grader: Grader) -> dict[str, Any]:
    """The grader as JSON.

    Raises:
        NotExact: It cannot be done exactly.
    """
    if grader not in spec.graders_for(Transcript((), None)):
        raise NotExact("it belongs to a stimulus; choose one with Spec.with_stimulus")
    if grader.fault is not None or grader.check is None:
        raise NotExact("its pattern does not compile")
    return {
        "name": grader.name,
        "type": grader.type,
        "where": grader.where,
        "negate": grader.negate,
        "scope": grader.scope,
        "select": grader.select,
        "counts": asdict(grader.counts),
        "first_hit": grader.first_hit,
        "max_text_length": grader.limits.max_text_length,
        "strict": spec.strict,
        "strip_thinking": spec.model.strip_thinking,
        "output_key": spec.output_key,
        "check": _check_config(grader.check),
    }


def _check_config(check: Check) -> dict[str, Any]:
    if isinstance(check, PatternCheck):
        return {"finder": _finder_config(check.finder), "shown": check.shown}
    if isinstance(check, ValuesCheck):
        finders = [_finder_config(finder) for finder in check.finders]
        return {"values": check.values, "finders": finders, "every": check.every}
    raise NotExact(f"a check of the kind {type(check).__name__}")


def _finder_config(finder: Finder) -> dict[str, Any]:
    if isinstance(finder, Unless):
        return {**_finder_config(finder.finder), "unless": _finder_config(finder.exception)}
    if isinstance(finder, Substring):
        return {"needle": finder.needle, "case": finder.case_sensitive}
    if isinstance(finder, Pattern):
        tree = parse(finder.source, finder.flags)
        return {"pattern": re_pattern(tree), "unicode": tree.unicode, "sticky": tree.sticky}
    raise NotExact(f"a finder of the kind {type(finder).__name__}")


def _literal(source: str) -> str:
    """The source as a string literal that can be read."""
    escaped = source.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return f'"""\\\n{escaped}\n"""'


_TEMPLATE = '''\
"""A turngrade grader as a LangSmith code evaluator. Generated: change the spec and export it again.

turngrade {version}, spec {digest}
Needs Python 3.11 or newer and nothing but its standard library.
"""

import json
import sys
import types

GRADER = json.loads({config})

ROOT = {root!r}

SOURCES = {{
{sources}
}}


def _load():
    """Turn the sources into modules, under names that no installed package has."""
    if sys.version_info < (3, 11):
        raise RuntimeError("this evaluator needs Python 3.11 or newer")
    modules = {{name: types.ModuleType(ROOT + "." + name) for name in SOURCES}}
    sys.modules.update({{module.__name__: module for module in modules.values()}})
    for name, module in modules.items():
        source = SOURCES[name].replace("from turngrade.", "from " + ROOT + ".turngrade.")
        exec(compile(source, "<" + name + ">", "exec"), module.__dict__)
    return modules[{entry!r}]


_RUNTIME = _load()


def perform_eval(run, example=None):
    """Grade a run; the example is not used."""
    return _RUNTIME.evaluate(GRADER, run)
'''
