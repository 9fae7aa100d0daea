from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from tests.cli.support import BAD, GOOD, SPEC, Command, said

Write = Callable[..., Path]


def written(path: Path) -> str:
    """All that an output file holds, also what is packed in it."""
    if path.suffix == ".parquet":
        return str(pq.read_table(path).to_pylist())
    text = path.read_text(encoding="utf-8")
    packed = re.search(r'id="data">([^<]*)<', text)
    return text + gzip.decompress(base64.b64decode(packed[1])).decode() if packed else text


@pytest.mark.usefixtures("spec")
class TestFailing:
    @pytest.fixture(autouse=True)
    def three_of_four_pass(self, write: Write) -> None:
        write("chats.jsonl", [{**GOOD, "id": str(n)} for n in range(3)] + [BAD])

    @pytest.mark.parametrize(
        ("args", "code"),
        [
            ([], 1),
            (["--fail-under", "0.75"], 0),
            (["--fail-under", "75%"], 0),
            (["--fail-under", "76%"], 1),
            (["--fail-under", "1"], 1),
            (["--fail-on", "error"], 0),
            (["--fail-on", "never"], 0),
            (["--fail-on", "fail"], 1),
        ],
    )
    def test_failed_transcripts(self, turngrade: Command, args: list[str], code: int) -> None:
        assert turngrade("grade", "spec.yaml", "chats.jsonl", *args).code == code

    @pytest.mark.parametrize(
        ("args", "code"),
        [(["--fail-under", "0"], 3), (["--fail-on", "error"], 3), (["--fail-on", "never"], 0)],
    )
    def test_errors(self, turngrade: Command, args: list[str], code: int) -> None:
        assert turngrade("grade", "spec.yaml", "chats.jsonl", "nowhere.eval", *args).code == code

    @pytest.mark.parametrize("args", [["--fail-on", "never"], ["--fail-under", "0"]])
    def test_nothing_graded_is_never_enough(self, turngrade: Command, write: Write, args: list[str]) -> None:
        write("empty.jsonl", "")
        assert turngrade("grade", "spec.yaml", "empty.jsonl", *args).code == 5

    @pytest.mark.parametrize("rate", ["90", "-1", "most", "101%", "nan", ""])
    def test_what_is_no_rate(self, turngrade: Command, rate: str) -> None:
        result = turngrade("grade", "spec.yaml", "chats.jsonl", "--fail-under", rate)
        assert result.code == 4
        assert "write 0.9 or 90%" in result.err


@pytest.mark.usefixtures("spec", "chats")
class TestOnly:
    def names(self, turngrade: Command, *args: str) -> tuple[int, list[str]]:
        result = turngrade("grade", "spec.yaml", "chats.jsonl", "-o", "-", *args)
        return result.code, [verdict["name"] for verdict in result.rows[1]["verdicts"]]

    def test_one_grader_or_several_by_name_or_wildcard(self, turngrade: Command) -> None:
        assert self.names(turngrade, "--only", "polite") == (0, ["polite"])
        assert self.names(turngrade, "--only", "polite", "--only", "o*") == (1, ["order-id", "polite"])

    def test_what_passes_is_decided_by_those_that_are_left(self, turngrade: Command) -> None:
        rows = turngrade("grade", "spec.yaml", "chats.jsonl", "-o", "-", "--only", "polite").rows
        assert [(row["passed"], row["score"]) for row in rows] == [(True, 1.0), (True, 1.0)]

    def test_an_unknown_name_names_the_nearest(self, turngrade: Command) -> None:
        result = turngrade("grade", "spec.yaml", "chats.jsonl", "--only", "polit")
        assert result.code == 4
        assert "the spec has no grader 'polit'; did you mean 'polite'?" in result.err

    def test_graders_without_weight_cannot_be_alone(self, turngrade: Command, spec: Path) -> None:
        spec.write_text(spec.read_text() + "scoring: {weights: {polite: 1}, threshold: 1}\n")
        assert self.names(turngrade, "--only", "polite") == (0, ["polite"])
        result = turngrade("grade", "spec.yaml", "chats.jsonl", "--only", "order-id")
        assert result.code == 4
        assert "no weight" in result.err


@pytest.mark.usefixtures("spec")
def test_limit_stops_reading(turngrade: Command, write: Write) -> None:
    write("a.jsonl", [GOOD, GOOD])
    write("b.jsonl", [GOOD, BAD])
    result = turngrade("grade", "spec.yaml", "a.jsonl", "b.jsonl", "nowhere.eval", "--limit", "3", "-o", "-")
    assert [row["source"] for row in result.rows] == ["a.jsonl", "a.jsonl", "b.jsonl"]
    assert result.code == 0
    assert turngrade("grade", "spec.yaml", "a.jsonl", "--limit", "0").code == 4


