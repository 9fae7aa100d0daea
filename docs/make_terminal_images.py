"""Makes the pictures of the terminal in docs/images from the example logs, with a terminal of 100 columns."""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).parents[1]
IMAGES = Path(__file__).with_name("images")
COLUMNS = 100

CALLS = {
    "grade": ["grade", "no-refund-promise.yaml", "logs/inspect.eval", "--show", "failed"],
    "explain": ["explain", "no-refund-promise.yaml", "logs/inspect.eval", "--id", "refund-promised"],
}

WITHOUT_FONTS = re.sub(r"@font-face \{\{.*?\}\}\s*", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
"""Rich's own picture loads fonts from a server; the reader's are as good."""


def main() -> None:
    """Write the picture of each call."""
    for name in CALLS:
        (IMAGES / f"terminal-{name}.svg").write_text(picture(name), encoding="utf-8")


def picture(name: str) -> str:
    """What the terminal shows of a call, as SVG."""
    call = CALLS[name]
    console = Console(record=True, width=COLUMNS, file=io.StringIO())
    console.print(Text.from_ansi(f"$ turngrade {' '.join(call)}\n{shown(call)}"))
    return console.export_svg(title="turngrade", code_format=WITHOUT_FONTS, unique_id=f"turngrade-{name}")


def shown(call: list[str]) -> str:
    """What a call sends to a terminal, without the time that it took, which differs."""
    own, other = pty.openpty()
    env = {**os.environ, "TERM": "xterm-256color", "COLUMNS": str(COLUMNS)}
    env.pop("NO_COLOR", None)
    command = [sys.executable, "-m", "turngrade.adapters.cli", *call]
    process = subprocess.Popen(command, cwd=ROOT / "examples", env=env, stdout=other, stderr=other)
    os.close(other)
    sent = b""
    try:
        while part := os.read(own, 65536):
            sent += part
    except OSError:  # Linux: the other end is closed
        pass
    os.close(own)
    process.wait()
    return re.sub(r" \([\d.]+ s\)", "", sent.decode().replace("\r\n", "\n"))


if __name__ == "__main__":
    main()
