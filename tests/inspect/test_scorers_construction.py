"""Faults that stop before any model call, with a message that Inspect prints cleanly."""

import logging
from pathlib import Path
from typing import Any

import pytest
from inspect_ai._util.error import PrerequisiteError

from turngrade.adapters.inspect import (
    contains,
    graders,
    output_matches,
    regex_match,
    transcript_contains,
    transcript_matches,
    transcript_not_matches,
)
from turngrade.core import load_spec


def stopped(call: Any, *args: Any, **kwargs: Any) -> str:
    """The message with which a factory stops, as rich prints it."""
    from rich.markup import render

    with pytest.raises(PrerequisiteError) as caught:
        call(*args, **kwargs)
    assert not isinstance(caught.value, ValueError)
    return render(str(caught.value.message)).plain


@pytest.mark.parametrize("value", [["a{2", "3}"], [12], {3: None}, True, 123, None, ""])
def test_a_pattern_that_the_command_line_mangled_points_to_the_file(value: Any) -> None:
    message = stopped(transcript_matches, value)
    assert "pattern" in message
    if value == "":
        assert "must not be empty" in message
        return
    assert f"transcript_matches: pattern must be text, but is {value!r}." in message
    assert "-S graders=FILE.yaml" in message
    assert "type: transcript-matches" in message
    assert "pattern: 'a{2,3}'" in message


def test_other_texts_are_checked_the_same_way() -> None:
    mangled: Any = ["a", "b"]
    assert "transcript_contains: substring must be text" in stopped(transcript_contains, mangled)
    assert "regex_match: flags must be text, but is None" in stopped(regex_match, "a", flags=None)
    assert "output_matches: unless must be text" in stopped(output_matches, "a", unless=mangled)
    contains(mangled)  # a list of values is what `-S value=a,b` means there


@pytest.mark.parametrize(
    ("kwargs", "problem"),
    [
        ({"scope": "rum"}, "scope: must be 'run', 'conversation' or 'model-calls', not 'rum'"),
        ({"min_matches": 3, "max_matches": 1}, "min_matches (3) is above max_matches (1)"),
        ({"timeout": 0}, "timeout: "),
        ({"timeout": "5"}, "timeout: must be a number, not '5'"),
        ({"negate": "yes"}, "negate: must be true or false, not 'yes'"),
        ({"on_error": "skip"}, "on_error must be 'incorrect' or 'unscored', not 'skip'."),
    ],
)
def test_an_argument_is_named_as_the_scorer_names_it(kwargs: dict[str, Any], problem: str) -> None:
    message = stopped(transcript_matches, "a", **kwargs)
    assert message.startswith("transcript_matches: ")
    assert problem in message
    assert "graders[0]" not in message
    assert "limits" not in message


def test_a_not_type_cannot_be_negated_back() -> None:
    assert "negate: contradicts the -not- type" in stopped(transcript_not_matches, "a", negate=False)


def test_no_such_file(tmp_path: Path) -> None:
    message = stopped(graders, str(tmp_path / "none.yaml"))
    assert message == f"graders: there is no file {tmp_path / 'none.yaml'} (in {Path.cwd()})."


def test_broken_yaml_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "spec.yaml"
    path.write_text("graders:\n  - type: [output-matches\n")
    message = stopped(graders, path)
    assert "not well-formed YAML" in message
    assert "line 3" in message


def test_every_problem_of_a_spec_is_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "spec.yaml"
    graders_of_file = [
        "type: output-matches\n    config: {patern: '[a-z]'}",
        "type: output-match\n    config: {}",
    ]
    path.write_text("\n  - ".join(["graders:", *graders_of_file]))
    message = stopped(graders, path)
    assert "graders[0].config" in message
    assert "graders[1]" in message


@pytest.mark.parametrize("value", [None, 5, ["a.yaml", "b.yaml"]])
def test_graders_that_are_none(value: Any) -> None:
    assert "graders" in stopped(graders, value)


def test_what_is_no_spec_is_quoted_briefly() -> None:
    spec = load_spec([{"type": "output-matches", "config": {"pattern": "x" * 900}}])
    message = stopped(graders, spec)
    assert message.startswith("graders must be the path of a spec file, its content or a list, not Spec(")
    assert len(message) < 200
    assert len(stopped(output_matches, ["x" * 5000])) < 800


def test_an_invalid_pattern_warns_loudly(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        output_matches("[z-a]")
        graders([{"type": "output-matches", "name": "bad", "config": {"pattern": "(?P<n>a)"}}])
    first, second = (record.getMessage() for record in caplog.records)
    assert first.startswith(
        "output_matches: every sample will be an error (scoring_failed), because:\n  pattern: "
    )
    assert second.startswith(
        "graders: every sample will be an error (scoring_failed), because:\n  graders[0]."
    )
    assert "(?P<n>a)\n        ^" in second


def test_an_invalid_pattern_stops_with_strict(tmp_path: Path) -> None:
    assert "pattern: " in stopped(output_matches, "[z-a]", strict=True)
    bad = [{"type": "output-matches", "config": {"pattern": "[z-a]"}}]
    assert "graders[0].config.pattern" in stopped(graders, bad, strict=True)
    assert "graders[0].config.pattern" in stopped(graders, {"strict": True, "graders": bad})


def test_brackets_of_a_pattern_reach_the_user() -> None:
    assert "[z-a]" in stopped(output_matches, "[z-a]", strict=True)


def test_a_good_scorer_says_nothing(caplog: pytest.LogCaptureFixture) -> None:
    transcript_matches("a", scope="conversation", unless="b")
    assert caplog.records == []


@pytest.mark.parametrize(
    ("scorer", "key"),
    [
        (transcript_matches, "pattern"),
        (transcript_not_matches, "pattern"),
        (output_matches, "pattern"),
        (regex_match, "pattern"),
        (transcript_contains, "substring"),
        (contains, "value"),
    ],
)
def test_what_is_not_given_is_told(scorer: Any, key: str) -> None:
    """Inspect would print a traceback of the `TypeError`."""
    assert f"{scorer.__name__}: no {key} is given; it must not be empty." in stopped(scorer)


def test_no_spec_is_told() -> None:
    assert stopped(graders).startswith("graders: no spec is given. ")


@pytest.mark.parametrize("value", [b"spec.yaml", bytearray(b"graders: []"), 3])
def test_a_spec_is_no_bytes(value: Any) -> None:
    assert stopped(graders, value).startswith(
        "graders must be the path of a spec file, its content or a list"
    )