class TestRedact:
    CARD, OTHER, NAME = "4111-1111-1111-1111", "5500 0000 0000 0004", "Ada"

    @pytest.fixture(autouse=True)
    def secrets(self, write: Write) -> None:
        graders = [
            {
                "type": "transcript-not-matches",
                "name": "card",
                "config": {"pattern": r"\b(\d{4})(?:[- ]?\d{4}){3}\b"},
            },
            {"type": "output-contains", "name": "name", "config": {"substring": "ada"}},
            {
                "type": "transcript-matches",
                "name": "digits",
                "config": {"pattern": r"\d+$", "scope": "conversation"},
            },
            {"type": "transcript-not-matches", "name": "empty", "config": {"pattern": "$"}},
        ]
        write("spec.json", {"graders": graders})
        text = f"Hi {self.NAME}! {self.CARD}, or {self.OTHER}; thanks {self.NAME} 77"
        write("chats.jsonl", [said("a", f"{self.OTHER} first", text)])

    def assert_clean(self, text: str) -> None:
        for secret in (self.CARD, self.OTHER, self.NAME, "4111", "0004", "77"):
            assert secret not in text

    def test_nothing_that_a_grader_found_is_written_or_shown(
        self, turngrade: Command, tmp_path: Path
    ) -> None:
        outputs = ["o.jsonl", "o.csv", "o.xml", "o.md", "o.scores.jsonl"]
        args = [part for name in outputs for part in ("-o", name)]
        result = turngrade("grade", "spec.json", "chats.jsonl", "--redact", *args)
        self.assert_clean(result.out + result.err)
        for name in outputs:
            self.assert_clean((tmp_path / name).read_text(encoding="utf-8"))

    def test_a_placeholder_says_the_kind_and_the_length(self, turngrade: Command) -> None:
        row = turngrade("grade", "spec.json", "chats.jsonl", "--redact", "-o", "-").rows[0]
        card, name, digits, empty = (verdict["hits"] for verdict in row["verdicts"])
        assert [hit["match"] for hit in card] == ["[card: 19 characters]"] * 2
        assert card[0]["groups"] == ["[4 characters]"]
        assert (card[0]["start"], card[0]["end"]) == (0, 21)
        assert (card[1]["start"], card[1]["end"]) == (25, 46)
        assert name[0]["match"] == "[name: 3 characters]"
        assert digits[0]["match"] == "[digits: 2 characters]"
        assert empty[0]["match"] == ""

    def test_verdicts_stay_the_same(self, turngrade: Command) -> None:
        def verdicts(*args: str) -> list[Any]:
            (row,) = turngrade("grade", "spec.json", "chats.jsonl", "-o", "-", *args).rows
            return [
                {key: verdict[key] for key in ("status", "evidence", "matched")}
                for verdict in row["verdicts"]
            ]

        assert verdicts("--redact") == verdicts()

    def test_names_of_agents_are_redacted_and_ids_stay(
        self, turngrade: Command, write: Write, tmp_path: Path
    ) -> None:
        message = {"role": "assistant", "name": self.NAME, "id": "m1", "content": f"{self.CARD} is yours"}
        write("chats.jsonl", [{"id": "a", "messages": [message]}])
        result = turngrade(
            "grade",
            "spec.json",
            "chats.jsonl",
            "--redact",
            "-o",
            "-",
            "-o",
            "o.xml",
            "-o",
            "o.md",
            "-o",
            "o.html",
        )
        self.assert_clean(result.out)
        assert self.NAME in turngrade("grade", "spec.json", "chats.jsonl", "-o", "-").out
        for name in ("o.xml", "o.md", "o.html"):
            text = written(tmp_path / name)
            assert self.NAME not in text
            assert self.CARD not in text
        hit = result.rows[0]["verdicts"][0]["hits"][0]
        assert (hit["agent"], hit["message_id"]) == ("[name: 3 characters]", "m1")

    def test_faults_that_quote_a_file_are_redacted(
        self, turngrade: Command, write: Write, tmp_path: Path
    ) -> None:
        write(
            "chats.jsonl", [{"id": "a", "messages": [{"role": self.CARD, "content": "hi"}]}, {self.NAME: 1}]
        )
        names = ["o.jsonl", "o.csv", "o.parquet", "o.xml", "o.md", "o.html", "o.scores.jsonl"]
        outputs = [part for name in names for part in ("-o", name)]
        shown = turngrade("grade", "spec.json", "chats.jsonl", columns=300).out
        assert self.CARD in shown
        assert self.NAME in shown
        result = turngrade("grade", "spec.json", "chats.jsonl", "--redact", *outputs)
        for text in [result.out, *(written(tmp_path / name) for name in names)]:
            assert self.CARD not in text
            assert self.NAME not in text
        assert "'[card: 19 characters]' is no role" in (tmp_path / "o.jsonl").read_text(encoding="utf-8")
        explained = turngrade("explain", "spec.json", "chats.jsonl", "--id", "a", "--redact").err
        assert "'[card: 19 characters]' is no role" in explained

    def test_snippets_show_the_text_around(self, turngrade: Command) -> None:
        out = turngrade("grade", "spec.json", "chats.jsonl", "--redact", columns=200).out
        assert "message 0, 1 more: »[card: 19 characters]« first" in out
        assert "output: Hi »[name: 3 characters]«! [card: 19 characters], or" in out


