from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from tests.cli.support import Command

from turngrade.core import load_spec

Write = Callable[..., Path]


class TestStarter:
    def test_it_passes_everything_out_of_the_box(self, turngrade: Command) -> None:
        result = turngrade("init")
        assert result.code == 0
        assert result.out.splitlines() == ["turngrade.yaml", "sample.jsonl", "turngrade.schema.json"]
        assert "turngrade grade turngrade.yaml sample.jsonl" in result.err
        assert turngrade("lint", "--strict", "turngrade.yaml").code == 0
        assert turngrade("test", "turngrade.yaml").code == 0
        assert turngrade("grade", "turngrade.yaml", "sample.jsonl").code == 0

    def test_the_schema_beside_it_accepts_it(self, turngrade: Command) -> None:
        turngrade("init", "evals/agent")
        folder = Path("evals/agent")
        first = (folder / "turngrade.yaml").read_text().splitlines()[0]
        assert first == "# yaml-language-server: $schema=turngrade.schema.json"
        schema = json.loads((folder / "turngrade.schema.json").read_text())
        jsonschema.validate(yaml.safe_load((folder / "turngrade.yaml").read_text()), schema)

    def test_nothing_is_overwritten_unless_forced(self, turngrade: Command, write: Write) -> None:
        write("sample.jsonl", "mine")
        result = turngrade("init")
        assert result.code == 4
        assert "sample.jsonl is there already; --force overwrites it" in result.err
        assert not Path("turngrade.yaml").exists()
        assert turngrade("init", "--force").code == 0
        assert Path("sample.jsonl").read_text() != "mine"

    def test_a_folder_that_cannot_be(self, turngrade: Command, write: Write) -> None:
        write("file", "x")
        assert turngrade("init", "file/under").code == 4


VALLY = """
name: docs-agent
environment: {image: x}
graders:
  - {type: output-not-contains, config: {substring: password}}
  - {type: file-matches, config: {path: "*.md", pattern: x}}
stimuli:
  - name: greets
    prompt: Say hello
    graders:
      - {type: output-matches, config: {pattern: '(?i)hello\\b'}}
      - {type: transcript-matches, turn: 0, config: {pattern: x}}
  - {name: nothing-left, prompt: x, graders: [{type: llm-judge}]}
scoring: {weights: {output-matches: 0.5, output-not-contains: 0.5}, threshold: 0.5, timeout: 3}
"""

PROMPTFOO = r"""
description: x
defaultTest:
  assert:
    - {type: not-icontains, value: as an AI}
tests:
  - description: greets
    vars: {q: hi}
    assert:
      - {type: regex, value: '\bhello\b', metric: tone}
      - {type: not-regex, value: 'error', metric: tone, weight: 2}
      - {type: contains, value: Hello}
      - {type: icontains-any, value: 'hi, hello'}
      - {type: not-contains-all, value: [a, b]}
      - {type: assert-set, assert: [{type: icontains, value: x}]}
      - {type: llm-rubric, value: be nice}
      - {type: contains, value: 'file://expected.txt'}
      - {type: contains, value: '{{name}}'}
  - {assert: [{type: is-json}]}
  - file://more.yaml
"""


