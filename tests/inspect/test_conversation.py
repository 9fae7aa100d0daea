"""Texts by message id: in order, each once, and without a comparison for every pair."""

from __future__ import annotations

from turngrade.adapters.inspect.conversation import TextsOfIds


class Counted(str):
    """A text that counts how often it is compared."""

    comparisons = 0

    def __eq__(self, other: object) -> bool:
        Counted.comparisons += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_each_text_of_an_id_is_known_once_and_in_order() -> None:
    texts = TextsOfIds()
    added = [texts.add("a", text) for text in ("x", "y", "x", "", "y")]
    assert added == [True, True, False, True, False]
    assert texts.of("a") == ["x", "y", ""]
    assert texts.of("b") == []
    assert ("a" in texts, "b" in texts) == (True, False)


def test_an_id_with_one_text_is_told_from_others() -> None:
    texts = TextsOfIds()
    texts.add("one", "")
    texts.add("one", "")
    texts.add("two", "x")
    texts.add("two", "y")
    assert [texts.has_one(id) for id in ("one", "two", "none")] == [True, False, False]


def test_an_id_that_all_messages_share_costs_no_more_for_each() -> None:
    """Templates and replayed outputs give one id to all that they say."""
    texts = TextsOfIds()
    for number in range(2000):
        texts.add("same", Counted(number))
    assert len(texts.of("same")) == 2000
    assert Counted.comparisons < 3 * 2000
