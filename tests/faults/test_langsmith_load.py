"""A few rounds of the script beside, with few rows."""

from __future__ import annotations

import pytest
from tests.faults.langsmith_load import rounds, table
from tests.langsmith.conftest import clean_langsmith as clean_langsmith

ROWS = 300
SOME = (
    "everything",
    "everything, in batches",
    "422 for some rows",
    "409 for rows that are not there",
    "accepted, then lost",
    "no answer any more",
)


@pytest.mark.parametrize("name", SOME)
def test_no_row_is_lost_or_doubled_and_the_report_is_true(name: str) -> None:
    (chosen,) = (round_ for round_ in rounds() if round_.name == name)
    chosen.go(ROWS)
    assert chosen.faults > 0
    assert (chosen.lost, chosen.doubled, chosen.untruths) == (0, 0, [])
    assert table([chosen], ROWS).splitlines()[-1].endswith("true")


def test_a_row_that_is_there_twice_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    (chosen,) = (round_ for round_ in rounds() if round_.name == "everything")
    monkeypatch.setattr("tests.langsmith.loopback_store.Store.add_feedback", _keep_twice)
    chosen.go(ROWS)
    assert chosen.doubled == ROWS
    assert not chosen.ok


def _keep_twice(store: object, row: dict[str, object]) -> bool:
    store.feedback += [row, row]  # type: ignore[attr-defined]
    return True