class TestOnGitHub:
    @pytest.fixture
    def summary(self, turngrade: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
        monkeypatch.setenv("GITHUB_ACTIONS", "true")
        monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
        (tmp_path / "summary.md").write_text("before\n")
        return tmp_path / "summary.md"

    @pytest.mark.usefixtures("spec", "chats")
    def test_the_step_summary_is_added_to(self, turngrade: Command, summary: Path) -> None:
        turngrade("grade", "spec.yaml", "chats.jsonl", "-o", "out.md")
        assert summary.read_text() == "before\n" + Path("out.md").read_text()

    @pytest.mark.usefixtures("spec", "chats", "summary")
    def test_failures_are_annotations(self, turngrade: Command) -> None:
        out = turngrade("grade", "spec.yaml", "chats.jsonl").out
        annotations = [line for line in out.splitlines() if line.startswith("::error")]
        assert annotations == [
            (
                "::error file=spec.yaml,title=no-refund-promise::bad chats.jsonl: transcript matches pattern "
                "/(?i)refund (is|was) (approved|issued)/%0Amessage 0: Your »refund is approved«."
            ),
            (
                "::error file=spec.yaml,title=order-id::bad chats.jsonl: "
                "Output does not match pattern /ORD-\\d{6}/"
            ),
        ]

    @pytest.mark.usefixtures("spec", "summary")
    def test_ten_annotations_at_most(self, turngrade: Command, write: Write) -> None:
        write("many.jsonl", [{**BAD, "id": f"bad-{n}"} for n in range(20)])
        out = turngrade("grade", "spec.yaml", "many.jsonl").out
        annotations = [line for line in out.splitlines() if line.startswith("::error")]
        assert len(annotations) == 10
        assert annotations[-1] == "::error file=spec.yaml,title=turngrade::31 more failures"

    @pytest.mark.usefixtures("summary")
    def test_a_transcript_gives_no_commands(self, turngrade: Command, write: Write) -> None:
        evil = "\n::add-mask::x\n::error::owned %0A\n"
        write(
            "spec.json",
            {"graders": [{"type": "output-not-matches", "name": "a:b,c%", "config": {"pattern": "(?s).+"}}]},
        )
        write("evil.jsonl", [said("::error::id", evil * 3), said("::error::id2", "x")])
        lines = turngrade("grade", "spec.json", "evil.jsonl").out.splitlines()
        assert any(line.lstrip().startswith("\\x3a:error::id") for line in lines)
        title = "file=spec.json,title=a%3Ab%2Cc%25"
        commands = [line.split("::")[1] for line in lines if line.lstrip().startswith("::")]
        assert commands == [f"error {title}"] * 2

    @pytest.mark.usefixtures("spec", "chats", "summary")
    def test_rows_on_stdout_are_not_mixed_with_commands(self, turngrade: Command) -> None:
        result = turngrade("grade", "spec.yaml", "chats.jsonl", "-o", "-")
        assert [json.loads(line)["id"] for line in result.out.splitlines()] == ["good", "bad"]
        assert result.err.count("::error") == 2

    @pytest.mark.usefixtures("spec", "chats")
    def test_nothing_of_it_elsewhere(self, turngrade: Command) -> None:
        assert "::" not in turngrade("grade", "spec.yaml", "chats.jsonl").out


def test_warnings_of_the_spec_have_the_places_that_lint_gives_them(turngrade: Command, write: Write) -> None:
    weights = SPEC + "scoring:\n  weights:\n    polite: 0.5\n    order-ids: 0.25\n"
    write("spec.yaml", weights)
    write("chats.jsonl", [GOOD])
    told = turngrade("grade", "spec.yaml", "chats.jsonl").err.replace("\n", " ")
    assert "spec.yaml:15:5: warning: scoring.weights.order-ids: names no grader; did you mean" in told
    assert "spec.yaml:13:3: warning: scoring.weights: the weights sum to 0.75" in told
    linted = turngrade("lint", "spec.yaml").out
    assert "spec.yaml:15:5: warning" in linted
    assert "spec.yaml:13:3: warning" in linted
