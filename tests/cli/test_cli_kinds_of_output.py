from __future__ import annotations

import csv
import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from markdown_it import MarkdownIt
from tests.cli.support import GOOD, Command, said

from turngrade.adapters.cli.outputs.csv import cell
from turngrade.adapters.cli.outputs.markdown import code

Write = Callable[..., Path]

EVIL = "a\x00\x1b[31m\ud800\ufffe]]> <b>&amp; | `x` ``y`` @you :smile: http://x.y **z** ![i](u)\n=1+1"


@pytest.fixture
def evil(write: Write) -> None:
    """A spec and transcripts whose every text is hostile."""
    graders = [
        {"type": "transcript-not-matches", "name": "=cmd|'/c x'!A0", "config": {"pattern": "(?s)a.+1"}},
        {"type": "output-matches", "name": "<g>", "config": {"pattern": "<b>|\\|"}},
    ]
    write("spec.json", {"graders": graders})
    write("evil.jsonl", [said("+1|<id>\x1b`", EVIL), said("@none"), {"id": "-2", "messages": 3}])


def grade(turngrade: Command, *outputs: str) -> list[dict[str, Any]]:
    """Grade into JSON Lines and other files; returns the rows."""
    args = [part for output in outputs for part in ("-o", output)]
    return turngrade("grade", "spec.json", "evil.jsonl", "-o", "-", *args).rows


@pytest.mark.usefixtures("evil")
class TestHostileTextInEveryKind:
    def test_csv(self, turngrade: Command) -> None:
        grades = grade(turngrade, "out.csv")
        raw = Path("out.csv").read_bytes().decode()
        with open("out.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        assert len(rows) == sum(len(grade["verdicts"]) or 1 for grade in grades)
        assert not any(value.startswith(("=", "+", "-", "@")) for row in rows for value in row.values())
        assert {c for c in raw if not c.isprintable()} == {"\r", "\n"}
        first, last = rows[0], rows[-1]
        assert (first["id"], first["grader"]) == ("'+1|<id>\\x1b`", "'=cmd|'/c x'!A0")
        assert (first["status"], first["score"], first["hit_start"], first["hit_message"]) == (
            "fail",
            "0.0",
            "0",
            "0",
        )
        assert first["hit"].startswith(r"a\x00\x1b[31m\ud800")
        assert (last["id"], last["grader"], last["status"], last["matched"]) == ("'-2", "", "error", "")
        assert last["evidence"] == "line 3: messages: expected a list of messages, not a number"

    def test_parquet(self, turngrade: Command) -> None:
        grades = grade(turngrade, "out.parquet")
        rows = pq.read_table("out.parquet").to_pylist()
        verdicts = [verdict for grade in grades for verdict in grade["verdicts"]]
        assert [row["evidence"] for row in rows[:-1]] == [verdict["evidence"] for verdict in verdicts]
        hit = verdicts[0]["hits"][0]
        assert rows[0]["hits"] == [hit | {"match": hit["match"].replace("\ud800", "\\ud800")}]
        assert (rows[0]["id"], rows[0]["score"], rows[0]["transcript_passed"]) == ("+1|<id>\x1b`", 0.0, False)
        assert (rows[-1]["status"], rows[-1]["grader"], rows[-1]["hits"]) == ("error", None, [])

    def test_junit(self, turngrade: Command) -> None:
        grade(turngrade, "out.xml")
        root = ET.parse("out.xml").getroot()
        assert root.attrib == {
            "name": "turngrade",
            "tests": "5",
            "failures": "3",
            "errors": "1",
            "skipped": "0",
        }
        (suite,) = root
        assert (suite.attrib["name"], suite.attrib["tests"]) == ("evil.jsonl", "5")
        names = [(case.attrib["classname"], case.attrib["name"]) for case in suite]
        assert names[0] == ("+1|<id>\\x1b`", "=cmd|'/c x'!A0")
        assert names[-1] == ("-2", "readable")
        failure = suite[0].find("failure")
        assert failure is not None
        assert failure.attrib["message"] == "transcript matches pattern /(?s)a.+1/"
        assert r"message 0: »a\x00\x1b[31m\ud800\ufffe]]> <b>&amp; | `x`" in (failure.text or "")
        assert suite[1].find("failure") is None
        error = suite[-1].find("error")
        assert error is not None
        assert error.attrib["type"] == "unreadable"

    def test_markdown(self, turngrade: Command) -> None:
        grade(turngrade, "out.md")
        html = MarkdownIt("commonmark").enable("table").render(Path("out.md").read_text(encoding="utf-8"))
        body = ET.fromstring(f"<x>{html}</x>".replace("<br>", "<br/>"))
        assert {element.tag for element in body.iter()} == {
            *("x", "h2", "h3", "p", "table", "thead", "tbody", "tr", "th", "td", "code", "br", "strong")
        }
        rates, failures = body.findall("table")
        assert [cell.text for cell in rates.iter("td")][1:3] == ["0/2", "0 %"]
        cells = [["".join(cell.itertext()) for cell in row] for row in failures.iter("tr")]
        assert cells[1][:3] == ["+1|<id>\\x1b` evil.jsonl", "=cmd|'/c x'!A0", "❌ fail"]
        assert cells[1][3].startswith(r"transcript matches pattern /(?s)a.+1/message 0 a\x00\x1b[31m\ud800")
        assert all(len(row) == 4 for row in cells)

    def test_scores_for_inspect(self, turngrade: Command) -> None:
        grade(turngrade, "out.scores.jsonl")
        rows = [
            json.loads(line) for line in Path("out.scores.jsonl").read_text(encoding="utf-8").splitlines()
        ]
        assert [(row["id"], row["epoch"]) for row in rows] == [
            ("+1|<id>\x1b`", None),
            ("@none", None),
            ("-2", None),
        ]
        assert rows[0]["value"] == {"=cmd|'/c x'!A0": 0, "<g>": 1, "aggregate": 0.5}

    def test_all_at_once(self, turngrade: Command, tmp_path: Path) -> None:
        names = ["a.jsonl", "a.csv", "a.parquet", "a.xml", "a.md", "a.scores.jsonl", "B.CSV"]
        grade(turngrade, *names)
        assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*names, "evil.jsonl", "spec.json"])
        assert Path("B.CSV").read_bytes() == Path("a.csv").read_bytes()


