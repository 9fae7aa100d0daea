"""What V8 says of patterns and texts, and what the dialect says of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.dialect.engine import Engine, widened

from turngrade.core.dialect import InvalidPattern
from turngrade.core.dialect.utf16 import join_pairs

GOLDEN = Path(__file__).parents[1] / "data" / "dialect" / "golden.jsonl"
MOST = 3
DISPUTED = {("[\\q{abc|b|}]", "vi"), ("[^\\q{a}]", "vi")}
"""V8 does not ignore the case of a single character in ``\\q{…}``; the standard and Corvus do."""

ROWS = [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]
FEATURES = sorted({row["feature"] for row in ROWS})


def v8_matches(found: list[list[list[int] | None]], text: str, engine: Engine) -> list[Any]:
    matches = [tuple(None if span is None else (span[0], span[1]) for span in match) for match in found]
    return [widened(match, text) for match in matches] if engine.tree.unicode else matches


def check_error(row: dict[str, Any]) -> None:
    with pytest.raises(InvalidPattern) as caught:
        Engine(row["pattern"], row["flags"])
    assert join_pairs(str(caught.value)) == join_pairs(row["error"])


def check_matches(row: dict[str, Any]) -> None:
    engine = Engine(row["pattern"], row["flags"])
    for text, found in zip(row["texts"], row["found"], strict=True):
        if found is None:
            continue
        expected = v8_matches(found, text, engine)
        assert engine.matches(text, most=MOST) == expected, (row["pattern"], row["flags"], text)
        assert engine.spans(text, most=MOST) == [match[0] for match in expected]


@pytest.mark.parametrize("feature", FEATURES)
def test_the_dialect_agrees_with_v8(feature: str) -> None:
    for row in ROWS:
        if row["feature"] == feature and (row["pattern"], row["flags"]) not in DISPUTED:
            (check_error if "error" in row else check_matches)(row)


def test_the_golden_file_is_about_everything() -> None:
    assert len(FEATURES) > 30
    assert sum("error" in row for row in ROWS) > 300
    assert sum(bool(found) for row in ROWS if "found" in row for found in row["found"]) > 5_000
