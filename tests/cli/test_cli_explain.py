from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.support import GOOD, SPEC, Command, said

from turngrade.adapters.cli.marking import Mark, Part, marks_of, parts_of
from turngrade.adapters.cli.nearmiss import near_misses
from turngrade.core import load_spec
from turngrade.core.dialect import Match

Write = Callable[..., Path]
DATA = Path(__file__).parents[1] / "data"

PAGE = r"""
bad  chats.jsonl
✘ fail, score 0.33

✘ [1] no-refund-promise (transcript-not-matches)
    transcript matches pattern /(?i)refund (is|was) (approved|issued)/
    - tests 2 assistant messages of the scope run
    - found in message 0 (1×)
    - passes when nothing matches: FAIL

✘ [2] order-id (output-matches)
    Output does not match pattern /ORD-\d{6}/
    - tests the final output
    - found nowhere
    - passes when something matches: FAIL

✔ [3] polite (contains)
    'please' found in output
    - tests the final output
    - found in output (1×)
    - passes when any of its texts is found: PASS

assistant messages, scope run ──────────────────────────────────────────────────
message 0
  Your »refund is approved«[1].
message 1
  Please wait for the mail.

final output ───────────────────────────────────────────────────────────────────
output
  »Please«[3] wait for the mail.
"""


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip("\n").splitlines()]


