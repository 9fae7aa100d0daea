"""What graders say: the evidence sentences, reasons and hits of every type, on texts of every kind."""

from __future__ import annotations

from typing import Any

import pytest

from turngrade.core import AssistantMessage, Grade, Hit, Transcript, Verdict, load_spec


def judge(grader_type: str, texts: list[str], output: str | None = None, /, **config: Any) -> Verdict:
    spec = load_spec([{"type": grader_type, "config": config}])
    transcript = Transcript.from_texts(texts, output)
    return spec.grade(transcript).verdicts[0]


TM, TNM = "transcript-matches", "transcript-not-matches"
TC, TNC = "transcript-contains", "transcript-not-contains"
OM, ONM = "output-matches", "output-not-matches"
OC, ONC = "output-contains", "output-not-contains"
RM, CO = "regex-match", "contains"
NOTHING = "no assistant messages in transcript to check"

SENTENCES: list[tuple[str, dict[str, Any], list[str], str, str, str | None]] = [
    (TM, {"pattern": "b+"}, ["a", "b"], "pass", "transcript matches pattern /b+/", None),
    (TM, {"pattern": "(?i)B"}, ["a", "b"], "pass", "transcript matches pattern /(?i)B/", None),
    (TM, {"pattern": "B"}, ["a", "b"], "fail", "transcript does not match pattern /B/", None),
    (TM, {"pattern": "b", "negate": True}, ["a", "b"], "fail", "transcript matches pattern /b/", None),
    (TNM, {"pattern": "b"}, ["a", "b"], "fail", "transcript matches pattern /b/", None),
    (TNM, {"pattern": "c"}, ["a", "b"], "pass", "transcript does not match pattern /c/", None),
    (
        TNM,
        {"pattern": "c", "negate": True},
        ["a", "b"],
        "pass",
        "transcript does not match pattern /c/",
        None,
    ),
    (TM, {"pattern": "a"}, [], "fail", "transcript does not match pattern /a/", "no_messages"),
    (TNM, {"pattern": "a"}, [], "fail", NOTHING, "no_messages"),
    (TM, {"pattern": "a", "max_matches": 1}, [], "fail", NOTHING, "no_messages"),
    (TM, {"pattern": "^$"}, ["a", ""], "pass", "transcript matches pattern /^$/", None),
    (TM, {"pattern": "a.b"}, ["a", "b"], "fail", "transcript does not match pattern /a.b/", None),
    (TC, {"substring": "B"}, ["a", "b"], "pass", "'B' found in transcript", None),
    (TC, {"value": "B"}, ["a", "b"], "pass", "'B' found in transcript", None),
    (TC, {"value": "B", "case_sensitive": True}, ["b"], "fail", "'B' NOT found in transcript", None),
    (TNC, {"value": "B"}, ["a", "b"], "fail", "'B' found in transcript", None),
    (TNC, {"value": "B"}, [], "fail", NOTHING, "no_messages"),
    (TC, {"value": "B"}, [], "fail", "'B' NOT found in transcript", "no_messages"),
    (OM, {"pattern": "b"}, ["b", "a"], "fail", "Output does not match pattern /b/", None),
    (OM, {"pattern": "a"}, ["b", "a"], "pass", "Output matches pattern /a/", None),
    (ONM, {"pattern": "a"}, ["b", "a"], "fail", "Output matches pattern /a/", None),
    (ONM, {"pattern": "b"}, ["b", "a"], "pass", "Output does not match pattern /b/", None),
    (OM, {"pattern": "a"}, [], "fail", "Output does not match pattern /a/", "no_output"),
    (ONM, {"pattern": "a"}, [], "fail", "no output to check", "no_output"),
    (OM, {"pattern": "^$"}, [""], "fail", "Output does not match pattern /^$/", "no_output"),
    (OC, {"substring": "A"}, ["a"], "pass", "'A' found in output", None),
    (OC, {"substring": "A"}, ["b"], "fail", "'A' NOT found in output", None),
    (OC, {"substring": "A"}, [], "fail", "'A' NOT found in output", "no_output"),
    (ONC, {"substring": "A"}, ["a"], "fail", "'A' found in output", None),
    (ONC, {"substring": "A"}, [], "fail", "no output to check", "no_output"),
    (RM, {"pattern": "A"}, ["a"], "pass", "Output matches pattern /A/i", None),
    (RM, {"pattern": "A", "flags": ""}, ["a"], "fail", "Output does not match pattern /A/", None),
    (RM, {"pattern": "A", "flags": "gi"}, ["a"], "pass", "Output matches pattern /A/gi", None),
    (RM, {"pattern": "b", "flags": "y"}, ["ab"], "fail", "Output does not match pattern /b/y", None),
    (RM, {"pattern": "A", "negate": True}, [], "fail", "no output to check", "no_output"),
    (CO, {"value": "A"}, ["a"], "pass", "'A' found in output", None),
    (CO, {"value": ["x", "A", "b"]}, ["ab"], "pass", "'A', 'b' found in output", None),
    (CO, {"value": ["x", "y"]}, ["ab"], "fail", "'x', 'y' NOT found in output", None),
    (CO, {"value": ["a", "b"], "mode": "all"}, ["ab"], "pass", "'a', 'b' found in output", None),
    (CO, {"value": ["a", "y"], "mode": "all"}, ["ab"], "fail", "'y' NOT found in output", None),
    (
        CO,
        {"value": ["a", "y"], "mode": "all", "negate": True},
        ["ab"],
        "pass",
        "'y' NOT found in output",
        None,
    ),
    (CO, {"value": ["a", "y"], "negate": True}, ["ab"], "fail", "'a' found in output", None),
    (CO, {"value": ["a", "y"]}, [], "fail", "'a', 'y' NOT found in output", "no_output"),
    (CO, {"value": "a", "negate": True}, [], "fail", "no output to check", "no_output"),
]


