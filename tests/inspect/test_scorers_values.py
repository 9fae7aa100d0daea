"""What a scorer's `Score` says: value, answer, explanation, reason, metadata."""

import copy
import json
import math

import pytest
from inspect_ai.scorer import CORRECT, INCORRECT, Reference
from tests.inspect.scoring import score

from turngrade.adapters.inspect import (
    contains,
    graders,
    output_contains,
    output_matches,
    output_not_contains,
    output_not_matches,
    regex_match,
    transcript_contains,
    transcript_matches,
    transcript_not_contains,
    transcript_not_matches,
)

REFUND = ("Let me look.", "You will get a full refund within 3 days, no matter what.", "Bye.")


@pytest.mark.parametrize(
    ("scorer", "correct"),
    [
        (transcript_matches(r"\bfull refund\b"), True),
        (transcript_matches(r"\bfull refund\b", negate=True), False),
        (transcript_matches("(?i)REFUND"), True),
        (transcript_matches("refund", select="last"), False),
        (transcript_matches(r"\.$", min_matches=3), True),
        (transcript_matches(r"\.$", min_matches=4), False),
        (transcript_matches(r"\.$", max_matches=2), False),
        (transcript_matches("refund", unless="full refund"), False),
        (transcript_not_matches("refund"), False),
        (transcript_not_matches("credit card"), True),
        (transcript_not_matches("refund", select="first"), True),
        (transcript_contains("LET ME"), True),
        (transcript_contains("LET ME", case_sensitive=True), False),
        (transcript_not_contains("refund"), False),
        (output_matches("^Bye"), True),
        (output_matches("refund"), False),
        (output_not_matches("refund"), True),
        (output_contains("bye"), True),
        (output_not_contains("bye"), False),
        (regex_match("bye"), True),
        (regex_match("bye", flags=""), False),
        (contains(["refund", "bye"]), True),
        (contains(["refund", "bye"], mode="all"), False),
        (contains("bye", case_sensitive=True), False),
    ],
)
async def test_value(scorer, correct):  # type: ignore[no-untyped-def]
    assert (await score(scorer, *REFUND)).value == (CORRECT if correct else INCORRECT)


async def test_a_hit_is_told_with_message_number_and_snippet() -> None:
    result = await score(transcript_not_matches("full refund"), *REFUND)
    assert result.answer == "full refund"
    assert result.explanation == (
        "✘ transcript matches pattern /full refund/\n"
        "[M2]: You will get a **full refund** within 3 days, no matter what."
    )
    assert result.reason is None


async def test_metadata_holds_the_verdict_and_references_of_the_viewer() -> None:
    result = await score(transcript_not_matches("full refund"), *REFUND)
    assert result.metadata is not None
    verdict = result.metadata["verdict"]
    assert verdict["status"] == "fail"
    assert verdict["hits"][0]["message_id"] == "m1"
    references = [Reference.model_validate(item) for item in result.metadata["scanner_references"]]
    assert references == [Reference(type="message", cite="[M2]", id="m1")]
    assert len(result.metadata["spec_digest"]) == 64


async def test_without_a_hit_there_is_no_answer_and_no_reference() -> None:
    result = await score(transcript_matches("invoice"), *REFUND)
    assert result.answer is None
    assert result.explanation == "✘ transcript does not match pattern /invoice/"
    assert "scanner_references" not in (result.metadata or {})


async def test_many_hits_are_cut_short_and_long_texts_too() -> None:
    result = await score(transcript_matches("x+"), *[f"{'a' * 99} xxx {'b' * 99}" for _ in range(9)])
    lines = (result.explanation or "").splitlines()
    assert lines[1] == f"[M1]: …{'a' * 49} **xxx** {'b' * 49}…"
    assert lines[-1] == "… and 4 more"
    assert len(lines) == 7


@pytest.mark.parametrize(
    ("scorer", "texts"),
    [
        (transcript_matches("a"), ()),
        (transcript_not_matches("a"), ()),
        (output_matches("a"), ()),
        (output_not_matches("a"), ()),
        (output_not_contains("a"), ("",)),
        (contains("a", negate=True), ()),
    ],
)
async def test_nothing_said_is_incorrect_with_reason_no_response(scorer, texts) -> None:  # type: ignore[no-untyped-def]
    result = await score(scorer, *texts)
    assert (result.value, result.reason) == (INCORRECT, "no_response")


@pytest.mark.parametrize("negate", [False, True])
async def test_an_error_is_incorrect_with_reason_scoring_failed(negate: bool) -> None:
    result = await score(output_matches("(", negate=negate), "text")
    assert (result.value, result.reason) == (INCORRECT, "scoring_failed")
    assert (result.explanation or "").startswith("✘ Invalid regex pattern: (. Error: ")
    assert result.metadata is not None
    assert result.metadata["verdict"]["reason"] == "invalid_pattern"


