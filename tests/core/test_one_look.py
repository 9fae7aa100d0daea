"""One look at all messages of a transcript rules graders out, and changes no verdict."""

from __future__ import annotations

from typing import Any

import pytest
from tests.benchmarks.messages import messages
from tests.core.test_screening import GRADERS

from turngrade.core import AssistantMessage, Grade, Transcript, grader, load_spec, subjects
from turngrade.core.checks import Finding

SUBSTRINGS: list[dict[str, Any]] = [
    {"type": "transcript-contains", "name": f"substring {number}", "config": config}
    for number, config in enumerate(
        [
            {"substring": "ΟΔΟΣ"},
            {"substring": "order"},
            {"substring": "Order", "case_sensitive": True},
            {"substring": "zq"},
            {"substring": "naïve", "negate": True},
            {"substring": "one\ntwo"},
            {"substring": "password", "unless": "password is"},
        ]
    )
]


def grades(transcript: Transcript) -> Grade:
    return load_spec([*GRADERS, *SUBSTRINGS]).grade(transcript)


def one_by_one(transcript: Transcript) -> Grade:
    """Without the look at all of them."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(subjects, "_SEVERAL", 10**9)
        return grades(transcript)


def test_verdicts_are_the_same() -> None:
    texts = messages(300_000)
    for at in range(0, len(texts), 6):
        transcript = Transcript.from_texts(texts[at : at + 6])
        assert grades(transcript) == one_by_one(transcript)


@pytest.mark.parametrize(
    "texts",
    [
        ["one", "two", "one\ntwo"],
        ["one", "two", "three"],  # in a row, with a line feed between, they hold what none of them holds
        ["οδος", "ΟΔΟΣ.", "οδοσ"],
        ["\ud83d", "\ude00", "😀"],
        ["", "", ""],
        ["NAÏVE", "naive", "x"],
        ["\u1c89", "İ", "ORDER"],
        ["a", "naïve", "b", "an order", "ç", "c", "é"],  # a row in ASCII, and one of the rest
        ["é", "password is naïve", "b", "c", "d", "ç"],
    ],
)
def test_odd_texts_in_a_row(texts: list[str]) -> None:
    transcript = Transcript.from_texts(texts)
    assert grades(transcript) == one_by_one(transcript)


def test_what_only_the_model_said_counts() -> None:
    said = [AssistantMessage(text, index) for index, text in enumerate(("a", "b", "c"))]
    transcript = Transcript((*said, AssistantMessage("d", 3, raw_text="my order")), "d")
    found = {verdict.name: verdict.passed for verdict in grades(transcript).verdicts}
    assert found["substring 1"]
    assert grades(transcript) == one_by_one(transcript)


def test_a_text_that_is_too_long_is_an_error_though_nothing_matches() -> None:
    spec = load_spec(
        {
            "graders": [{"type": "transcript-matches", "config": {"pattern": "zq"}}],
            "limits": {"max_text_length": 100},
        }
    )
    short, long = (Transcript.from_texts(["a", "b", "c" * length]) for length in (100, 101))
    assert [spec.grade(each).verdicts[0].status for each in (short, long)] == ["fail", "error"]


def test_one_look_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[str] = []
    monkeypatch.setattr(grader._Bench, "look", lambda self, text: looked_at.append(text))
    spec = load_spec([{"type": "transcript-not-contains", "config": {"substring": "zq"}}])
    assert spec.grade(Transcript.from_texts(["a", "b", "c"])).passed
    assert looked_at == []


def test_texts_in_ascii_are_passed_by_though_others_match(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[str] = []
    look = grader._Bench.look

    def noting(bench: grader._Bench, text: str) -> Finding:
        looked_at.append(text)
        return look(bench, text)

    monkeypatch.setattr(grader._Bench, "look", noting)
    texts = ["a", "é", "b", "my order é", "c", "ç"]
    spec = load_spec([{"type": "transcript-contains", "config": {"substring": "order"}}])
    assert spec.grade(Transcript.from_texts(texts)).verdicts[0].hits[0].message_index == 3
    assert looked_at == ["é", "my order é", "ç"]


def test_the_sentence_is_of_the_first_message_wherever_it_was_looked_at() -> None:
    config = {"value": "naïve order", "unless": "order"}
    spec = load_spec([{"type": "transcript-contains", "config": config}])
    for texts in (["a", "é", "b", "ç", "c", "ü"], ["é", "a", "b", "ç", "c", "ü"]):
        transcript = Transcript.from_texts(texts)
        assert spec.grade(transcript).verdicts[0].evidence == "'naïve order' NOT found in transcript"
        assert grades(transcript) == one_by_one(transcript)
