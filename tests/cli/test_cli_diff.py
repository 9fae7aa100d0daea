from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.support import BAD, GOOD, SPEC, Command, said

Write = Callable[..., Path]


class TestTwoResults:
    @pytest.fixture(autouse=True)
    def results(self, turngrade: Command, write: Write, spec: Path) -> None:
        write("a/chats.jsonl", [GOOD, BAD])
        write("b/chats.jsonl", [{**GOOD, "id": "bad"}, {**BAD, "id": "good"}, said("new", "x")])
        turngrade("grade", spec, "a", "-o", "a.jsonl")
        turngrade("grade", spec, "b", "-o", "b.jsonl")

    def test_flips_are_shown_with_both_evidences(self, turngrade: Command) -> None:
        result = turngrade("diff", "a.jsonl", "b.jsonl", columns=140)
        assert result.code == 0
        out = result.out.splitlines()
        assert out[2].split()[:6] == ["bad", "no-refund-promise", "✘", "fail", "✔", "pass"]
        assert "transcript does not match pattern" in out[2]
        assert "was: transcript matches pattern" in result.out
        assert (
            result.err.strip()
            == "4 flips: 2 fail → pass, 2 pass → fail; 2 the same; 3 only in the new result"
        )

    def test_fail_on_flip(self, turngrade: Command) -> None:
        assert turngrade("diff", "a.jsonl", "b.jsonl", "--fail-on-flip").code == 1
        result = turngrade("diff", "a.jsonl", "a.jsonl", "--fail-on-flip")
        assert (result.code, result.out, result.err.strip()) == (0, "", "0 flips; 6 the same")

    def test_nothing_in_common(self, turngrade: Command, write: Write) -> None:
        write("empty.jsonl", "")
        result = turngrade("diff", "a.jsonl", "empty.jsonl")
        assert (result.code, result.err.strip()) == (5, "0 flips; 0 the same; 6 only in the old result")

    def test_a_transcript_that_cannot_be_read_any_more_is_a_flip(
        self, turngrade: Command, write: Write
    ) -> None:
        row: dict[str, Any] = {
            "source": "x",
            "id": "1",
            "epoch": None,
            "passed": False,
            "score": 0.0,
            "verdicts": [],
        }
        write("old.jsonl", [{**row, "error": "cut off"}])
        write("new.jsonl", [{**row, "error": "cut off"}])
        assert turngrade("diff", "old.jsonl", "new.jsonl").err.strip() == "0 flips; 1 the same"

    @pytest.mark.parametrize(
        ("content", "problem"),
        [
            ("{", "odd.jsonl:1: not a row that turngrade grade -o FILE.jsonl writes (not JSON: "),
            ('{"id": 1}\n', "odd.jsonl:1: not a row that turngrade grade -o FILE.jsonl writes"),
            ("[1]\n", "odd.jsonl:1: not a row"),
        ],
    )
    def test_what_is_no_result(self, turngrade: Command, write: Write, content: str, problem: str) -> None:
        write("odd.jsonl", content)
        result = turngrade("diff", "a.jsonl", "odd.jsonl")
        assert result.code == 3
        assert problem in result.err
        assert turngrade("diff", "a.jsonl", "missing.jsonl").code == 3


@pytest.mark.usefixtures("spec", "chats")
class TestTwoSpecs:
    def test_the_same_transcripts_under_both(self, turngrade: Command, write: Write) -> None:
        write(
            "new.yaml",
            SPEC.replace("ORD-", "ORDER-") + "  - {type: output-matches, name: more, config: {pattern: x}}\n",
        )
        result = turngrade("diff", "spec.yaml", "new.yaml", "chats.jsonl", "--fail-on-flip", columns=140)
        assert result.code == 1
        assert "good" in result.out
        assert "order-id" in result.out
        assert result.err.strip() == "1 flip: 1 pass → fail; 5 the same; 2 only in the new result"

    def test_a_spec_that_does_not_load(self, turngrade: Command) -> None:
        assert turngrade("diff", "spec.yaml", "nowhere.yaml", "chats.jsonl").code == 4


class TestTranscriptsOfOneId:
    @pytest.fixture(autouse=True)
    def twice(self, turngrade: Command, write: Write, spec: Path) -> None:
        good, bad = {**GOOD, "id": "twin"}, {**BAD, "id": "twin"}
        write("a/chats.jsonl", [good, bad])
        write("b/chats.jsonl", [bad, good])
        turngrade("grade", spec, "a", "-o", "a.jsonl")
        turngrade("grade", spec, "b", "-o", "b.jsonl")

    def test_are_compared_in_their_order(self, turngrade: Command) -> None:
        result = turngrade("diff", "a.jsonl", "b.jsonl", columns=140)
        assert result.err.strip() == "4 flips: 2 pass → fail, 2 fail → pass; 2 the same"
        assert "twin (no. 2 of this id)" in " ".join(result.out.split())
        assert turngrade("diff", "a.jsonl", "a.jsonl").err.strip() == "0 flips; 6 the same"

    def test_are_compared_under_two_specs(self, turngrade: Command, write: Write) -> None:
        write("new.yaml", SPEC.replace("ORD-", "ORDER-"))
        result = turngrade("diff", "spec.yaml", "new.yaml", "a/chats.jsonl")
        assert result.err.strip() == "1 flip: 1 pass → fail; 5 the same"

    def test_of_two_files_are_told_apart_by_them(self, turngrade: Command, write: Write, spec: Path) -> None:
        write("c/x.jsonl", [GOOD])
        write("c/y.jsonl", [{**BAD, "id": "good"}])
        turngrade("grade", spec, "c/y.jsonl", "c/x.jsonl", "-o", "yx.jsonl")
        turngrade("grade", spec, "c/x.jsonl", "c/y.jsonl", "-o", "xy.jsonl")
        assert turngrade("diff", "yx.jsonl", "xy.jsonl").err.strip() == "0 flips; 6 the same"


@pytest.mark.parametrize("names", [("a.yaml", "b.yml"), ("a.json", "b.yaml")])
def test_two_specs_without_transcripts_ask_for_some(turngrade: Command, names: tuple[str, str]) -> None:
    result = turngrade("diff", *names)
    assert (result.code, result.out) == (4, "")
    assert f"add a SOURCE, as in turngrade diff {' '.join(names)} logs/" in " ".join(result.err.split())


def test_hostile_rows_are_shown_safely(turngrade: Command, write: Write) -> None:
    def row(status: str) -> str:
        verdict = {"name": "\x1b[2J", "status": status, "evidence": "\x1b]0;x\x07"}
        return json.dumps({"source": "\x1b", "id": "[red]\x9b", "epoch": None, "verdicts": [verdict]})

    write("old.jsonl", row("pass\x1b"))
    write("new.jsonl", row("fail"))
    result = turngrade("diff", "old.jsonl", "new.jsonl", columns=200)
    assert "[red]\\x9b" in result.out
    assert not {"\x1b", "\x07", "\x9b"} & set(result.out + result.err)
