"""The patterns of a spec with their places, for those who look at specs without grading."""

from __future__ import annotations

import pickle
from pathlib import Path

from turngrade.core import SpecPattern, load_spec

SPEC = r"""graders:
  - type: transcript-matches
    config:
      pattern: '(?i)refund'
      unless: 'no refund'
  - type: REGEX_MATCH
    config: {pattern: '(', flags: ''}
  - type: contains
    config: {value: thanks}
"""

VALLY = """stimuli:
  - name: first
    graders:
      - type: completed
      - type: output-matches
        config: {pattern: done}
"""


def test_all_patterns_have_their_places(tmp_path: Path) -> None:
    path = tmp_path / "spec.yaml"
    path.write_text(SPEC)
    assert load_spec(path).patterns() == (
        SpecPattern("graders[0].config.pattern", "pattern", "(?i)refund", None, "transcript-matches", 4, 7),
        SpecPattern("graders[0].config.unless", "unless", "no refund", None, "transcript-matches", 5, 7),
        SpecPattern("graders[1].config.pattern", "pattern", "(", "", "regex-match", 7, 14),
    )


def test_patterns_of_stimuli_keep_their_paths(tmp_path: Path) -> None:
    path = tmp_path / "eval.yaml"
    path.write_text(VALLY)
    spec = load_spec(path)
    [pattern] = spec.patterns()
    assert (pattern.path, pattern.line) == ("stimuli[0].graders[1].config.pattern", 6)
    [warning] = spec.warnings
    assert (warning.path, warning.line, warning.column) == ("stimuli[0].graders[0]", 4, 9)


def test_those_of_json_are_found_in_a_copy_too(tmp_path: Path) -> None:
    path = tmp_path / "spec.json"
    path.write_text('{"graders": [\n  {"type": "output-matches",\n   "config": {"pattern": "a"}}]}')
    spec = pickle.loads(pickle.dumps(load_spec(path)))
    assert spec.patterns() == (
        SpecPattern("graders[0].config.pattern", "pattern", "a", None, "output-matches", 3, 15),
    )
    assert spec == load_spec(path)


def test_a_dict_has_no_lines() -> None:
    [pattern] = load_spec([{"type": "output-matches", "config": {"pattern": "a"}}]).patterns()
    assert (pattern.pattern, pattern.line, pattern.column) == ("a", None, None)
