"""Loading specs: every key checked, every problem told at once, with its path and what to write instead."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

from turngrade.core import InvalidSpec, Spec, Transcript, load_spec


def grader(**config: Any) -> dict[str, Any]:
    return {"type": "transcript-matches", "config": {"pattern": "x", **config}}


def problems_of(source: Any) -> dict[str, str]:
    with pytest.raises(InvalidSpec) as caught:
        load_spec(source)
    return {problem.path: problem.message for problem in caught.value.problems}


def test_all_problems_come_at_once_with_their_paths() -> None:
    found = problems_of(
        {
            "limts": {},
            "graders": [
                {"type": "transcript-matches", "config": {"patern": "x", "negate": "yes"}},
                {"type": "transcript-match", "config": {"pattern": "x"}},
                {"type": "contains"},
                {"config": {"value": "x"}},
                7,
            ],
            "limits": {"timeout": 0},
        }
    )
    assert found == {
        "limts": "unknown key 'limts'; did you mean 'limits'?",
        "graders[0].config.patern": "unknown key 'patern'; did you mean 'pattern'?",
        "graders[0].config.pattern": "is required, and missing",
        "graders[0].config.negate": "must be true or false, not 'yes'",
        "graders[1]": "unknown grader type 'transcript-match'; did you mean 'transcript-matches'?",
        "graders[2].config": "is required, and missing",
        "graders[3]": found["graders[3]"],
        "graders[4]": "must be a mapping with the keys type, name and config, not 7",
        "limits.timeout": "input should be greater than 0",
    }
    assert "the key type is missing" in found["graders[3]"]


def test_problems_carry_lines(tmp_path: Path) -> None:
    path = tmp_path / "spec.yaml"
    path.write_text("graders:\n  - type: contains\n    config:\n      valeu: a\n")
    with pytest.raises(InvalidSpec) as caught:
        load_spec(path)
    assert {(p.path, p.line, p.column) for p in caught.value.problems} == {
        ("graders[0].config.valeu", 4, 7),
        ("graders[0].config.value", 3, 5),
    }
    assert str(caught.value).startswith(f"2 problems in {path}:\n  graders[0].config")


@pytest.mark.parametrize(
    ("config", "path", "said"),
    [
        ({"pattern": ""}, "pattern", "must not be empty"),
        ({"pattern": 5}, "pattern", "must be a string (quote it), not 5"),
        ({"unless": ""}, "unless", "must not be empty"),
        ({"scope": "all"}, "scope", "must be 'run', 'conversation' or 'model-calls', not 'all'"),
        ({"select": "middle"}, "select", "must be 'first', 'last' or 'all', not 'middle'"),
        ({"min_matches": -1}, "min_matches", "greater than or equal to 0"),
        ({"min_matches": 1.5}, "min_matches", "must be a whole number, not 1.5"),
        ({"min_matches": True}, "min_matches", "must be a whole number, not True"),
        ({"min_matches": 3, "max_matches": 2}, "", "min_matches (3) is above max_matches (2)"),
        ({"min_matches": 2, "select": "first"}, "", "can never be reached with select: first"),
        ({"max_matches": 2, "negate": True}, "", "do not go together with negate"),
        ({"flags": "i"}, "flags", "unknown key 'flags'"),
        ({"case_sensitive": True}, "case_sensitive", "unknown key 'case_sensitive'"),
        ({"examples": {"matches": []}}, "examples.matches", "did you mean 'match'?"),
        ({"examples": {"match": "x"}}, "examples.match", "must be a list, not 'x'"),
    ],
)
def test_bad_config(config: dict[str, Any], path: str, said: str) -> None:
    found = problems_of([grader(**config)])
    full = "graders[0].config" + (f".{path}" if path else "")
    assert said in found[full]


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ({"type": "transcript-not-matches", "config": {"pattern": "x", "negate": False}}, "contradicts"),
        (
            {"type": "transcript-not-contains", "config": {"value": "x", "min_matches": 1}},
            "do not go together",
        ),
        ({"type": "output-matches", "config": {"pattern": "x", "scope": "run"}}, "unknown key 'scope'"),
        ({"type": "output-contains", "config": {"value": "x", "substring": "y"}}, "are the same key"),
        ({"type": "contains", "config": {"value": []}}, "must not be empty"),
        ({"type": "contains", "config": {"value": ["a", ""]}}, "must not be empty"),
        (
            {"type": "contains", "config": {"value": "a", "mode": "some"}},
            "must be 'any' or 'all', not 'some'",
        ),
        ({"type": "contains", "pattern": "x", "config": {"value": "a"}}, "unknown key 'pattern'"),
        ({"type": "contains", "value": "x", "config": {"value": "a"}}, "it goes under config"),
        ({"type": "contains", "name": "", "config": {"value": "a"}}, "must not be empty"),
        ({"type": "contains", "name": "aggregate", "config": {"value": "a"}}, "reserved"),
        ({"type": "contains", "turn": 1, "config": {"value": "a"}}, "unknown key 'turn'"),
    ],
)
def test_bad_graders(bad: dict[str, Any], said: str) -> None:
    assert any(said in message for message in problems_of([bad]).values())


def test_faults_of_one_config_come_together() -> None:
    bad = {"pattern": "", "scope": "zz", "unless": "", "negate": False}
    found = problems_of([{"type": "transcript-not-matches", "config": bad}])
    assert set(found) == {f"graders[0].config.{key}" for key in bad}


@pytest.mark.parametrize("source", [None, 5, b"x", 1.5])
def test_what_is_no_source_is_a_type_error(source: Any) -> None:
    with pytest.raises(TypeError, match="a spec is a path, a mapping or a list of graders"):
        load_spec(source)


def test_yaml_text_is_not_taken_for_a_missing_file() -> None:
    assert "taken for the path" in problems_of("graders:\n  - type: contains")[""]


def test_a_type_may_be_weighed_by_its_alias() -> None:
    graders: list[dict[str, Any]] = [
        {"type": "CONTAINS", "config": {"value": "bye"}},
        {"type": "output-contains", "name": "q", "config": {"value": "x"}},
    ]
    spec = load_spec({"graders": graders, "scoring": {"weights": {"CONTAINS": 0.5, "q": 0.5}}})
    assert spec.warnings == ()
    assert spec.grade(Transcript.from_texts(["bye"])).score == 0.5
    named = [{**graders[0], "name": "CONTAINS"}, graders[1]]
    spec = load_spec({"graders": named, "scoring": {"weights": {"CONTAINS": 1, "q": 0}}})
    assert spec.grade(Transcript.from_texts(["bye"])).score == 1.0


@pytest.mark.parametrize("source", [[], {}, {"graders": []}, {"graders": None}])
def test_a_spec_needs_graders(source: Any) -> None:
    assert "graders" in problems_of(source)


def test_names_default_to_the_type_and_are_numbered() -> None:
    spec = load_spec([grader(), grader(), {"type": "CONTAINS", "config": {"value": "a"}}, grader()])
    assert spec.grader_names == (
        "transcript-matches",
        "transcript-matches-2",
        "contains",
        "transcript-matches-3",
    )


def test_a_default_name_gives_way_to_an_explicit_one() -> None:
    spec = load_spec([grader(), {**grader(), "name": "transcript-matches"}])
    assert spec.grader_names == ("transcript-matches-2", "transcript-matches")


def test_equal_explicit_names_are_refused() -> None:
    found = problems_of([{**grader(), "name": "a"}, {**grader(), "name": "b"}, {**grader(), "name": "a"}])
    assert found == {"graders[2].name": "the name 'a' stands twice; give each grader its own"}


def test_weights_that_sum_to_zero_are_refused() -> None:
    found = problems_of({"graders": [grader()], "scoring": {"weights": {"other": 1}}})
    assert "sum to zero" in found["scoring.weights"]


@pytest.mark.parametrize("weight", [-1, float("nan"), float("inf"), "1", 1e308])
def test_weights_are_finite_numbers_from_zero(weight: Any) -> None:
    found = problems_of({"graders": [grader()], "scoring": {"weights": {"transcript-matches": weight}}})
    assert list(found) == ["scoring.weights.transcript-matches"]


def test_weights_that_cannot_be_meant_are_warned_of() -> None:
    weights = {"transcript-matches": 0.5, "transcript-mathces": 0.7}
    spec = load_spec({"graders": [grader()], "scoring": {"weights": weights}})
    assert tuple(map(str, spec.warnings)) == (
        "scoring.weights.transcript-mathces: names no grader; did you mean 'transcript-matches'?",
        "scoring.weights: the weights sum to 1.2, not to 1; the aggregate is divided by that",
    )


def test_an_invalid_pattern_loads_and_is_told() -> None:
    spec = load_spec([grader(), grader(pattern="(", unless="[")])
    assert [problem.path for problem in spec.problems()] == [
        "graders[1].config.pattern",
        "graders[1].config.unless",
    ]
    assert "Invalid regex pattern: (. Error: " in spec.problems()[0].message


def test_strict_refuses_an_invalid_pattern() -> None:
    assert list(problems_of({"graders": [grader(pattern="(")], "strict": True})) == [
        "graders[0].config.pattern"
    ]


def test_strict_tells_patterns_and_names_at_once() -> None:
    named = {**grader(pattern="("), "name": "a"}
    found = problems_of({"graders": [named, {**grader(), "name": "a"}], "strict": True})
    assert list(found) == ["graders[1].name", "graders[0].config.pattern"]


def test_values_that_cannot_be_shown_are_told() -> None:
    class Unshowable:
        def __repr__(self) -> str:
            raise RuntimeError

    deep: list[Any] = []
    for _ in range(2000):
        deep = [deep]
    assert "not a Unshowable" in problems_of({"graders": [grader()], "strict": Unshowable()})["strict"]
    assert list(problems_of({"graders": deep})) == ["graders[0]"]


def test_contains_takes_a_text_or_several() -> None:
    found = problems_of([{"type": "contains", "config": {"value": 5}}])
    assert found == {"graders[0].config.value": "must be a string, or a list of strings, not 5"}


def test_the_digest_covers_what_decides_verdicts() -> None:
    base = load_spec([grader()])
    assert base.digest == load_spec({"name": "x", "description": "y", "graders": [grader()]}).digest
    assert base.digest != load_spec([grader(pattern="y")]).digest
    assert base.digest != load_spec({"graders": [grader()], "limits": {"timeout": 1}}).digest
    assert len(base.digest) == 64


def test_some_graders_of_a_spec() -> None:
    graders = [{"type": "contains", "name": name, "config": {"value": name}} for name in ("a", "b", "c")]
    spec = load_spec({"graders": graders, "scoring": {"weights": {"a": 0.5, "b": 0.5}}})
    some = spec.only(["c", "a"])
    assert some.grader_names == ("a", "c")
    assert [v.name for v in some.grade(Transcript.from_texts(["a"])).verdicts] == ["a", "c"]
    assert some.grade(Transcript.from_texts(["a"])).score == 1.0
    assert some.digest == spec.only(("a", "c")).digest != spec.digest
    with pytest.raises(KeyError, match="no grader 'd' in the spec; it has: a, b, c"):
        spec.only(["d"])
    with pytest.raises(ValueError, match=r"no weight in scoring\.weights"):
        spec.only(["c"])
    with pytest.raises(ValueError, match="no grader is left; name some of: a, b, c"):
        spec.only([])
    with pytest.raises(TypeError, match=r"names is a list of names; write \['ab'\]"):
        spec.only("ab")
    assert spec.only(name for name in "ab").grader_names == ("a", "b")


def test_json_yaml_dict_and_list_are_the_same(tmp_path: Path) -> None:
    yaml, as_list = tmp_path / "a.yaml", tmp_path / "b.yaml"
    yaml.write_text("graders:\n- type: transcript-matches\n  config: {pattern: x}\n")
    as_list.write_text("- type: transcript-matches\n  config: {pattern: x}\n")
    json = tmp_path / "a.json"
    json.write_text('{"graders": [{"type": "transcript-matches", "config": {"pattern": "x"}}]}')
    specs = [
        load_spec(source) for source in (yaml, str(yaml), as_list, json, [grader()], {"graders": [grader()]})
    ]
    assert {spec.digest for spec in specs} == {specs[0].digest}
    assert load_spec(specs[0]) is specs[0]


def test_a_scalar_is_no_spec(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("hello")
    assert "not 'hello'" in problems_of(path)[""]


def test_specs_and_their_errors_pickle() -> None:
    spec = load_spec([grader(), grader(pattern="(")])
    again: Spec = pickle.loads(pickle.dumps(spec))
    transcript = Transcript.from_texts(["a x"])
    assert again.grade(transcript) == spec.grade(transcript)
    with pytest.raises(InvalidSpec) as caught:
        load_spec([])
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