class TestJunit:
    def test_a_failure_that_the_threshold_forgives_is_skipped(self, turngrade: Command, write: Write) -> None:
        graders = [
            {"type": "output-matches", "name": name, "config": {"pattern": name}} for name in ("way", "moon")
        ]
        write("spec.json", {"graders": graders, "scoring": {"threshold": 0.5}})
        write("chats.jsonl", [GOOD])
        assert turngrade("grade", "spec.json", "chats.jsonl", "-o", "out.xml").code == 0
        root = ET.parse("out.xml").getroot()
        assert (root.attrib["failures"], root.attrib["skipped"]) == ("0", "1")
        skipped = root.find(".//skipped")
        assert skipped is not None
        assert skipped.attrib["message"] == (
            "failed, but the transcript passes with a score of 0.50: Output does not match pattern /moon/"
        )

    def test_epochs_are_told_apart_and_sources_are_suites(self, turngrade: Command, write: Write) -> None:
        log = Path(__file__).parents[1] / "data" / "inspect" / "epochs.eval"
        write("spec.json", {"graders": [{"type": "transcript-matches", "config": {"pattern": "x"}}]})
        write("chats.jsonl", [GOOD])
        turngrade("grade", "spec.json", log, "chats.jsonl", "-o", "out.xml")
        suites = list(ET.parse("out.xml").getroot())
        assert [suite.attrib["name"] for suite in suites] == [str(log), "chats.jsonl"]
        assert [case.attrib["classname"] for case in suites[0]] == [
            *("a (epoch 1)", "b (epoch 1)", "a (epoch 2)", "b (epoch 2)")
        ]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("plain", "plain"),
        ("=1+1", "'=1+1"),
        ("  =1+1", "'  =1+1"),
        ("\t=1", "'\\t=1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("-5", "'-5"),
        ("＝1", "'＝1"),
        ("a=1", "a=1"),
        (-0.5, -0.5),
        (None, None),
        ("a\nb\x07", "a\nb\\x07"),
    ],
)
def test_cells_that_a_spreadsheet_would_run(value: Any, shown: Any) -> None:
    assert cell(value) == shown


@pytest.mark.parametrize(
    "text", ["a", "`", "``", " ` ", "a`b``c", "|", "\\|", "a\\", "<b>", "*x*", "&amp;", "  "]
)
def test_a_code_span_is_read_back_as_it_was(text: str) -> None:
    markdown = f"| x |\n| - |\n| {code(text)} |\n"
    html = MarkdownIt("commonmark").enable("table").render(markdown)
    cell = ET.fromstring(html).find("tbody/tr/td/code")
    assert cell is not None
    assert (cell.text or "").strip(" ") == text.strip(" ")