@pytest.mark.parametrize(("kind", "config", "texts", "status", "evidence", "reason"), SENTENCES)
def test_sentences(
    kind: str, config: dict[str, Any], texts: list[str], status: str, evidence: str, reason: str | None
) -> None:
    verdict = judge(kind, texts, **config)
    assert (verdict.status, verdict.evidence, verdict.reason) == (status, evidence, reason)
    assert verdict.passed is (status == "pass")
    assert verdict.score == float(verdict.passed)
    assert str(verdict) == ("✔ " if verdict.passed else "✘ ") + evidence


ERRORS: list[tuple[str, dict[str, Any], str, str]] = [
    (TM, {"pattern": "("}, "invalid_pattern", "Invalid regex pattern: (. Error: "),
    (TNM, {"pattern": "("}, "invalid_pattern", "Invalid regex pattern: (. Error: "),
    (OM, {"pattern": "(?x)a"}, "invalid_pattern", "Invalid regex pattern: (?x)a. Error: "),
    (OM, {"pattern": "(?ii)a"}, "invalid_pattern", "Invalid regex pattern: (?ii)a. Error: "),
    (OM, {"pattern": "a(?i)a"}, "invalid_pattern", "Invalid regex pattern: a(?i)a. Error: "),
    (RM, {"pattern": "(?i)a"}, "invalid_pattern", "Invalid regex pattern: (?i)a. Error: "),
    (RM, {"pattern": "a", "flags": "x"}, "invalid_pattern", "Invalid regex pattern: a. Error: "),
    (TM, {"pattern": "a", "unless": "["}, "invalid_pattern", "Invalid regex pattern: [. Error: "),
    (CO, {"value": ["a", "b"], "unless": "["}, "invalid_pattern", "Invalid regex pattern: [. Error: "),
    (TM, {"pattern": "a" * 1001}, "pattern_too_long", "Pattern too long: 1001 of 1000 characters"),
    (TM, {"pattern": "😀" * 501}, "pattern_too_long", "Pattern too long: 1002 of 1000 characters"),
    (TM, {"pattern": "(?:(?:a{1000}){1000}){1000}"}, "pattern_too_large", "Pattern too large"),
]


@pytest.mark.parametrize(("kind", "config", "reason", "evidence"), ERRORS)
@pytest.mark.parametrize("texts", [["a"], []])
def test_faults_of_the_pattern_beat_everything_else(
    kind: str, config: dict[str, Any], reason: str, evidence: str, texts: list[str]
) -> None:
    verdict = judge(kind, texts, **config)
    assert (verdict.status, verdict.reason, verdict.score) == ("error", reason, 0.0)
    assert verdict.evidence.startswith(evidence)
    assert verdict.message


