"""The HTML report: what it holds, and what a browser makes of it."""

from __future__ import annotations

import base64
import contextlib
import gzip
import html
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.cli.support import BAD, GOOD, said

from turngrade.adapters.cli.app import run

EVIL = (
    '</script><img src=x onerror="document.title=1"><script>document.title=2</script>&lt; '
    "\x1b[2J \ud800 \u202e 😀 "
)

GRADERS = [
    {
        "type": "transcript-not-matches",
        "name": "no-refund",
        "config": {"pattern": "refund (?:is|was) approved"},
    },
    {"type": "output-matches", "name": "<i>order</i>", "config": {"pattern": r"ORD-\d{6}"}},
    {"type": "transcript-matches", "name": "talk", "config": {"pattern": "😀.", "scope": "conversation"}},
]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of hostile, good and unreadable transcripts."""
    evil = said("evil<i>", EVIL + "refund is approved", "Sorry, your refund was approved, ORD-123456 " + EVIL)
    more = [{**GOOD, "id": f"more-{n}"} for n in range(300)]
    with contextlib.chdir(tmp_path_factory.mktemp("report")):
        Path("spec.json").write_text(json.dumps({"name": "Report <b>&", "graders": GRADERS}))
        for name, rows in (("chats", [evil, GOOD, BAD, {"id": "odd", "messages": 1}]), ("more", more)):
            Path(f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        for name in ("report", "again"):
            assert run(["grade", "spec.json", "chats.jsonl", "more.jsonl", "-q", "-o", f"{name}.html"]) == 3
        return Path("report.html").resolve()


def data_of(page: str) -> dict[str, Any]:
    packed = re.search(r'<script type="application/octet-stream" id="data">([^<]*)</script>', page)
    assert packed is not None
    data = json.loads(gzip.decompress(base64.b64decode(packed[1])))
    assert isinstance(data, dict)
    return data


class TestTheFile:
    def test_holds_every_transcript_with_its_texts_and_hits(self, report: Path) -> None:
        data = data_of(report.read_text(encoding="utf-8"))
        assert [grader["name"] for grader in data["graders"]] == ["no-refund", "<i>order</i>", "talk"]
        evil, good, _, odd = data["transcripts"][:4]
        assert (evil["id"], evil["status"], len(data["transcripts"])) == ("evil<i>", "fail", 304)
        assert [part["title"] for part in good["texts"]] == [
            *("message 0, scope run", "message 1, scope run"),
            *("message 0, scope conversation", "message 1, scope conversation", "final output"),
        ]
        assert (odd["status"], odd["error"]) == (
            "error",
            "line 4: messages: expected a list of messages, not a number",
        )

    def test_offsets_count_as_javascript_does(self, report: Path) -> None:
        evil = data_of(report.read_text(encoding="utf-8"))["transcripts"][0]
        hit = evil["verdicts"][0]["hits"][0]
        text = next(part["text"] for part in evil["texts"] if part["key"] == hit["text"])
        units = text.encode("utf-16-le", "surrogatepass")
        found = units[2 * hit["start"] : 2 * hit["end"]].decode("utf-16-le")
        assert found == "refund is approved"

    def test_nothing_of_a_transcript_stands_in_the_page_itself(self, report: Path) -> None:
        page = report.read_text(encoding="utf-8")
        for part in ("onerror", "evil", "refund is", "<i>order", "Report <b>"):
            assert part not in page
        assert "<title>Report &lt;b&gt;&amp;</title>" in page

    def test_loads_nothing_and_runs_only_its_own_script(self, report: Path) -> None:
        page = report.read_text(encoding="utf-8")
        policy = html.unescape(re.findall(r'Content-Security-Policy" content="([^"]*)"', page)[0])
        assert policy.startswith(
            "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-"
        )
        assert "unsafe" not in policy
        assert not re.search(r"(?:src|href)=", re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL))

    def test_is_the_same_for_the_same_input(self, report: Path) -> None:
        assert report.with_name("again.html").read_bytes() == report.read_bytes()


CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine (Debian: apt-get install chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Any, report: Path) -> Iterator[Any]:
    """The report in a browser that has no network; nothing may be logged."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    logged: list[str] = []
    page.on("console", lambda message: logged.append(message.text))
    page.on("pageerror", lambda error: logged.append(str(error)))
    page.on(
        "request", lambda request: logged.append(request.url) if not request.url.startswith("file:") else None
    )
    page.goto(report.as_uri())
    page.wait_for_selector("html[data-ready=yes]", state="attached")
    yield page
    title = page.title()
    page.close()
    assert (logged, title) == ([], "Report <b>&")