@pytest.mark.usefixtures("spec", "chats")
class TestThePage:
    def test_decisions_and_texts(self, turngrade: Command) -> None:
        result = turngrade("explain", "spec.yaml", "chats.jsonl", "--id", "bad")
        assert result.code == 0
        assert lines(result.out) == lines(PAGE)

    def test_one_grader(self, turngrade: Command) -> None:
        out = turngrade("explain", "spec.yaml", "chats.jsonl", "--id", "bad", "--grader", "polite").out
        assert "[1] polite" in out
        assert "order-id" not in out
        assert "scope run" not in out
        assert "»Please«[1]" in out

    def test_colours(self, turngrade: Command, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("FORCE_COLOR", "1")
        monkeypatch.setenv("TERM", "xterm-256color")
        out = turngrade("explain", "spec.yaml", "chats.jsonl", "--id", "bad").out
        assert "\x1b[1;7mrefund is approved\x1b[0m" in out


@pytest.mark.usefixtures("spec", "chats")
class TestWhichTranscript:
    def test_the_start_of_an_id_is_enough(self, turngrade: Command) -> None:
        assert turngrade("explain", "spec.yaml", "chats.jsonl", "--id", "b").out.startswith("bad ")

    def test_the_only_one_needs_no_id(self, turngrade: Command, write: Write) -> None:
        write("one.jsonl", [said("only", "x")])
        assert turngrade("explain", "spec.yaml", "one.jsonl").out.startswith("only ")

    def test_several_are_listed(self, turngrade: Command) -> None:
        result = turngrade("explain", "spec.yaml", "chats.jsonl")
        assert result.code == 4
        assert (
            "2 transcripts fit; choose one:\n  --id good  chats.jsonl\n  --id bad  chats.jsonl" in result.err
        )

    def test_an_epoch_that_is_not_there_is_told_as_such(self, turngrade: Command) -> None:
        log = DATA / "inspect" / "epochs.eval"
        result = turngrade("explain", "spec.yaml", log, "--epoch", "7")
        assert result.code == 4
        assert "--epoch: no transcript of epoch 7; there are 1, 2" in result.err
        result = turngrade("explain", "spec.yaml", "chats.jsonl", "--epoch", "1")
        assert "--epoch: no transcript of epoch 1; no transcript has an epoch" in result.err
        result = turngrade("explain", "spec.yaml", log, "--id", "zzz", "--epoch", "2")
        assert "--id: no transcript 'zzz' of epoch 2" in result.err

    def test_epochs(self, turngrade: Command) -> None:
        log = DATA / "inspect" / "epochs.eval"
        assert "--id a --epoch 2" in turngrade("explain", "spec.yaml", log, "--id", "a").err
        assert turngrade("explain", "spec.yaml", log, "--id", "a", "--epoch", "2").out.startswith(
            "a (epoch 2) "
        )

    def test_an_unknown_id_names_the_nearest(self, turngrade: Command) -> None:
        result = turngrade("explain", "spec.yaml", "chats.jsonl", "--id", "bat")
        assert result.code == 4
        assert "no transcript 'bat'; did you mean bad?" in result.err

    def test_what_cannot_be_read_or_is_not_there(self, turngrade: Command, write: Write) -> None:
        write("odd.jsonl", [{"id": "odd", "messages": 1}])
        write("empty.jsonl", "")
        assert turngrade("explain", "spec.yaml", "odd.jsonl", "--id", "odd").code == 3
        assert turngrade("explain", "spec.yaml", "empty.jsonl").code == 5
        assert turngrade("explain", "spec.yaml", "chats.jsonl", "--id", "bad", "--grader", "no").code == 4


class TestDecisions:
    def page(self, turngrade: Command, write: Write, grader: dict[str, Any], *texts: str) -> str:
        write("spec.json", {"graders": [{"name": "g", **grader}]})
        write("chat.jsonl", [said("c", *texts)])
        return turngrade("explain", "spec.json", "chat.jsonl", columns=200).out

    def matches(self, pattern: str, type: str = "transcript-matches", **config: Any) -> dict[str, Any]:
        return {"type": type, "config": {"pattern": pattern, **config}}

    def test_counts(self, turngrade: Command, write: Write) -> None:
        out = self.page(turngrade, write, self.matches("a", min_matches=2, max_matches=3), "aa", "b")
        assert "- found in message 0 (2×)" in out
        assert "- passes when at least 2 and at most 3 messages match, and 1 matches: FAIL" in out

    def test_select(self, turngrade: Command, write: Write) -> None:
        out = self.page(turngrade, write, self.matches("a", select="last"), "a", "b")
        assert "- tests 1 assistant message of the scope run, last of 2" in out

    def test_nothing_to_test(self, turngrade: Command, write: Write) -> None:
        out = self.page(turngrade, write, self.matches("a", type="output-not-matches"))
        assert "- tests the final output, and there is none" in out
        assert "- the transcript has no final output, and nothing passes unseen: FAIL" in out

    def test_an_invalid_pattern(self, turngrade: Command, write: Write) -> None:
        out = self.page(turngrade, write, self.matches("(a"), "a")
        assert "- the pattern cannot be used, so nothing was tested" in out
        assert "^" in out

    @pytest.mark.parametrize(
        ("grader", "text", "hint"),
        [
            ({"pattern": "REFUND"}, "a refund", "case were ignored, as (?i) does"),
            ({"pattern": "a.+b"}, "a\nb", "the dot crossed line breaks, as (?s) does"),
            ({"pattern": "^b$"}, "a\nb\nc", "^ and $ stood at every line, as (?m) does"),
            ({"pattern": "can't"}, "I can’t", "curly quotes and dashes were written in ASCII"),
            ({"pattern": "10 km"}, "10\u00a0km", "special spaces were plain ones"),
            ({"pattern": "the end"}, "the\nend", "line breaks were spaces"),
            ({"pattern": "is the end"}, "is **the** end", "Markdown's * and ` were left out"),
            (
                {"pattern": "refund", "unless": "no refund"},
                "no refund",
                "the hit did not overlap a match of unless",
            ),
        ],
    )
    def test_what_would_make_it_match(
        self, turngrade: Command, write: Write, grader: dict[str, Any], text: str, hint: str
    ) -> None:
        out = self.page(turngrade, write, {"type": "transcript-matches", "config": grader}, "x", text)
        assert f"- hint: message 1 would match if {hint}" in out

    def test_where_else_it_is_found(self, turngrade: Command, write: Write) -> None:
        out = self.page(turngrade, write, self.matches("a", type="output-matches"), "a", "b")
        assert "- hint: message 0 of the run matches; a transcript-* type would test it" in out

    def test_what_is_far_from_a_hit_is_cut(self, turngrade: Command, write: Write) -> None:
        out = self.page(turngrade, write, self.matches("b"), "a" * 5000 + "b" + "c" * 5000)
        assert f"…{'a' * 200}»b«[1]{'c' * 200}…" in "".join(map(str.strip, out.splitlines()))
        assert out.count("4,800") == 2


def test_near_misses_of_a_substring() -> None:
    config = {"substring": "ABC", "case_sensitive": True}
    grader = load_spec([{"type": "output-contains", "config": config}]).graders[0]
    assert list(near_misses(grader, "abc")) == ["case were ignored"]


def span(start: int, end: int) -> Match:
    return Match(start, end, "")


def test_overlapping_hits_become_one_mark() -> None:
    found = [(1, (span(0, 3), span(8, 8))), (2, (span(2, 5), span(5, 6), span(8, 8)))]
    assert marks_of(found) == [Mark(0, 5, (1, 2)), Mark(5, 6, (2,)), Mark(8, 8, (1, 2))]


@pytest.mark.parametrize(
    ("text", "marks", "context", "parts"),
    [
        ("abcdef", [Mark(2, 3, (1,))], 9, [Part("ab"), Part("c", (1,)), Part("def")]),
        (
            "abcdef",
            [Mark(2, 3, (1,))],
            1,
            [Part("", cut=1), Part("b"), Part("c", (1,)), Part("d"), Part("", cut=2)],
        ),
        ("abcdef", [Mark(0, 0, (1,)), Mark(6, 6, (2,))], 9, [Part("", (1,)), Part("abcdef"), Part("", (2,))]),
        ("abcdef", [], 2, [Part("abcd"), Part("", cut=2)]),
        ("abcdef", [Mark(2, 3, (1,))], 0, [Part("", cut=2), Part("c", (1,)), Part("", cut=3)]),
        ("", [], 5, []),
    ],
)
def test_a_text_in_parts(text: str, marks: list[Mark], context: int, parts: list[Part]) -> None:
    assert list(parts_of(text, marks, context)) == parts


def test_where_no_id_is_like_the_one_asked_for_some_are_named(
    turngrade: Command, write: Callable[..., Path]
) -> None:
    write("spec.yaml", SPEC)
    write("chats.jsonl", [{**GOOD, "id": f"chat-{number}"} for number in range(7)])
    told = turngrade("explain", "spec.yaml", "chats.jsonl", "--id", "zzz").err
    assert "no transcript 'zzz'; there are chat-0, chat-1, chat-2, chat-3, chat-4, and 2 more" in told


@pytest.mark.parametrize("options", [(), ("--grader", "greeting")])
def test_redacted_texts_hold_nothing_that_any_grader_finds(
    turngrade: Command, write: Callable[..., Path], options: tuple[str, ...]
) -> None:
    graders = [
        {"type": "transcript-matches", "name": "greeting", "config": {"pattern": "Hello"}},
        {"type": "output-not-matches", "name": "card", "config": {"pattern": r"\d{4}-\d{4}"}},
    ]
    write("spec.json", {"graders": graders})
    write("chats.jsonl", [said("a", "Hello, your card is 1234-5678.", "Again: 1234-5678, Hello.")])
    shown = turngrade("explain", "spec.json", "chats.jsonl", "--redact", *options).out
    assert "1234" not in shown
    assert "»[greeting: 5 characters]«[1], your card is" in shown
    assert "found in message 0 (1×), message 1 (1×)" in shown
    assert turngrade("explain", "spec.json", "chats.jsonl", *options).out.count("1234-5678") > 1


def test_of_many_transcripts_only_the_one_that_is_meant_stays_in_memory(
    turngrade: Command, write: Callable[..., Path]
) -> None:
    write("spec.yaml", SPEC)
    write("chats.jsonl", [said(str(number), f"no {number} " + "x " * 50_000) for number in range(300)])
    turngrade("explain", "spec.yaml", "chats.jsonl", "--id", "299")  # what is imported is so by then
    tracemalloc.start()
    try:
        shown = turngrade("explain", "spec.yaml", "chats.jsonl", "--id", "1")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert shown.code == 0
    assert "no 1 x x" in shown.out
    assert peak < 10_000_000
