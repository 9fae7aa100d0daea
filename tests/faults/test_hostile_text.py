"""No text of a transcript, a spec or a file's name gets out of its place in any output."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from markdown_it import MarkdownIt
from tests.faults.hostile import TEXTS, spec, write_sources

OUTPUTS = ("out.jsonl", "out.scores.jsonl", "out.csv", "out.parquet", "out.xml", "out.md", "out.html")

# what a terminal obeys, and what it shows otherwise than it is, but for the end of a line
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2028\u2029\u2066-\u2069\ufeff]")
COLOR = re.compile(r"\x1b\[[0-9;]*m")
COMMAND = re.compile(r"\s*::|.*##\[")


def call(folder: Path, *args: str, **env: str) -> tuple[int, str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "NO_COLOR"))}
    done = subprocess.run(
        [sys.executable, "-m", "turngrade.adapters.cli", *args],
        cwd=folder,
        env={**kept, "COLUMNS": "100", "PYTHONUTF8": "1", **env},
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=300,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with hostile sources, all output files of them, and what the terminal was shown."""
    folder = tmp_path_factory.mktemp("hostile")
    write_sources(folder)
    (folder / "spec.json").write_text(json.dumps(spec()))
    outputs = (argument for name in OUTPUTS for argument in ("-o", name))
    code, out, err = call(folder, "grade", "spec.json", "sources", "--show", "all", *outputs)
    assert code == 3
    (folder / "shown.txt").write_text(out + err)
    return folder


def rows(place: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (place / "out.jsonl").read_text("utf-8").split("\n")[:-1]]


# --- terminals and logs of CI


@pytest.fixture(scope="module")
def changed(place: Path) -> str:
    """The rows again, with every verdict turned over."""
    turned = []
    for row in rows(place):
        for verdict in row["verdicts"]:
            verdict["passed"] = not verdict["passed"]
            verdict["status"] = "pass" if verdict["passed"] else "fail"
        turned.append(json.dumps(row))
    (place / "turned.jsonl").write_text("\n".join(turned) + "\n")
    return "turned.jsonl"


CALLS: dict[str, list[str]] = {
    "table": ["grade", "spec.json", "sources", "--show", "all"],
    "quiet": ["grade", "spec.json", "sources", "-q"],
    "explain": ["explain", "spec.json", "sources/a.jsonl", "--id", TEXTS["command"]],
    "explain nothing": ["explain", "spec.json", "sources/a.jsonl", "--id", "nobody"],
    "diff": ["diff", "out.jsonl", "turned.jsonl"],
    "lint": ["lint", "spec.json"],
    "lint as annotations": ["lint", "spec.json", "--format", "github"],
    "test": ["test", "spec.json", "-v"],
    "bad usage": ["grade", "spec.json", TEXTS["commands"], "--only", TEXTS["commands"]],
    "no spec": ["grade", TEXTS["commands"], "sources"],
}


@pytest.mark.parametrize("color", [False, True], ids=["plain", "color"])
@pytest.mark.parametrize("name", CALLS)
def test_terminals_are_sent_text_alone(place: Path, changed: str, name: str, color: bool) -> None:
    _, out, err = call(place, *CALLS[name], **({"FORCE_COLOR": "1"} if color else {}))
    shown = COLOR.sub("", out + err) if color else out + err
    assert shown.strip()
    assert "Traceback" not in shown
    assert CONTROL.findall(shown) == []


@pytest.mark.parametrize("name", CALLS)
def test_a_runner_of_ci_is_given_no_commands_but_ours(place: Path, changed: str, name: str) -> None:
    summary = place / "summary.md"
    summary.unlink(missing_ok=True)
    env = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(summary)}
    _, out, err = call(place, *CALLS[name], **env)
    for stream in (out, err):
        for line in stream.splitlines():
            if COMMAND.match(line):
                assert re.match(r"::(?:error|warning|notice) file=spec\.json[,:]", line), line
    if summary.exists():
        _assert_plain_markdown(summary.read_text("utf-8"))


# --- files


def test_rows_keep_every_text_and_are_a_line_each(place: Path) -> None:
    found = rows(place)
    graded = {row["id"]: row for row in found if row["source"] == "sources/a.jsonl" and "error" not in row}
    assert set(graded) == set(TEXTS.values())
    for text, row in graded.items():
        hits = [hit for verdict in row["verdicts"] for hit in verdict["hits"] if hit["message_index"] == 0]
        assert {hit["agent"] for hit in hits} == {text}
    data = (place / "out.jsonl").read_bytes()
    assert not re.search(rb"[\x00-\x09\x0b-\x1f]", data)
    assert data.count(b"\n") == len(found)


