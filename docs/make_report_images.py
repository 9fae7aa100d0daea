"""Makes the pictures of the HTML report in docs/images from the example logs, with headless Chromium."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).parents[1]
IMAGES = Path(__file__).with_name("images")

SIZES = {"wide": (1100, 700), "narrow": (390, 700)}


def main() -> None:
    """Grade the examples, and take the pictures."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        report = Path(folder, "report.html")
        command = [sys.executable, "-m", "turngrade.adapters.cli", "grade", "no-refund-promise.yaml", "logs"]
        subprocess.run([*command, "-q", "-o", str(report)], cwd=ROOT / "examples", check=False)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for scheme, size in (("light", "wide"), ("dark", "wide"), ("light", "narrow")):
            take(browser, report, scheme, size)
        browser.close()


def take(browser: Browser, report: Path, scheme: str, size: str) -> None:
    """One picture: the list in light, an open transcript in dark and on a narrow screen."""
    width, height = SIZES[size]
    options = {"viewport": {"width": width, "height": height}, "color_scheme": scheme}
    page = browser.new_page(**options)  # type: ignore[arg-type]
    page.goto(report.as_uri())
    page.wait_for_selector("html[data-ready=yes]", state="attached")
    if (scheme, size) != ("light", "wide"):
        page.locator(".row", has=page.locator(".cell.fail")).first.click()
    page.screenshot(path=IMAGES / f"report-{scheme}-{size}.png")
    page.close()


if __name__ == "__main__":
    main()
