"""What has to be equal: everything of a verdict but ``hits[].message_id`` and ``hits[].agent``."""

from __future__ import annotations

from typing import Any, TypeAlias

from tests.parity.conversations import CONVERSATIONS
from tests.parity.specs import SPECS

from turngrade.core import load_spec

Row: TypeAlias = dict[str, Any]
"""A grade's or a verdict's JSON."""


def comparable(verdict: Row) -> Row:
    """A verdict without what each framework names its own way."""
    hits = [{k: v for k, v in hit.items() if k not in ("message_id", "agent")} for hit in verdict["hits"]]
    return {**verdict, "hits": hits}


def comparable_grade(grade: Row) -> Row:
    """A grade without what tells where it comes from."""
    verdicts = {verdict["name"]: comparable(verdict) for verdict in grade["verdicts"]}
    return {"passed": grade["passed"], "score": grade["score"], "verdicts": verdicts}


def expected_grades(spec_name: str) -> dict[str, Row]:
    """The grades of all conversations, from nothing but their texts."""
    spec = load_spec(SPECS[spec_name])
    return {c.name: comparable_grade(spec.grade(c.expected).to_dict()) for c in CONVERSATIONS.values()}