def test_a_pattern_of_exactly_the_limit_is_fine() -> None:
    assert judge(TM, ["😀" * 500], pattern="😀" * 500).passed


COUNTS: list[tuple[dict[str, Any], str, str | None, int]] = [
    ({"min_matches": 2}, "pass", None, 3),
    ({"min_matches": 3}, "pass", None, 3),
    ({"min_matches": 4}, "fail", "count_below_min", 3),
    ({"max_matches": 3}, "pass", None, 3),
    ({"max_matches": 2}, "fail", "count_above_max", 3),
    ({"max_matches": 0}, "fail", "count_above_max", 3),
    ({"min_matches": 1, "max_matches": 3}, "pass", None, 3),
    ({"min_matches": 0}, "pass", None, 3),
    ({"select": "first"}, "fail", None, 0),
    ({"select": "last"}, "pass", None, 1),
    ({"select": "last", "max_matches": 0}, "fail", "count_above_max", 1),
]


@pytest.mark.parametrize(("config", "status", "reason", "matched"), COUNTS)
@pytest.mark.parametrize("hits", ["all", "first"])
def test_counts(config: dict[str, Any], status: str, reason: str | None, matched: int, hits: str) -> None:
    spec = load_spec({"graders": [{"type": TM, "config": {"pattern": "x", **config}}], "hits": hits})
    verdict = spec.grade(Transcript.from_texts(["a", "x", "x x", "x"])).verdicts[0]
    found = "transcript matches pattern /x/" if matched else "transcript does not match pattern /x/"
    assert (verdict.status, verdict.reason, verdict.evidence) == (status, reason, found)
    assert verdict.matched == matched if hits == "all" else verdict.matched <= matched


def test_a_count_of_none_passes_with_max_only() -> None:
    assert judge(TM, ["a"], pattern="x", max_matches=2).passed
    verdict = judge(TM, ["a"], pattern="x", min_matches=1)
    assert (verdict.status, verdict.reason) == ("fail", "count_below_min")


def test_hits_first_stops_where_the_verdict_is_settled() -> None:
    texts = ["x", "x", "x", "x"]
    for config, matched in (({}, 1), ({"min_matches": 2}, 2), ({"max_matches": 1}, 2), ({"negate": True}, 1)):
        spec = load_spec({"graders": [{"type": TM, "config": {"pattern": "x", **config}}], "hits": "first"})
        assert spec.grade(Transcript.from_texts(texts)).verdicts[0].matched == matched


def test_hits_are_the_first_of_each_message_and_at_most_twenty() -> None:
    verdict = judge(TM, ["no", *["a x x"] * 25], pattern="(x)|(y)")
    assert verdict.matched == 25
    assert len(verdict.hits) == 20
    assert verdict.hits[0] == Hit(1, None, None, "text", 2, 3, "x", ("x", None))


def test_hits_carry_message_ids_agents_and_which_text() -> None:
    messages = (
        AssistantMessage("nothing", 0, id="m0"),
        AssistantMessage("edited", 1, id="m1", agent="sub", raw_text="the x"),
    )
    spec = load_spec([{"type": TM, "config": {"pattern": "x"}}])
    verdict = spec.grade(Transcript(messages, "edited")).verdicts[0]
    assert verdict.hits == (Hit(1, "m1", "sub", "raw_text", 4, 5, "x"),)
    assert verdict.matched == 1


def test_offsets_are_code_points_of_the_original_text() -> None:
    hit = judge(TM, ["😀😀 é x"], pattern="x").hits[0]
    assert (hit.start, hit.end, hit.match) == (5, 6, "x")
    hit = judge(TC, ["İİ 😀 STRASSE"], value="strasse").hits[0]
    assert (hit.start, hit.end, hit.match) == (5, 12, "STRASSE")


def test_output_hits_have_no_message() -> None:
    verdict = judge(OM, ["a", "b x"], pattern="x")
    assert verdict.hits == (Hit(None, None, None, "text", 2, 3, "x"),)
    assert verdict.matched == 1


