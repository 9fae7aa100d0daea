"""``toLowerCase`` against Node, and the way back to original offsets."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turngrade.core.lowercase import lowercase, original_span

NODE = shutil.which("node")
TRICKY = st.text(st.sampled_from("ΑΣσς aA.'İI\u0307\u00ad😀ẞﬀ\u1c89\ua7dc\U00010d50\U00016ea0"), max_size=12)


@pytest.mark.skipif(NODE is None, reason="Node judges JavaScript's toLowerCase")
def test_every_character_lowers_as_in_javascript() -> None:
    script = (
        "const out={};for(let c=0;c<0x110000;c++){if(c>=0xd800&&c<0xe000)continue;"
        "const s=String.fromCodePoint(c);if(s.toLowerCase()!==s)out[s]=s.toLowerCase();}"
        "console.log(JSON.stringify([process.versions.unicode,out]))"
    )
    done = subprocess.run([NODE or "", "-e", script], capture_output=True, text=True, check=True)
    version, lowered = json.loads(done.stdout)
    if float(version) < 17:
        pytest.skip(f"this Node knows Unicode {version} only")
    characters = (chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000)
    assert {c: lowercase(c) for c in characters if lowercase(c) != c} == lowered


@settings(deadline=None)
@given(TRICKY, st.data())
def test_a_span_of_the_lowered_text_maps_to_the_characters_it_came_from(
    text: str, data: st.DataObject
) -> None:
    lowered = lowercase(text)
    if not lowered:
        return
    start = data.draw(st.integers(0, len(lowered) - 1))
    end = data.draw(st.integers(start + 1, len(lowered)))
    first, last = original_span(text, start, end)
    before = len(lowercase(text[:first] + "x")) - 1
    assert before <= start < end <= len(lowered)
    assert 0 <= first < last <= len(text)
    assert last - first <= end - start


@pytest.mark.parametrize(
    ("text", "span", "original"),
    [
        ("İx", (2, 3), (1, 2)),
        ("İx", (0, 1), (0, 1)),
        ("İx", (1, 2), (0, 1)),
        ("İx", (1, 3), (0, 2)),
        ("ab", (1, 2), (1, 2)),
    ],
)
def test_spans(text: str, span: tuple[int, int], original: tuple[int, int]) -> None:
    assert original_span(text, *span) == original
