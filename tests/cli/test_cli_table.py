from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.support import GOOD, Command, said

Write = Callable[..., Path]

NARROW = r"""
Transcript   Grader             Verdict  Evidence
────────────────────────────────────────────────────────────────────────────────
good         no-refund-promise  ✔ pass   transcript does not match pattern
chats.jsonl                              /(?i)refund (is|was) (approved|issued)/
✔ 1.00
             order-id           ✔ pass   Output matches pattern /ORD-\d{6}/
                                         output: Thanks! Order »ORD-123456« is
                                         on its way.
             polite             ✔ pass   'thanks' found in output
                                         output: »Thanks«! Order ORD-123456 is…

bad          no-refund-promise  ✘ fail   transcript matches pattern /(?i)refund
chats.jsonl                              (is|was) (approved|issued)/
✘ 0.33                                   message 0: Your »refund is approved«.
             order-id           ✘ fail   Output does not match pattern
                                         /ORD-\d{6}/
             polite             ✔ pass   'please' found in output
                                         output: »Please« wait for the mail.
"""


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip("\n").splitlines()]


@pytest.mark.usefixtures("spec", "chats")
class TestTheTable:
    def test_80_columns(self, turngrade: Command) -> None:
        result = turngrade("grade", "spec.yaml", "chats.jsonl")
        assert lines(result.out) == lines(NARROW)
        assert result.code == 1

    def test_a_wide_terminal_has_a_column_for_hits(self, turngrade: Command) -> None:
        out = lines(turngrade("grade", "spec.yaml", "chats.jsonl", columns=160).out)
        assert out[0].split() == ["Transcript", "Grader", "Verdict", "Evidence", "Hit"]
        assert len(out) < len(lines(NARROW))
        hit = next(line for line in out if "ORD-123456«" in line)
        assert hit.startswith("             order-id           ✔ pass   Output matches pattern /ORD-\\d{6}/ ")
        assert hit.endswith("output: Thanks! Order »ORD-123456« is on its way.")

    @pytest.mark.parametrize("columns", [40, 60, 80, 119, 120, 200])
    def test_no_line_is_wider_than_the_terminal(self, turngrade: Command, write: Write, columns: int) -> None:
        id = "0191a2b3-" * 8
        write(
            "deep/er/and/deeper/" + "name" * 20 + ".jsonl",
            [said(id, "Thanks " * 300), said("漢字" * 40, "謝" * 200)],
        )
        result = turngrade("grade", "spec.yaml", "deep", columns=columns)
        assert max(display_width(line) for line in result.out.splitlines()) <= columns
        assert result.out.replace("\n", "").count("0191a2b3") >= 1

    def test_colours_mark_hits_on_a_terminal(
        self, turngrade: Command, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("FORCE_COLOR", "1")
        monkeypatch.setenv("TERM", "xterm-256color")
        out = turngrade("grade", "spec.yaml", "chats.jsonl").out
        assert "\x1b[1;7mORD-123456\x1b[0m" in out
        assert "»" not in out
        assert "\x1b[31m✘ fail" in out

    def test_no_color_is_obeyed(self, turngrade: Command, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("FORCE_COLOR", "1")
        monkeypatch.setenv("NO_COLOR", "1")
        result = turngrade("grade", "spec.yaml", "chats.jsonl")
        assert "\x1b" not in result.out + result.err
        assert "»ORD-123456«" in result.out

    def test_pass_rates_on_stderr(self, turngrade: Command) -> None:
        err = lines(turngrade("grade", "spec.yaml", "chats.jsonl").err)
        assert err[:3] == [
            "no-refund-promise  ██████████░░░░░░░░░░  1/2   50 %",
            "order-id           ██████████░░░░░░░░░░  1/2   50 %",
            "polite             ████████████████████  2/2  100 %",
        ]
        assert err[3].startswith("2 transcripts: 1 passed, 1 failed (")

    def test_quiet_says_nothing_of_what_went_well(self, turngrade: Command) -> None:
        result = turngrade("grade", "-q", "spec.yaml", "chats.jsonl")
        assert (result.code, result.out, result.err) == (1, "", "")


@pytest.mark.usefixtures("spec")
class TestWhatIsShown:
    @pytest.fixture
    def many(self, write: Write) -> None:
        write("many.jsonl", [{**GOOD, "id": f"good-{n}"} for n in range(70)] + [said("bad", "Please wait.")])

    @pytest.mark.usefixtures("many")
    def test_of_many_the_failures(self, turngrade: Command) -> None:
        result = turngrade("grade", "spec.yaml", "many.jsonl")
        assert [line.split()[0] for line in lines(result.out)[2:4]] == ["bad", "many.jsonl"]
        assert "✔ pass" not in result.out
        assert "212 verdicts not shown here; --show all shows them, -o FILE keeps them" in result.err

    @pytest.mark.usefixtures("many")
    def test_all_if_asked_for(self, turngrade: Command) -> None:
        result = turngrade("grade", "--show", "all", "spec.yaml", "many.jsonl")
        assert result.out.count("✔ pass") == 212
        assert "not shown" not in result.err

    @pytest.mark.usefixtures("chats")
    def test_the_failures_of_few_if_asked_for(self, turngrade: Command) -> None:
        result = turngrade("grade", "--show", "failed", "spec.yaml", "chats.jsonl")
        assert [line.split()[0] for line in lines(result.out)[2:4]] == ["bad", "chats.jsonl"]
        assert (result.out.count("✘ fail"), result.out.count("✔ pass")) == (2, 0)

    @pytest.mark.usefixtures("chats")
    def test_nothing_if_asked_for(self, turngrade: Command) -> None:
        result = turngrade("grade", "--show", "none", "spec.yaml", "chats.jsonl")
        assert result.out == ""
        assert "2 transcripts" in result.err

    def test_the_failures_of_very_many_are_cut_and_counted(self, turngrade: Command, write: Write) -> None:
        write("many.jsonl", [said(f"bad-{n}", "no") for n in range(300)])
        result = turngrade("grade", "spec.yaml", "many.jsonl")
        assert result.out.count("✘ fail") == 200
        assert "700 verdicts not shown here" in result.err

    def test_what_could_not_be_read_is_never_cut(self, turngrade: Command, write: Write) -> None:
        write("some.jsonl", [{**GOOD, "id": f"good-{n}"} for n in range(80)] + [{"id": "odd"}])
        assert "! error" in turngrade("grade", "spec.yaml", "some.jsonl").out
        assert "! error" in turngrade("grade", "--show", "failed", "spec.yaml", "some.jsonl").out


class TestVerdictsThatNeedMoreWords:
    def table(self, turngrade: Command, write: Write, config: dict[str, Any], *texts: str) -> str:
        grader = {"type": "transcript-matches", "name": "g", "config": {"pattern": "a", **config}}
        write("spec.json", {"graders": [grader]})
        write("chat.jsonl", [said("c", *texts)])
        return turngrade("grade", "spec.json", "chat.jsonl", columns=200).out

    def test_counts(self, turngrade: Command, write: Write) -> None:
        low = self.table(turngrade, write, {"min_matches": 2}, "a", "b")
        assert "✘ fail" in low
        assert "fewer messages match than min_matches asks for" in low
        high = self.table(turngrade, write, {"max_matches": 1}, "a", "a", "a")
        assert "more messages match than max_matches allows" in high
        assert "message 0, 2 more: »a«" in high

    def test_nothing_to_check(self, turngrade: Command, write: Write) -> None:
        out = self.table(turngrade, write, {"negate": True})
        assert "no assistant messages in transcript to check" in out
        assert "in this scope" not in out
        assert "the transcript has no assistant messages in this scope" in self.table(turngrade, write, {})

    def test_an_empty_match_is_marked(self, turngrade: Command, write: Write) -> None:
        assert "message 0: b»«" in self.table(turngrade, write, {"pattern": "$"}, "b")

    def test_a_long_pattern_is_cut_in_the_middle(self, turngrade: Command, write: Write) -> None:
        out = self.table(turngrade, write, {"pattern": "x" * 400 + "y"}, "b")
        assert "…" in out
        assert "y/" in out
        assert len(lines(out)) < 8

    def test_an_invalid_pattern_is_explained_once_before_the_work(
        self, turngrade: Command, write: Write
    ) -> None:
        write("spec.json", {"graders": [{"type": "output-matches", "config": {"pattern": "(x"}}]})
        write("chats.jsonl", [GOOD, said("other", "x")])
        result = turngrade("grade", "spec.json", "chats.jsonl", columns=200)
        assert result.code == 3
        assert result.err.startswith("spec.json:6:9: invalid pattern: graders[0].config.pattern: Invalid")
        assert result.err.count("^") == 1
        assert result.out.count("Invalid regex pattern: (x. Error: ") == 2
        assert "^" not in result.out


class TestHostileText:
    EVIL = "a\x1b]0;owned\x07\x1b[2J[red]b[/red] c\r\u202egnp.exe\u2069 d\x9b31m \ud800 \U000e0041 [link=http://x]e"

    @pytest.fixture
    def out(self, turngrade: Command, write: Write) -> str:
        grader = {"type": "output-matches", "name": "[bold]g\x1b[0m", "config": {"pattern": "(?s)a.+]e"}}
        write("spec.json", {"graders": [grader]})
        write("evil[red].jsonl", [said("id[red]\x1b[1m", "before\n" + self.EVIL + "\nafter")])
        return turngrade("grade", "spec.json", "evil*.jsonl", columns=400).out

    def test_nothing_reaches_the_terminal_that_it_obeys(self, out: str) -> None:
        assert {c for c in out if not c.isprintable()} == {"\n"}

    def test_everything_is_there_to_be_seen(self, out: str) -> None:
        for part in (
            r"\x1b]0;owned\x07\x1b[2J[red]b[/red] c\r\u202egnp.exe\u2069 d\x9b31m \ud800 \U000e0041 [link=http://x]e",
            "before↵»a",
            "e«↵after",
            r"[bold]g\x1b[0m",
            r"id[red]\x1b[1m",
            "evil[red].jsonl",
        ):
            assert part in out


def display_width(line: str) -> int:
    from rich.cells import cell_len

    return cell_len(line)