def test_contains_keeps_the_leftmost_hit() -> None:
    verdict = judge(CO, ["one two"], value=["two", "one"], mode="all")
    assert [hit.match for hit in verdict.hits] == ["one"]


UNLESS: list[tuple[str, str, str, bool]] = [
    ("refund", "no refund", "we give no refund", False),
    ("refund", "no refund", "we give no refund, a refund", True),
    ("refund", "no", "no refund", True),
    ("refund", "(?i)REFUND", "a refund", False),
    ("a+", "b", "aaa b", True),
    ("a", "aa", "aaa", True),
    ("a", "aa", "aaaa", False),
    ("", "", "", False),
]


@pytest.mark.parametrize(("pattern", "unless", "text", "left"), [row for row in UNLESS if row[0]])
def test_unless_filters_hits_that_overlap(pattern: str, unless: str, text: str, left: bool) -> None:
    assert judge(TM, [text], pattern=pattern, unless=unless).passed is left
    assert judge(TNM, [text], pattern=pattern, unless=unless).passed is not left


def test_unless_works_on_substrings_and_outputs() -> None:
    assert not judge(TC, ["no refund"], value="refund", unless="no refund").passed
    assert (
        judge(CO, ["x no refund"], value=["refund", "x"], unless="no refund").evidence
        == "'x' found in output"
    )
    assert not judge(RM, ["No Refund"], pattern="refund", unless="no refund").passed
    assert judge(RM, ["No Refund"], pattern="Refund", unless="no refund", flags="").passed


def test_unless_on_empty_matches() -> None:
    assert not judge(TM, ["ab"], pattern="^", unless="^").passed
    assert judge(TM, ["ab"], pattern="^", unless="a").passed


def test_a_text_over_the_limit_is_an_error_unless_the_verdict_is_settled() -> None:
    def graded(kind: str, texts: list[str], hits: str = "all") -> Verdict:
        limits = {"max_text_length": 10}
        config = {"pattern": "x"}
        spec = load_spec({"graders": [{"type": kind, "config": config}], "limits": limits, "hits": hits})
        return spec.grade(Transcript.from_texts(texts)).verdicts[0]

    long = "a" * 9 + "😀"
    verdict = graded(TM, [long])
    assert (verdict.status, verdict.evidence) == ("error", "Message too long: 11 of 10 characters")
    assert verdict.reason == "text_too_long"
    assert graded(OM, [long]).status == "error"
    assert graded(TM, ["a" * 8 + "😀"]).status == "fail"
    for hits in ("all", "first"):
        assert graded(TM, ["x", long], hits).status == "pass"
        assert graded(TNM, ["x", long], hits).status == "fail"
        assert graded(TM, [long, "x"], hits).status == "error"
        assert graded(TNM, [long, "x"], hits).status == "error"
    assert graded(TM, ["x", long, "x", "x"]).matched == 3


def test_a_timeout_is_an_error_for_both_polarities() -> None:
    for kind in (TM, TNM):
        spec = load_spec(
            {
                "graders": [{"type": kind, "config": {"pattern": r"^(?=(a+)+$)\1b"}}],
                "limits": {"timeout": 0.3},
            }
        )
        verdict = spec.grade(Transcript.from_texts(["a" * 40 + "c"])).verdicts[0]
        if verdict.status == "error":  # a faster engine may answer in time: then the answer must be right
            assert (verdict.evidence, verdict.reason) == ("Timed out after 0.3 s", "timeout")
        else:
            assert verdict.passed is (kind == TNM)


def test_incomplete_transcripts_are_noted_and_strict_makes_them_errors() -> None:
    transcript = Transcript.from_texts(["x"])
    gap = Transcript(transcript.messages, "x", incomplete="child runs were not loaded")
    graders = [{"type": TM, "config": {"pattern": "x"}}, {"type": ONM, "config": {"pattern": "x"}}]
    lax = load_spec(graders).grade(gap)
    assert [v.status for v in lax.verdicts] == ["pass", "fail"]
    assert all(v.message == "the transcript is incomplete: child runs were not loaded" for v in lax.verdicts)
    strict = load_spec({"graders": graders, "strict": True}).grade(gap)
    assert [(v.status, v.reason) for v in strict.verdicts] == [("error", "incomplete")] * 2
    assert load_spec({"graders": graders, "strict": True}).grade(transcript)[TM].passed


