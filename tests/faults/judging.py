"""Grade a broken file next to a sound one, and hold the result to what was promised."""

from __future__ import annotations

import contextlib
import io
import json
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from tests.faults.damage import Case, Rule
from tests.faults.originals import CHATS, SPEC, Original

from turngrade.adapters.cli.app import run

SECONDS = 60
"""How long one call may take before it counts as hanging."""

Row = dict[str, Any]


class Hanging(BaseException):
    """A call did not end."""


@dataclass
class Count:
    """What became of the cases of one kind."""

    cases: int = 0
    error_rows: int = 0
    survived: int = 0
    lost: int = 0


@dataclass
class Bench:
    """A folder with a spec and a sound file, in which broken files are graded.

    Args:
        folder: An empty folder.
    """

    folder: Path
    counts: dict[str, Count] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    rows_of: dict[str, list[Row]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.spec = self.folder / "spec.yaml"
        self.spec.write_text(SPEC, encoding="utf-8")
        self.sound = self.folder / "sound.jsonl"
        self.sound.write_bytes(CHATS.data)
        self.right, _ = self.grade(self.sound)

    def grade(self, *sources: Path) -> tuple[list[Row], str]:
        """The rows of a call of ``turngrade grade``, and what it says on stderr."""
        out, err = self.folder / "out.jsonl", io.StringIO()
        out.unlink(missing_ok=True)
        with redirect_stderr(err), redirect_stdout(io.StringIO()), _alarm():
            code = run(["grade", str(self.spec), *map(str, sources), "-o", str(out), "-q"])
        assert code in (0, 1, 3, 5), f"exit code {code}: {err.getvalue()}"
        return [json.loads(line) for line in out.read_text("utf-8").splitlines()], err.getvalue()

    def rows(self, original: Original) -> list[Row]:
        """The rows of the sound original, without their source."""
        if original.name not in self.rows_of:
            path = self.folder / f"original{original.suffix}"
            path.write_bytes(original.data)
            rows, _ = self.grade(path)
            assert rows
            assert not any("error" in row for row in rows)
            self.rows_of[original.name] = [_bare(row) for row in rows]
        return self.rows_of[original.name]

    def try_case(self, case: Case) -> None:
        """Grade a case and count what became of it."""
        path = self.folder / f"broken{case.original.suffix}"
        path.write_bytes(case.data)
        self.try_file(
            case.kind, f"{case.original.name} {case.detail}", path, case.rule, self.rows(case.original)
        )

    def try_file(self, kind: str, name: str, path: Path, rule: Rule, originals: list[Row]) -> None:
        """Grade a broken file between two sound ones and count what became of it."""
        count = self.counts.setdefault(kind, Count())
        count.cases += 1
        again = self.folder / "again.jsonl"
        again.write_bytes(CHATS.data)
        try:
            rows, err = self.grade(self.sound, path, again)
        except (Exception, Hanging) as error:
            self.faults.append(f"{kind}: {name}: {type(error).__name__}: {error}")
            return
        broken = [row for row in rows if row["source"] == str(path) or f"{path}/" in row["source"]]
        count.error_rows += sum("error" in row for row in broken)
        lost = [row for row in self.right * 2 if [_bare(row)] * 2 != _of(rows, row["id"], self.sound, again)]
        problem = (
            f"rows of the sound files lost: {lost}"
            if lost
            else judge(broken, err, str(path), rule, originals)
        )
        if problem is None:
            count.survived += 1
            return
        count.lost += 1
        self.faults.append(f"{kind}: {name}: {problem}")


def _of(rows: list[Row], id: str, *sources: Path) -> list[Row]:
    names = set(map(str, sources))
    return [_bare(row) for row in rows if row["id"] == id and row["source"] in names]


def judge(rows: list[Row], err: str, path: str, rule: Rule, originals: list[Row]) -> str | None:
    """What is wrong with the rows of a broken file; None where they keep the promise."""
    good = [_bare(row) for row in rows if "error" not in row]
    errors = [row for row in rows if "error" in row]
    told = bool(errors) or path in err
    if any(not row["error"].strip() for row in errors):
        return "an error without a reason"
    if rule == "same":
        return None if good == originals and not errors else f"other rows: {errors or good}"
    if rule == "told":
        return None if told and not good else f"not told: {err or good}"
    if rule == "counted":
        enough = len(good) >= len(originals) or told
        return None if enough else f"{len(good)} rows of {len(originals)} and no error"
    return _judge_whole(good, errors, told or rule == "shorter", originals)


def _judge_whole(good: list[Row], errors: list[Row], told: bool, originals: list[Row]) -> str | None:
    wrong = [row for row in good if row not in originals and not (errors and _says_incomplete(row))]
    if wrong:
        return f"rows that the original has not: {json.dumps(wrong)[:300]}"
    counts = Counter(_key(row) for row in good)
    if any(count > 1 for count in counts.values()):
        return "a row twice"
    missing = [_key(row) for row in originals if _key(row) not in counts]
    named = {_key(row) for row in errors}
    if missing and not told:
        return f"rows that vanished: {missing}"
    whole_file = not errors or any(row["id"] is None or "cut off" in row["error"] for row in errors)
    if not whole_file and not named.issuperset(missing):
        return f"no error names {set(missing) - named}"
    return None


def _says_incomplete(row: Row) -> bool:
    return all("the transcript is incomplete" in verdict.get("message", "") for verdict in row["verdicts"])


def _key(row: Row) -> tuple[Any, Any]:
    return row["id"], row["epoch"]


def _bare(row: Row) -> Row:
    return {key: value for key, value in row.items() if key != "source"}


@contextlib.contextmanager
def _alarm() -> Iterator[None]:
    def ring(number: int, frame: FrameType | None) -> None:
        raise Hanging(f"still running after {SECONDS} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
