from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest
import yaml
from tests.cli.support import SPEC, Command

Write = Callable[..., Path]


def test_schema_is_a_schema_that_accepts_a_spec(turngrade: Command) -> None:
    result = turngrade("schema")
    schema = json.loads(result.out)
    assert result.code == 0
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(yaml.safe_load(SPEC), schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"graders": [{"type": "output-matches", "config": {"patern": "x"}}]}, schema)


class TestLint:
    def test_a_good_spec(self, turngrade: Command, spec: Path) -> None:
        result = turngrade("lint", spec.name)
        assert (result.code, result.out) == (0, "")
        assert "1 spec checked: 0 faults, 0 warnings" in result.err

    def test_every_fault_with_its_place_and_the_nearest_key(self, turngrade: Command, write: Write) -> None:
        write("spec.yaml", "graders:\n- type: output-matches\n  config:\n    patern: x\nscorin: {}\n")
        result = turngrade("lint", "spec.yaml")
        assert result.code == 4
        assert "spec.yaml:4:5: error: graders[0].config" in result.out
        assert "'pattern'" in result.out
        assert "spec.yaml:5:1: error: scorin" in result.out
        assert "'scoring'" in result.out

    def test_an_invalid_pattern_has_a_caret_under_the_fault(self, turngrade: Command, write: Write) -> None:
        write("spec.yaml", "graders:\n- type: output-matches\n  config: {pattern: 'a(?P<n>b)'}\n")
        result = turngrade("lint", "spec.yaml")
        assert result.code == 4
        lines = result.out.splitlines()
        assert lines[0].startswith("spec.yaml:3:")
        shown = next(line for line in lines[1:] if "a(?P<n>b)" in line)
        caret = lines[lines.index(shown) + 1]
        assert caret.strip() == "^"
        assert shown[caret.index("^") :].startswith(("(?P<n>", "?P<n>"))
        assert "(?<n>" in result.out

    def test_a_missing_file_and_broken_yaml(self, turngrade: Command, write: Write, spec: Path) -> None:
        write("broken.yaml", "graders: [")
        result = turngrade("lint", "missing.yaml", "broken.yaml", spec.name)
        assert result.code == 4
        assert "missing.yaml: error: cannot read the spec: No such file or directory" in result.out
        assert "broken.yaml:1:11: error: not well-formed YAML" in result.out
        assert "3 specs checked: 2 faults" in result.err

    def test_a_warning_points_at_its_place_and_says_what_to_write(
        self, turngrade: Command, write: Write
    ) -> None:
        write(
            "spec.yaml", "graders:\n- type: output-matches\n  config:\n    pattern: '(?i)I can''t \\b--x'\n"
        )
        result = turngrade("lint", "spec.yaml")
        assert result.code == 0
        assert result.out.splitlines() == [
            (
                "spec.yaml:4:5: warning: graders[0].config.pattern: the apostrophe ' does not match ’, which "
                "most models "
                "write [ascii-apostrophe]"
            ),
            "        (?i)I can't \\b--x",
            "                 ^",
            "    hint: write ['’]",
            (
                "spec.yaml:4:5: warning: graders[0].config.pattern: \\b beside a character that is no word "
                "character needs "
                "one on its other side [boundary-beside-punctuation]"
            ),
            "        (?i)I can't \\b--x",
            "                    ^",
            "    hint: leave it out, or write (?<!\\w) before and (?!\\w) behind",
        ]
        assert "1 spec checked: 0 faults, 2 warnings" in result.err

    def test_ignore(self, turngrade: Command, write: Write) -> None:
        write("spec.json", {"graders": [{"type": "output-matches", "config": {"pattern": "^a|b.*c"}}]})
        assert turngrade("lint", "--strict", "spec.json").code == 4
        ignored = ["--ignore", "dot-gap", "--ignore", "branch-anchor", "--ignore", "line-anchor"]
        assert turngrade("lint", "--strict", "spec.json", *ignored).code == 0
        assert (
            "no rule 'dots'; there are ascii-apostrophe, "
            in turngrade("lint", "spec.json", "--ignore", "dots").err
        )

    def test_patterns_everywhere_are_looked_at(self, turngrade: Command, write: Write) -> None:
        guarded = {"type": "transcript-matches", "config": {"pattern": r"\d", "unless": r"\Ax"}}
        flagged = {"type": "regex-match", "config": {"pattern": r"x\Z", "flags": "im"}}
        write(
            "eval.json",
            {"graders": [guarded], "stimuli": [{"name": "s", "graders": [{"type": "other"}, flagged]}]},
        )
        out = turngrade("lint", "eval.json").out
        assert "graders[0].config.unless: \\A is the plain letter A" in out
        assert "stimuli[0].graders[1].config.pattern: \\Z is the plain letter Z" in out

    @pytest.fixture
    def bad(self, write: Write) -> None:
        graders = [
            {"type": "output-matches", "name": str(n), "config": {"pattern": p}}
            for n, p in enumerate(["(", "a*"])
        ]
        write("spec.json", {"graders": graders})

    @pytest.mark.usefixtures("bad")
    def test_json(self, turngrade: Command) -> None:
        result = turngrade("lint", "--format", "json", "spec.json")
        first, second = json.loads(result.out)
        assert (result.code, first["rule"], first["level"]) == (4, "pattern", "error")
        assert (second["rule"], second["level"], second["path"]) == (
            *("matches-everything", "warning", "graders[1].config.pattern"),
        )
        assert (second["file"], second["line"], second["column"]) == ("spec.json", 14, 9)

    @pytest.mark.usefixtures("bad")
    def test_github(self, turngrade: Command) -> None:
        first, second = turngrade("lint", "--format", "github", "spec.json").out.splitlines()
        assert first.startswith(
            "::error file=spec.json,line=7,col=9,title=turngrade pattern::graders[0].config.pattern: "
        )
        assert second.startswith(
            "::warning file=spec.json,line=14,col=9,title=turngrade matches-everything::"
        )
        assert "%0Ahint: " in second

    @pytest.mark.usefixtures("bad")
    def test_sarif(self, turngrade: Command) -> None:
        log = json.loads(turngrade("lint", "--format", "sarif", "spec.json").out)
        (run,) = log["runs"]
        assert (log["version"], run["tool"]["driver"]["name"]) == ("2.1.0", "turngrade")
        assert [(result["ruleId"], result["level"]) for result in run["results"]] == [
            *(("pattern", "error"), ("matches-everything", "warning")),
        ]
        location = run["results"][1]["locations"][0]["physicalLocation"]
        assert location == {
            "artifactLocation": {"uri": "spec.json"},
            "region": {"startLine": 14, "startColumn": 9},
        }
        assert {rule["id"] for rule in run["tool"]["driver"]["rules"]} >= {"matches-everything", "dot-gap"}

    def test_warnings_fail_only_if_strict(self, turngrade: Command, write: Write) -> None:
        write("spec.yaml", SPEC + "scoring: {weights: {order-id: 0.5, nothing: 0.5}}\n")
        result = turngrade("lint", "spec.yaml")
        assert result.code == 0
        assert "warning: " in result.out
        assert "nothing" in result.out
        assert turngrade("lint", "--strict", "spec.yaml").code == 4
