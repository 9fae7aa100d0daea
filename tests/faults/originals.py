"""Sound logs and exports of every kind, which the fault tests break."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"

SPEC = r"""
graders:
  - {type: transcript-matches, name: said, config: {pattern: '^[^]*$'}}
  - {type: output-matches, name: answered, config: {pattern: '^[^]*$'}}
  - {type: transcript-not-contains, name: no-mail, config: {substring: '@'}}
"""
"""Its hits hold the whole text of every message, so that equal rows mean equal transcripts."""

CHAT = (
    '{"id": "%s", "messages": [{"role": "user", "content": "Where is my order?"}, '
    '{"role": "assistant", "content": "Let me look, %s 🙂."}, '
    '{"role": "assistant", "content": "Write to %s@example.com, please."}]}\n'
)


@dataclass(frozen=True)
class Original:
    """A file that is read without a fault.

    Args:
        path: Where it is, or what it is called.
        checked: Whether its samples carry checksums, so that a changed byte must be noticed.
        content: Its bytes, where it is no file of the repository.
    """

    path: Path
    checked: bool = False
    content: bytes | None = None

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def suffix(self) -> str:
        return self.path.suffix

    @cached_property
    def data(self) -> bytes:
        return self.path.read_bytes() if self.content is None else self.content


def _inspect(name: str) -> Original:
    return Original(DATA / "inspect" / name, checked=name.endswith(".eval"))


def _export(name: str) -> Original:
    return Original(DATA / "langsmith" / "exports" / name)


ZSTD_LOG = _inspect("epochs.eval")
DEFLATE_LOG = _inspect("inspect-0.3.142.eval")
JSON_LOG = _inspect("inspect-0.3.201.json")
CHATS = Original(
    Path("chats.jsonl"),
    content="".join(CHAT % (id, id, id) for id in ("ada", "bob", "cy", "dee")).encode(),
)
CHAT_LIST = Original(Path("chats.json"), content=b"[" + b",\n".join(CHATS.data.splitlines()) + b"]\n")

ORIGINALS = (
    ZSTD_LOG,
    _inspect("react-tools.eval"),
    Original(ROOT / "examples" / "logs" / "inspect.eval", checked=True),
    DEFLATE_LOG,
    _inspect("old-0.3.46.eval"),
    JSON_LOG,
    _inspect("inspect-0.3.46.json"),
    _export("runs_v1.jsonl"),
    _export("runs_v2.jsonl"),
    _export("run_tree_nested.json"),
    _export("langsmith_fetch_trace_with_metadata.json"),
    _export("bulk_export_like.parquet"),
    Original(ROOT / "examples" / "logs" / "langgraph.jsonl"),
    CHATS,
    CHAT_LIST,
)
"""One of each kind, of each compression and layout."""