class TestCarriedOver:
    def spec(self, turngrade: Command, *args: str) -> tuple[dict[str, Any], str]:
        result = turngrade("init", "out", *args)
        assert result.code == 0, result.err
        load_spec(Path("out/turngrade.yaml"))
        return yaml.safe_load(Path("out/turngrade.yaml").read_text()), result.err

    def test_vally(self, turngrade: Command, write: Write) -> None:
        write("eval.yaml", VALLY)
        spec, err = self.spec(turngrade, "--from-vally", "eval.yaml")
        assert spec == {
            "name": "docs-agent",
            "graders": [{"type": "output-not-contains", "config": {"substring": "password"}}],
            "stimuli": [
                {
                    "name": "greets",
                    "graders": [{"type": "output-matches", "config": {"pattern": "(?i)hello\\b"}}],
                }
            ],
            "scoring": {"weights": {"output-matches": 0.5, "output-not-contains": 0.5}, "threshold": 0.5},
        }
        assert err.count("not carried over: ") == 3
        for name in (
            "graders[1]: skipped",
            "stimuli[0].graders[1]: skipped",
            "stimuli[1].graders[0]: skipped",
        ):
            assert name in err

    def test_promptfoo_templates_and_equal_descriptions(self, turngrade: Command, write: Write) -> None:
        hello = {"type": "contains", "value": "hello"}
        config = {
            "assertionTemplates": {"greets": hello},
            "tests": [
                {"description": "a", "assert": [{"$ref": "#/assertionTemplates/greets"}]},
                {"description": "a", "assert": [hello]},
                {"description": "a-2", "assert": [{"$ref": "#/assertionTemplates/nothing"}, hello]},
            ],
            "scenarios": [{"config": [{}], "tests": []}],
        }
        write("config.json", config)
        spec, err = self.spec(turngrade, "--from-promptfoo", "config.json")
        assert [stimulus["name"] for stimulus in spec["stimuli"]] == ["a", "a-3", "a-2"]
        assert {str(stimulus["graders"]) for stimulus in spec["stimuli"]} == {
            str([{"type": "output-contains", "config": {"substring": "hello", "case_sensitive": True}}])
        }
        assert "tests[2].assert[0]: {'$ref': '#/assertionTemplates/nothing'} is no assertion" in err
        assert "scenarios: write their tests out under tests" in err

    def test_a_fault_has_its_place(self, turngrade: Command, write: Write) -> None:
        write("config.yaml", "tests: [1\nb: {")
        told = turngrade("init", "out", "--from-promptfoo", "config.yaml").err
        assert "config.yaml: line 2, column 2: not well-formed YAML" in told

    def test_promptfoo(self, turngrade: Command, write: Write) -> None:
        write("promptfooconfig.yaml", PROMPTFOO)
        spec, err = self.spec(turngrade, "--from-promptfoo", "promptfooconfig.yaml")
        assert spec == {
            "description": "x",
            "graders": [{"type": "output-not-contains", "config": {"substring": "as an AI"}}],
            "stimuli": [
                {
                    "name": "greets",
                    "graders": [
                        {"type": "output-matches", "config": {"pattern": r"\bhello\b"}, "name": "tone"},
                        {"type": "output-not-matches", "config": {"pattern": "error"}, "name": "tone-2"},
                        {"type": "output-contains", "config": {"substring": "Hello", "case_sensitive": True}},
                        {"type": "contains", "config": {"value": ["hi", "hello"], "mode": "any"}},
                        {
                            "type": "contains",
                            "config": {
                                "value": ["a", "b"],
                                "case_sensitive": True,
                                "mode": "all",
                                "negate": True,
                            },
                        },
                        {"type": "output-contains", "config": {"substring": "x"}},
                    ],
                }
            ],
        }
        left = [
            line.removeprefix("not carried over: ") for line in err.splitlines() if "not carried over" in line
        ]
        assert left == [
            "tests[0].assert[1].weight: 2; write scoring.weights",
            "tests[0].assert[6]: 'llm-rubric' has no counterpart in turngrade",
            "tests[0].assert[7]: 'contains' has a value that promptfoo fills in",
            "tests[0].assert[8]: 'contains' has a value that promptfoo fills in",
            "tests[1].assert[0]: 'is-json' has no counterpart in turngrade",
            "tests[2]: 'file://more.yaml' is loaded from elsewhere",
        ]

    @pytest.mark.parametrize("option", ["--from-vally", "--from-promptfoo"])
    @pytest.mark.parametrize("content", ["", "[", "[1]", "a: 1", "stimuli: 3\ntests: x"])
    def test_what_cannot_be_carried_over(
        self, turngrade: Command, write: Write, option: str, content: str
    ) -> None:
        write("in.yaml", content)
        result = turngrade("init", "out", option, "in.yaml")
        assert result.code == 4
        assert result.err.startswith("Error: in.yaml: ")
        assert not Path("out").exists()

    def test_both_at_once(self, turngrade: Command) -> None:
        assert turngrade("init", "--from-vally", "a", "--from-promptfoo", "b").code == 4
