"""What a reader sees in Inspect View of a log that turngrade has written scores into, in a real browser."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.request import urlopen

import pytest
from tests.inspect.archives import DATA, transcripts

from turngrade.adapters.inspect import write_scores
from turngrade.core import load_spec

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

SPEC = {
    "name": "leaks",
    "graders": [
        {"type": "transcript-not-contains", "name": "no-leak", "config": {"substring": "LEAK"}},
        {"type": "output-matches", "name": "number", "config": {"pattern": r"\d"}},
    ],
}


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Inspect's own server over a folder with a graded log of a run with a sub-agent."""
    folder = tmp_path_factory.mktemp("logs")
    log, spec = folder / "run.eval", load_spec(SPEC)
    shutil.copy(DATA / "as-tool-agent.eval", log)
    write_scores(log, [spec.grade(transcript) for transcript in transcripts(log)], spec=spec)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    inspect = [sys.executable, "-m", "inspect_ai._cli.main", "view", "start"]
    server = subprocess.Popen(
        [*inspect, "--log-dir", str(folder), "--port", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield _answering(f"http://127.0.0.1:{port}")
    finally:
        server.terminate()
        server.wait()


def _answering(url: str) -> str:
    for _ in range(240):
        try:
            urlopen(url).close()
            return url
        except OSError:
            time.sleep(0.25)
    raise TimeoutError(url)


@pytest.fixture
def page() -> Iterator[Page]:
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine (Debian: apt-get install chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1500, "height": 1000})
        page.set_default_timeout(60_000)
        yield page
        browser.close()


def test_scores_explanation_and_links_to_messages(view: str, page: Page) -> None:
    [_, second, *_] = transcripts(DATA / "as-tool-agent.eval")[0].messages
    page.goto(f"{view}/#/logs/run-graded.eval/samples/sample/a/1/transcript")
    link = page.locator(f"a[data-ref-id='{second.id}']")
    link.wait_for()
    assert link.inner_text() == "M2"
    seen = page.inner_text("body")
    for line in (
        "1 of 2 graders pass, aggregate 0.5",
        "✘ no-leak: 'LEAK' found in transcript",
        "[M2] sub: sub turn 1 LEAK",
        r"✔ number: Output matches pattern /\d/",
    ):
        assert line in seen
    link.click()
    page.wait_for_url(f"**/transcript?message={second.id}")
    page.get_by_text("sub turn 1 LEAK", exact=True).wait_for()


def test_the_tab_of_scores_has_a_number_for_each_grader(view: str, page: Page) -> None:
    page.goto(f"{view}/#/logs/run-graded.eval/samples/sample/a/1/scoring")
    page.get_by_text("no-leak", exact=True).first.wait_for()
    words = page.inner_text("body").split()
    row = words[words.index("leaks") + 1 :][:6]
    assert row == ["no-leak", "0", "number", "1.0", "aggregate", "0.5"]
