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

    def test_warnings_fail_only_if_strict(self, turngrade: Command, write: Write) -> None:
        write("spec.yaml", SPEC + "scoring: {weights: {order-id: 0.5, nothing: 0.5}}\n")
        result = turngrade("lint", "spec.yaml")
        assert result.code == 0
        assert "warning: " in result.out
        assert "nothing" in result.out
        assert turngrade("lint", "--strict", "spec.yaml").code == 4
