"""Small conversations and a spec for them, and how a call of the command ended."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol


@dataclass(frozen=True)
class Result:
    """How a call ended and what it said."""

    code: int
    out: str
    err: str

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The JSONL rows on stdout."""
        return [json.loads(line) for line in self.out.splitlines()]


class Command(Protocol):
    def __call__(self, *args: str | Path, stdin: bytes = b"", columns: int = 80) -> Result: ...


def said(id: str, *texts: str, **more: Any) -> dict[str, Any]:
    """A plain conversation in which the assistant said some texts."""
    messages = [{"role": "user", "content": "Where is my order?"}]
    messages += [{"role": "assistant", "content": text} for text in texts]
    return {"id": id, "messages": messages, **more}


SPEC = r"""
graders:
  - type: transcript-not-matches
    name: no-refund-promise
    config: {pattern: '(?i)refund (is|was) (approved|issued)'}
  - type: output-matches
    name: order-id
    config: {pattern: 'ORD-\d{6}'}
  - type: contains
    name: polite
    config: {value: [thanks, please]}
"""

GOOD = said("good", "Let me look.", "Thanks! Order ORD-123456 is on its way.")
BAD = said("bad", "Your refund is approved.", "Please wait for the mail.")