def test_scores_for_inspect_are_a_line_each(place: Path) -> None:
    data = (place / "out.scores.jsonl").read_bytes()
    lines = [json.loads(line) for line in data.split(b"\n")[:-1]]
    assert len(lines) == len([row for row in rows(place) if row["id"] is not None])
    assert not re.search(rb"[\x00-\x09\x0b-\x1f]", data)


def test_no_cell_is_a_formula(place: Path) -> None:
    with (place / "out.csv").open(encoding="utf-8", newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert len(cells) > 1000
    risky = [cell for cell in cells if cell.strip().startswith(("=", "+", "-", "@", "＝", "＋", "－", "＠"))]
    assert risky == []
    assert [cell for cell in cells if CONTROL.search(cell)] == []


def test_columns_of_parquet_keep_every_text(place: Path) -> None:
    table = pq.read_table(place / "out.parquet").to_pylist()
    ids = {row["id"] for row in table if row["source"] == "sources/a.jsonl"}
    assert ids >= {text for text in TEXTS.values() if "\ud83d" not in text}


def test_junit_has_no_element_that_is_not_ours(place: Path) -> None:
    text = (place / "out.xml").read_text("utf-8")
    assert "<!DOCTYPE" not in text
    tags = {element.tag for element in ET.fromstring(text).iter()}
    assert tags <= {
        "testsuites",
        "testsuite",
        "testcase",
        "failure",
        "error",
        "skipped",
        "system-out",
        "properties",
    }


def test_markdown_has_no_element_that_is_not_ours(place: Path) -> None:
    _assert_plain_markdown((place / "out.md").read_text("utf-8"))


def _assert_plain_markdown(text: str) -> None:
    assert CONTROL.findall(text) == []
    tokens = list(
        _tokens(MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(text))
    )
    kinds = {token.type for token in tokens}
    assert {token.content for token in tokens if token.type == "html_inline"} <= {"<br>"}
    assert kinds.isdisjoint({"html_block", "link_open", "image", "fence", "s_open", "hr"})
    titles = [tokens[at + 1].content for at, token in enumerate(tokens) if token.type == "heading_open"]
    assert not any("pwned" in title for title in titles)
    plain = " ".join(token.content for token in tokens if token.type == "text")
    assert not re.search(r"https?://|(?<!\\)@everyone|\[x\]", plain)


def _tokens(tokens: list[Any]) -> Iterator[Any]:
    for token in tokens:
        yield token
        yield from _tokens(token.children or [])


def test_the_report_holds_no_text_in_its_page(place: Path) -> None:
    page = (place / "out.html").read_text("utf-8")
    assert not [text for text in TEXTS.values() if "<" in text and text in page]
    assert re.search(r"Content-Security-Policy", page)


def test_a_browser_runs_nothing_of_the_report(place: Path) -> None:
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        try:
            browser = driver.chromium.launch()
        except playwright.Error:
            pytest.skip("no browser is installed")
        page = browser.new_page()
        seen: list[str] = []
        page.on("dialog", lambda dialog: seen.append(dialog.message))
        page.on("request", lambda request: seen.append(request.url))
        page.goto((place / "out.html").as_uri())
        title = page.title()
        for number in range(3):
            page.get_by_role("row").nth(number + 1).click()
        assert "pwned" not in page.title() or page.title() == title
        assert page.locator("img, svg[onload], iframe, object").count() == 0
        assert [url for url in seen if not url.startswith(("file:", "data:", "blob:"))] == []
        browser.close()


@pytest.mark.parametrize("kind", ["json", "sarif"])
def test_findings_are_data(place: Path, kind: str) -> None:
    _, out, _ = call(place, "lint", "spec.json", "--format", kind)
    found = json.loads(out)
    assert not CONTROL.search(out)
    if kind == "sarif":
        results = found["runs"][0]["results"]
        assert len(results) > 20
        # an unescaped bracket would begin a link
        assert not [r for r in results if re.search(r"(?<!\\)\[[^\]]*\]\([a-z]+:", r["message"]["text"])]