async def test_an_error_can_stay_unscored() -> None:
    result = await score(output_matches("(", on_error="unscored"), "text")
    assert isinstance(result.value, float)
    assert math.isnan(result.value)
    assert result.reason == "scoring_failed"
    assert (await score(output_matches("z", on_error="unscored"), "text")).value == INCORRECT


async def test_counts_are_explained() -> None:
    result = await score(transcript_matches("a", max_matches=1), "a", "a")
    assert (result.explanation or "").splitlines()[1] == "2 matching messages are more than allowed"


async def test_an_empty_match_is_named() -> None:
    result = await score(transcript_matches("^$"), "")
    assert result.explanation == "✔ transcript matches pattern /^$/\n[M1]: (empty match)"
    assert result.answer == ""


SPEC = {
    "graders": [
        {"type": "transcript-matches", "name": "refund", "config": {"pattern": "refund"}},
        {"type": "output-matches", "name": "ends", "config": {"pattern": r"\.$"}},
        {"type": "output-contains", "config": {"substring": "thanks"}},
    ],
    "scoring": {"weights": {"refund": 0.5, "ends": 0.25, "output-contains": 0.25}},
}


async def test_graders_give_a_value_each_and_the_aggregate() -> None:
    result = await score(graders(SPEC), *REFUND)
    assert result.value == {"refund": 1, "ends": 1, "output-contains": 0, "aggregate": 0.75}
    assert (result.explanation or "").splitlines() == [
        "2 of 3 graders pass, aggregate 0.75",
        "✔ refund: transcript matches pattern /refund/",
        "[M2]: You will get a full **refund** within 3 days, no matter what.",
        r"✔ ends: Output matches pattern /\.$/",
        "[output]: Bye**.**",
        "✘ output-contains: 'thanks' NOT found in output",
    ]
    assert result.metadata is not None
    assert [verdict["name"] for verdict in result.metadata["grade"]["verdicts"]] == [
        "refund",
        "ends",
        "output-contains",
    ]
    assert result.metadata["scanner_references"] == [{"type": "message", "cite": "[M2]", "id": "m1"}]


async def test_the_data_of_many_graders_is_not_copied_with_every_key() -> None:
    spec = [{"type": "transcript-matches", "config": {"pattern": "refund"}}]
    result = await score(graders(spec), *REFUND)
    assert result.metadata is not None
    copied = copy.deepcopy(result).metadata
    assert copied is not None
    assert copied["grade"] is result.metadata["grade"]
    assert json.loads(result.model_dump_json())["metadata"]["grade"] == result.metadata["grade"]


async def test_graders_keep_their_keys_whatever_happens() -> None:
    keys = {"refund", "ends", "output-contains", "aggregate"}
    for texts in ((), ("",), REFUND):
        result = await score(graders(SPEC), *texts)
        assert set(result.as_dict()) == keys


async def test_unscored_errors_of_graders_are_left_out_key_by_key() -> None:
    spec = [
        {"type": "output-matches", "name": "good", "config": {"pattern": "a"}},
        {"type": "output-matches", "name": "bad", "config": {"pattern": "("}},
    ]
    value = (await score(graders(spec, on_error="unscored"), "a")).as_dict()
    assert value["good"] == 1
    assert math.isnan(float(value["bad"] or 0))
    assert math.isnan(float(value["aggregate"] or 0))
    value = (await score(graders(spec), "a")).as_dict()
    assert value == {"good": 1, "bad": 0, "aggregate": 0.5}


async def test_a_stimulus_grader_is_left_out_of_other_samples() -> None:
    stimuli = [
        {"name": name, "graders": [{"type": "output-contains", "name": name, "config": {"value": "a"}}]}
        for name in ("s0", "s1")
    ]
    value = (await score(graders({"stimuli": stimuli}), "a")).as_dict()
    assert value["s0"] == 1
    assert math.isnan(float(value["s1"] or 0))
    assert value["aggregate"] == 1.0


async def test_a_sample_to_which_no_grader_applies_says_so() -> None:
    grader = {"type": "output-contains", "name": "other", "config": {"value": "a"}}
    result = await score(graders({"stimuli": [{"name": "other", "graders": [grader]}]}), "a")
    assert result.explanation == "no grader applies"
    assert all(math.isnan(float(value or 0)) for value in result.as_dict().values())


async def test_thinking_is_cut_before_it_is_quoted() -> None:
    spec = {
        "strip_thinking": True,
        "graders": [{"type": "transcript-matches", "config": {"pattern": "refund"}}],
    }
    result = await score(graders(spec), "<think>a refund?</think> No refund here.")
    assert "[M1]: No **refund** here." in (result.explanation or "")