def test_output_key_finds_the_output_of_a_structured_run() -> None:
    def graded(key: str | None, **fields: Any) -> Verdict:
        spec = load_spec(
            {"graders": [{"type": OM, "config": {"pattern": "x"}}], **({"output_key": key} if key else {})}
        )
        transcript = Transcript((), None, output_fields=fields, output_without_text=True)
        return spec.grade(transcript).verdicts[0]

    assert graded("answer", answer="x").passed
    assert graded("a.b", a={"b": "x"}).passed
    assert graded("a.b", **{"a.b": "x"}).passed
    for verdict in (graded(None, answer=1), graded("answer", answer=1), graded("other", answer="x")):
        assert (verdict.status, verdict.reason) == ("error", "no_text")
        assert "output_key" in (verdict.message or "")


def test_a_wrong_output_key_is_told_with_the_keys_that_there_are() -> None:
    spec = load_spec({"graders": [{"type": OM, "config": {"pattern": "x"}}], "output_key": "answer.x"})
    transcript = Transcript((), "hello", output_fields={"answer": "hello", "other": 1})
    verdict = spec.grade(transcript).verdicts[0]
    assert (verdict.status, verdict.reason) == ("error", "no_text")
    assert (
        verdict.message
        == "output_key 'answer.x' leads to no text in the run's output; its keys: answer, other"
    )


def test_halves_of_a_character_side_by_side_are_the_character() -> None:
    halves = "a \ud83d" + "\ude00 b"
    assert judge(TC, [halves], value="😀", case_sensitive=True).hits[0].end == 4
    assert judge(TC, [halves], value="😀 B").hits[0].match == "\ud83d\ude00 b"
    assert not judge(TC, ["\ude00\ud83d"], value="😀").passed


@pytest.mark.parametrize("thing", ["text", None, {"messages": []}])
def test_only_transcripts_are_graded(thing: Any) -> None:
    with pytest.raises(TypeError, match="a Transcript is graded"):
        load_spec([{"type": TM, "config": {"pattern": "x"}}]).grade(thing)


def test_strip_thinking_is_off_by_default() -> None:
    graders = [{"type": TM, "config": {"pattern": "secret"}}]
    transcript = Transcript.from_texts(["<think>secret</think> said"])
    assert load_spec(graders).grade(transcript).passed
    assert not load_spec({"graders": graders, "strip_thinking": True}).grade(transcript).passed


def test_scopes_select_their_lists() -> None:
    said = AssistantMessage
    transcript = Transcript(
        (said("draft", 0), said("final", 1)),
        "final",
        conversation=(said("final", 0),),
        model_calls=(said("draft", 0), said("guard", 1), said("final", 2)),
    )
    for scope, texts in (
        ("run", "draft final"),
        ("conversation", "final"),
        ("model-calls", "draft guard final"),
    ):
        for text in ("draft", "final", "guard"):
            spec = load_spec([{"type": TC, "config": {"value": text, "scope": scope}}])
            assert spec.grade(transcript).passed is (text in texts)


def test_a_grade_is_json_ready_and_fixed_in_its_keys() -> None:
    grade: Grade = load_spec([{"type": TM, "config": {"pattern": "(x)"}}]).grade(
        Transcript.from_texts(["x"], id="7")
    )
    assert grade.to_dict() == {
        "source": None,
        "id": "7",
        "epoch": None,
        "passed": True,
        "score": 1.0,
        "verdicts": [
            {
                "name": "transcript-matches",
                "type": "transcript-matches",
                "status": "pass",
                "passed": True,
                "score": 1.0,
                "evidence": "transcript matches pattern /(x)/",
                "reason": None,
                "hits": [
                    {
                        "message_index": 0,
                        "message_id": None,
                        "agent": None,
                        "field": "text",
                        "start": 0,
                        "end": 1,
                        "match": "x",
                        "groups": ["x"],
                    }
                ],
                "matched": 1,
            }
        ],
    }


def test_no_transcript_without_assistant_text_passes_anything_vacuously() -> None:
    for kind, config in ((TM, {"pattern": ".*"}), (TNM, {"pattern": "x"}), (ONM, {"pattern": "x"})):
        assert not judge(kind, [], **config).passed
