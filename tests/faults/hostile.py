"""Texts that try to be more than text, for whatever shows them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

TEXTS = {
    "terminal": "\x1b[2J\x1b]0;pwned\x07\x1b]52;c;ZXZpbA==\x07\x1b]8;;http://evil/\x1b\\\x9b31m\x90",
    "invisible": "a\rb\bc\x7fd\u202eevil\u2066\u200be\ufeff\x00",
    "lines": "one\n\ntwo\r\nthree\u2028four\u2029five\x85six\vseven\fend",
    "script": '</script><script>document.title="pwned"</script><img src=x onerror=document.title=1>',
    "attribute": "\"'><svg/onload=document.title=1>{{7*7}}{% raw %}${7*7}",
    "formula": "=cmd|' /C calc'!A0",
    "plus": "+1+1",
    "minus": "-2+3",
    "at": "@SUM(A1:A9)",
    "tab": "\t=1+1",
    "spaces": "   =1+1",
    "fullwidth": "＝1＋1",
    "quoted": '","=1+1","',
    "xml": "]]></failure></testcase></testsuite><injected/><!--",
    "entity": "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>&e;&#x1b;",
    "command": "::error file=x::pwned",
    "commands": "x\n::set-env name=PATH::evil\n##[error]pwned\n  ::add-mask::a\n%0A::error::b",
    "markdown": "| x |\n\n# pwned\n[x](javascript:alert(1)) ![i](http://evil/i.png) <b>bold</b> https://evil.test",
    "ticks": "`a` ``b`` ```\n```\n<img src=http://evil>",
    "mention": "@everyone #1 **bold** ~~gone~~ ---",
    "markup": "[red]red[/red] [link=http://evil]x[/link] :smile:",
    "surrogate": "half \ud83d of one",
    "percent": "%s %n {0} {id} \\u001b \\x1b",
}
"""By what they would attack."""

FILE_NAMES = tuple(
    text.replace("/", "_").replace("\0", "_") + ".jsonl"
    for name, text in TEXTS.items()
    if name != "surrogate"
)
"""The same as names of files."""


def conversation(id: str, text: str) -> dict[str, Any]:
    """A conversation with a text in every place that may hold one."""
    return {
        "id": id,
        "messages": [
            {"role": "user", "content": text},
            {"role": "assistant", "name": text, "id": text, "content": f"{text} secret word {text}"},
            {"role": "assistant", "content": text},
        ],
        "metadata": {text: text},
    }


def write_sources(folder: Path) -> Path:
    """A folder of hostile files: whole ones, broken ones, and unknown ones, under hostile names."""
    sources = folder / "sources"
    sources.mkdir()
    rows = [json.dumps(conversation(text, text)) for text in TEXTS.values()]
    broken = [json.dumps({"id": text, "messages": text, text: text}) for text in TEXTS.values()]
    (sources / "a.jsonl").write_text("\n".join([*rows, *broken]))
    for number, name in enumerate(FILE_NAMES):
        content = (rows[0], broken[0], '{"x": 1}', "", "\0\1")[number % 5]
        (sources / name).write_text(content)
    return sources


def spec() -> dict[str, Any]:
    """A spec whose names, patterns and examples are hostile too."""
    texts = [text for name, text in TEXTS.items() if name != "surrogate"]  # which no spec may hold
    graders: list[dict[str, Any]] = [
        {"type": "transcript-not-matches", "name": text, "config": {"pattern": "secret word"}}
        for text in texts
    ]
    for number, text in enumerate(texts):
        examples = {"match": [text], "no_match": [f"not {text}"]}
        contains = {"substring": text, "examples": examples}
        graders.append({"type": "output-contains", "name": f"contains {number}", "config": contains})
        graders.append(
            {"type": "output-matches", "name": f"invalid {number}", "config": {"pattern": f"({text}"}}
        )
    return {"name": TEXTS["script"], "description": TEXTS["terminal"], "graders": graders}
