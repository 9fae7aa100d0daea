"""``langsmith:PROJECT`` as a source, against a server on the loopback interface."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.support import GOOD, Command
from tests.langsmith.conftest import clean_langsmith as clean_langsmith
from tests.langsmith.conftest import loopback as loopback
from tests.langsmith.loopback import Loopback
from tests.langsmith.project_runs import root_id, trace

Write = Callable[..., Path]


@pytest.fixture(autouse=True)
def spec_of_one(write: Write) -> None:
    write("spec.json", {"graders": [{"type": "transcript-matches", "config": {"pattern": "first [0-3]"}}]})
    write("chats.jsonl", [GOOD])


def test_a_project_is_graded_beside_files(loopback: Loopback, turngrade: Command) -> None:
    for number in range(5):
        loopback.store.add_trace("shop", trace(number, f"first {number}", "last"))
    result = turngrade("grade", "spec.json", "langsmith:shop", "chats.jsonl", "-o", "-")
    assert [(row["source"], row["id"], row["passed"]) for row in result.rows] == [
        *(("langsmith:shop", root_id(number), number < 4) for number in (4, 3, 2, 1, 0)),
        ("chats.jsonl", "good", False),
    ]
    assert result.code == 1


def test_limit_asks_the_server_for_no_more(loopback: Loopback, turngrade: Command) -> None:
    for number in range(5):
        loopback.store.add_trace("shop", trace(number, f"first {number}", "last"))
    result = turngrade("grade", "spec.json", "langsmith:shop", "--limit", "2", "-o", "-")
    assert [row["id"] for row in result.rows] == [root_id(4), root_id(3)]


def test_a_project_that_is_not_there_is_an_error_row(loopback: Loopback, turngrade: Command) -> None:
    result = turngrade("grade", "spec.json", "langsmith:nowhere", "chats.jsonl", "-o", "-")
    assert result.code == 3
    assert result.rows[0]["source"] == "langsmith:nowhere"
    assert result.rows[0]["error"]
    assert result.rows[1]["id"] == "good"
