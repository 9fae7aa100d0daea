from __future__ import annotations

import pytest

from turngrade.adapters.cli.snippets import CONTEXT, Snippet, snippet, snippet_of, text_of
from turngrade.core import AssistantMessage, Hit, Transcript, Verdict


def hit(start: int, match: str, index: int | None = 0, field: str = "text", agent: str | None = None) -> Hit:
    return Hit(index, None, agent, field, start, start + len(match), match)  # type: ignore[arg-type]


def test_the_text_that_a_hit_lies_in() -> None:
    run = (AssistantMessage("run 0", 0), AssistantMessage("run 1", 1, raw_text="raw 1"))
    transcript = Transcript(run, "out", conversation=(AssistantMessage("talk 0", 0),))
    assert text_of(hit(0, "run", 1), transcript, "run") == "run 1"
    assert text_of(hit(0, "raw", 1, "raw_text"), transcript, "run") == "raw 1"
    assert text_of(hit(0, "talk"), transcript, "conversation") == "talk 0"
    assert text_of(hit(1, "u", None), transcript, "conversation") == "out"


def test_a_hit_in_another_transcript_is_not_looked_up() -> None:
    transcript = Transcript.from_texts(["abc"])
    for other in (hit(1, "x"), hit(0, "a", 5), hit(0, "b", None), hit(0, "a", 0, "raw_text")):
        assert text_of(other, transcript, "run") is None
    assert snippet(hit(4, "b\n"), None) == Snippet("", "b↵", "", "message 0")


def test_what_stands_around_a_hit_is_cut_and_made_visible() -> None:
    text = "x" * 200 + "\n[hit]\x1b" + "y" * 200
    found = snippet(hit(201, "[hit]", agent="re\x07searcher"), text)
    assert found == Snippet(
        "x" * (CONTEXT - 1) + "↵",
        "[hit]",
        r"\x1b" + "y" * (CONTEXT - 1),
        r"message 0 (re\x07searcher)",
        starts=False,
        ends=False,
    )
    assert snippet(hit(0, "x", None), "x") == Snippet("", "x", "", "output")


def test_a_long_hit_keeps_its_ends() -> None:
    text = "a" * 500 + "b" * 500
    found = snippet(hit(0, text), text)
    assert (found.hit[:3], found.hit[-3:], len(found.hit)) == ("aaa", "bbb", 123)


@pytest.mark.parametrize(
    ("room", "before", "after"),
    [
        (100, "one two three ", " four five six"),
        (14, "one two three ", " four five six"),
        (13, "two three ", " four five"),
        (1, "two three ", " four five"),
    ],
)
def test_cropping_keeps_whole_words(room: int, before: str, after: str) -> None:
    cropped = Snippet("one two three ", "hit", " four five six", "output").cropped(room)
    assert (cropped.before, cropped.after) == (before, after)
    whole = room >= 14
    assert (cropped.starts, cropped.ends) == (whole, whole)


def test_cropping_a_text_without_spaces() -> None:
    cropped = Snippet("a" * 50, "hit", "b" * 50, "output").cropped(20)
    assert (cropped.before, cropped.after) == ("a" * 20, "b" * 20)


def test_a_verdict_without_hits_has_no_snippet() -> None:
    verdict = Verdict("g", "output-matches", "fail", "Output does not match pattern /x/")
    assert snippet_of(verdict, Transcript.from_texts(["a"]), "run") is None
