"""Broken files, some of each kind. ``python -m tests.faults.files`` tries thousands."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.faults.damage import Case, Rule
from tests.faults.files import cases, table, try_all
from tests.faults.judging import Bench, judge
from tests.faults.memory import GIB, MB, archive, measure, sparse
from tests.faults.originals import CHATS, ORIGINALS, SPEC


def test_no_fault_raises_hangs_or_costs_a_row(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    try_all(bench, quick=True)
    assert bench.faults == []
    assert sum(count.cases for count in bench.counts.values()) > 400
    assert len(bench.counts) >= 20
    assert all(count.lost == 0 for count in bench.counts.values())


def test_every_original_is_sound(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    assert all(bench.rows(original) for original in ORIGINALS)


ROW: dict[str, object] = {"id": "a", "epoch": None, "source": "x", "verdicts": []}
ERROR: dict[str, object] = {"id": None, "epoch": None, "source": "x", "verdicts": [], "error": "broken"}
RIGHT: list[dict[str, object]] = [
    {"id": "a", "epoch": None, "verdicts": []},
    {"id": "b", "epoch": None, "verdicts": []},
]


@pytest.mark.parametrize(
    ("rows", "err", "rule", "fault"),
    [
        ([ROW], "", "same", "other rows"),
        ([ROW], "", "whole", "rows that vanished"),
        ([ROW], "", "counted", "1 rows of 2 and no error"),
        ([ROW, ROW], "", "whole", "a row twice"),
        ([ROW | {"id": "c"}], "x: broken", "whole", "rows that the original has not"),
        ([ROW, ERROR | {"id": "c"}], "", "whole", "no error names"),
        ([], "", "told", "not told"),
        ([ERROR | {"error": " "}], "", "told", "an error without a reason"),
        ([ROW, ERROR], "", "whole", None),
        ([ROW, ERROR | {"id": "b"}], "", "whole", None),
        ([ROW], "", "shorter", None),
        ([ERROR], "", "told", None),
        ([], "x: empty", "told", None),
    ],
)
def test_the_judge(rows: list[dict[str, object]], err: str, rule: Rule, fault: str | None) -> None:
    found = judge(rows, err, "x", rule, RIGHT)
    assert found is None if fault is None else found is not None and fault in found


def test_a_lost_row_is_counted(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.try_case(Case("shorter", CHATS, CHATS.data.splitlines()[0], "counted"))
    assert bench.counts["shorter"].lost == 1
    assert list(table(bench.counts))[-1] == "| all | 1 | 0 | 0 | 1 |"


def test_the_command_itself(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text(SPEC)
    (tmp_path / "sound.jsonl").write_bytes(CHATS.data)
    chosen = list(cases(quick=True))[::60]
    for number, case in enumerate(chosen):
        (tmp_path / f"broken-{number}{case.original.suffix}").write_bytes(case.data)
    command = [
        sys.executable,
        "-m",
        "turngrade.adapters.cli",
        "grade",
        "spec.yaml",
        ".",
        "-o",
        "-",
        "-j",
        "2",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len([row for row in rows if row["source"] == "./sound.jsonl"]) == 4
    assert {row["source"] for row in rows} >= {
        f"./broken-{number}{case.original.suffix}" for number, case in enumerate(chosen)
    }


@pytest.mark.skipif(sys.platform != "linux", reason="the peak of a process is read from /proc")
def test_a_bomb_takes_no_memory(tmp_path: Path) -> None:
    (tmp_path / "sound.jsonl").write_bytes(CHATS.data)
    archive(b"no end of words ", 64 * MB, b'{"id": "a", "epoch": 1, "messages": "', b'"}', 1000)(
        tmp_path / "bomb.eval"
    )
    sparse(4 * GIB)(tmp_path / "zeros.json")
    base, right, _ = measure(tmp_path, tmp_path / "sound.jsonl")
    files = (tmp_path / name for name in ("bomb.eval", "zeros.json", "sound.jsonl"))
    peak, rows, _ = measure(tmp_path, *files)
    assert peak < base + 60 * MB
    assert ["error" in row for row in rows[:2]] == [True, True]
    assert rows[2:] == right