class TestInABrowser:
    def test_only_the_rows_in_view_exist(self, page: Any) -> None:
        assert page.inner_text("#count") == "304 of 304"
        assert 10 < page.locator(".row").count() < 60
        page.locator("#list").focus()
        page.keyboard.press("End")
        assert page.locator(".row[aria-selected=true]").get_attribute("aria-posinset") == "304"
        assert page.locator(".row[aria-selected=true] .id").inner_text() == "more-299"

    @pytest.mark.parametrize(
        ("filters", "count"),
        [
            ({"status": "fail"}, "303 of 304"),
            ({"status": "error"}, "1 of 304"),
            ({"grader": "0", "status": "fail"}, "2 of 304"),
            ({"grader": "1"}, "303 of 304"),
            ({"source": "more.jsonl"}, "300 of 304"),
        ],
    )
    def test_filters(self, page: Any, filters: dict[str, str], count: str) -> None:
        for name, value in filters.items():
            page.select_option(f"#{name}", value)
        assert page.inner_text("#count") == count

    def test_text_is_searched_for_in_texts_too(self, page: Any) -> None:
        page.fill("#text", "ONERROR")
        assert page.inner_text("#count") == "1 of 304"
        page.fill("#text", "nowhere to be found")
        assert (page.inner_text("#count"), page.locator(".row").count()) == ("0 of 304", 0)
        shown = "getComputedStyle(document.getElementById('list'), '::after').content"
        assert page.evaluate(shown) == '"No transcript fits the filters."'
        page.fill("#text", "")
        assert page.evaluate(shown) == "none"

    def test_numbers_above_the_cells_are_those_of_the_graders(self, page: Any) -> None:
        numbers = page.locator(".head .cell")
        assert numbers.all_inner_texts() == page.locator(".rates td:first-child").all_inner_texts()
        assert numbers.nth(1).get_attribute("title") == "<i>order</i>"
        cell = page.locator(".row").first.locator(".cell").nth(1)
        assert numbers.nth(1).bounding_box()["x"] == cell.bounding_box()["x"]

    def test_the_chosen_row_is_never_under_the_head(self, page: Any) -> None:
        page.locator("#list").focus()
        for key in ("End", "Home", "PageDown", *["ArrowUp"] * 3):
            page.keyboard.press(key)
            head = page.locator(".head").bounding_box()
            whole = page.locator("#list").bounding_box()
            row = page.locator(".row[aria-selected=true]").bounding_box()
            assert row["y"] >= head["y"] + head["height"] - 1
            assert row["y"] + row["height"] <= whole["y"] + whole["height"]

    def test_a_transcript_opens_with_its_hits_and_nothing_in_it_runs(self, page: Any) -> None:
        page.locator(".row").first.click()
        assert page.inner_text("#detail-title").startswith("evil<i>")
        assert page.locator("dialog img, dialog script").count() == 0
        marks = page.locator("mark").all_inner_texts()
        assert marks[:2] == ["refund is approved", "refund was approved"]
        assert marks[-1] == "ORD-123456"
        assert page.locator(".escape").first.inner_text() == "\\x1b"
        assert "<img src=x onerror=" in page.inner_text("#texts")

    def test_keys_step_between_hits_and_transcripts(self, page: Any) -> None:
        page.locator("#list").focus()
        page.keyboard.press("Enter")
        page.wait_for_selector("dialog[open]")
        assert page.inner_text("#hit-count").startswith("hit 1 of ")
        page.keyboard.press("n")
        assert page.inner_text("#hit-count").startswith("hit 2 of ")
        assert page.locator("mark.now").inner_text() == "refund was approved"
        page.keyboard.press("p")
        assert page.inner_text("#hit-count").startswith("hit 1 of ")
        page.keyboard.press("j")
        assert page.inner_text("#detail-title").startswith("good ")
        page.keyboard.press("Escape")
        assert not page.locator("dialog[open]").count()
        assert page.evaluate("document.activeElement.id") == "list"
        assert page.locator(".row[aria-selected=true] .id").inner_text() == "good"

    def test_what_could_not_be_read_says_why(self, page: Any) -> None:
        page.select_option("#status", "error")
        page.locator(".row").first.click()
        assert "expected a list of messages" in page.inner_text("#verdicts")
        assert page.inner_text("#hit-count") == "no hits"

    def test_a_row_is_told_to_a_screen_reader(self, page: Any) -> None:
        label = page.locator(".row").first.get_attribute("aria-label")
        assert label == "evil<i>, fail: no-refund fail"
        assert page.locator("#list").get_attribute("aria-activedescendant") == "row-0"

    def test_a_narrow_window_has_no_sideways_scrolling(self, page: Any) -> None:
        page.set_viewport_size({"width": 360, "height": 700})
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        page.locator(".row").first.click()
        assert page.evaluate("document.querySelector('dialog').scrollWidth") <= 360

    def test_all_rows_are_printed(self, page: Any) -> None:
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        page.evaluate("dispatchEvent(new Event('resize'))")
        assert page.locator(".row").count() == 304
        assert page.inner_text("#printed") == ""
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert page.locator(".row").count() < 60
